package delve

import (
	"slices"
	"strings"
	"testing"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/wire"
	"aidb-mcp/internal/testkit"
)

// crash runs a program to its exceptional stop.
func crash(t *testing.T, p *testkit.Program, filters ...string) (*debuggee, adapters.Stop) {
	t.Helper()
	d := launch(t, plan(t, adapters.Request{Target: ".", Workspace: p.Dir}))
	d.catch(filters...)
	d.run()
	stop := d.stop()
	if stop.Reason != "exception" || stop.Error != "" || stop.Resume || stop.Hit != nil {
		t.Fatalf("stopped for %+v", stop)
	}
	return d, stop
}

func (d *debuggee) exception(thread int) godap.ExceptionInfoResponseBody {
	d.t.Helper()
	var body godap.ExceptionInfoResponseBody
	d.call("exceptionInfo", godap.ExceptionInfoArguments{ThreadId: thread}, &body)
	return body
}

func TestPanics(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ program, id, text, kind, function string }{
		{"averages", "panic", "runtime error: integer divide by zero", "runtime.errorString", "main.mean"},
		{"nilderef", "panic", "runtime error: invalid memory address or nil pointer dereference", "runtime.errorString", "main.greet"},
		{"custompanic", "panic", "order 8: out of stock", "*main.orderError", "main.ship"},
		{"mapwrite", "fatal error", "concurrent map writes", "", "main.fill"},
	} {
		t.Run(tt.program, func(t *testing.T) {
			t.Parallel()
			d, stop := crash(t, testkit.NewProgram(t, tt.program), "uncaught")
			if frame := d.userFrame(stop.ThreadID); frame.Name != tt.function {
				t.Errorf("the user's frame is %s", frame.Name)
			}
			info := d.exception(stop.ThreadID)
			if info.ExceptionId != tt.id || info.Description != tt.text {
				t.Errorf("%s: %s", info.ExceptionId, info.Description)
			}
			if tt.kind != "" && (info.Details == nil || info.Details.TypeName != tt.kind) {
				t.Errorf("details %+v, want the type %s", info.Details, tt.kind)
			}
			d.call("continue", godap.ContinueArguments{}, nil)
			if code := d.end(); code != 2 {
				t.Errorf("exit code %d", code)
			}
			contains(t, d.output(&d.stderr), tt.text)
		})
	}
}

func TestPanicWhilePanicking(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "")
	p.Write("go.mod", "module again\n\ngo 1.25\n")
	p.Write("main.go", `package main

import "fmt"

func main() {
	defer func() { panic(fmt.Errorf("cleaning up after %v", recover())) }()
	panic("first")
}
`)
	d, stop := crash(t, p, "uncaught")
	info := d.exception(stop.ThreadID)
	if info.Description != "cleaning up after first" || info.Details.TypeName != "*fmt.wrapError" && info.Details.TypeName != "*errors.errorString" && info.Details.TypeName != "*fmt.fmtError" {
		t.Errorf("%s of type %s", info.Description, info.Details.TypeName)
	}
	inner := info.Details.InnerException
	if len(inner) != 1 || inner[0].Message != "first [recovered]" || inner[0].TypeName != "string" {
		t.Errorf("inner %+v", inner)
	}
}

// The testing package, and net/http, panic once more with what they have recovered: the
// runtime turns only the first to text, and prints it once.
func TestPanicOnceMore(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "")
	p.Write("go.mod", "module again\n\ngo 1.25\n")
	p.Write("main.go", `package main

func main() {
	defer func() { panic(recover()) }()
	println("hola"[len(make([]int, 4))])
}
`)
	d, stop := crash(t, p, "uncaught")
	info := d.exception(stop.ThreadID)
	if !strings.HasPrefix(info.Description, "runtime error: index out of range [4] with length 4 [recovered") || info.Details.TypeName != "runtime.boundsError" || info.Details.InnerException != nil {
		t.Errorf("%s: %+v", info.Description, info.Details)
	}
}

func TestDeadlock(t *testing.T) {
	t.Parallel()
	d, stop := crash(t, testkit.NewProgram(t, "deadlock"), "uncaught")
	info := d.exception(stop.ThreadID)
	if info.ExceptionId != "fatal error" || info.Description != "all goroutines are asleep - deadlock!" {
		t.Errorf("%s: %s", info.ExceptionId, info.Description)
	}
	waiting := map[string]string{}
	for _, g := range digest(t, d, 10) {
		if !g.System && len(g.Frames) > 0 {
			waiting[g.Frames[0].Name] = g.Waiting + " on " + g.Object
		}
	}
	contains(t, waiting["main.transfer"], "sync.Mutex.Lock on sync.Mutex 0x")
	contains(t, waiting["main.main"], "sync.WaitGroup.Wait on sync.WaitGroup 0x")
}

func TestNoFilterNoStop(t *testing.T) {
	t.Parallel()
	d := launch(t, plan(t, adapters.Request{Target: ".", Workspace: testkit.NewProgram(t, "averages").Dir}))
	d.catch("none")
	d.run()
	if code := d.end(); code != 2 {
		t.Errorf("exit code %d", code)
	}
}

// "all" stops where panic is called, also when the program recovers from it.
func TestEveryPanic(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "custompanic")
	d, stop := crash(t, p, "all")
	if frame := d.userFrame(stop.ThreadID); frame.Line != p.Line("handled") {
		t.Errorf("stopped at line %d", frame.Line)
	}
	if info := d.exception(stop.ThreadID); info.ExceptionId != "panic" || info.Description != "handled" {
		t.Errorf("%+v", info)
	}
	d.catch("uncaught")
	d.call("continue", godap.ContinueArguments{}, nil)
	if frame := d.userFrame(d.stop().ThreadID); frame.Line != p.Line("panic") {
		t.Errorf("then stopped at line %d", frame.Line)
	}
}

// Of a test binary, "uncaught" stops at the call that fails a test, once.
func TestFailingTest(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "subtests")
	d := launch(t, plan(t, adapters.Request{Target: ".", Mode: adapters.Test, Workspace: p.Dir}))
	dialect := (&local{dialect{tests: &testRun{}}})
	filters, err := dialect.Filters([]string{"uncaught"}, []godap.ExceptionBreakpointsFilter{{Filter: wire.TestFailure}})
	if err != nil || len(filters) != 1 {
		t.Fatalf("filters %v, %v", filters, err)
	}
	d.call("setExceptionBreakpoints", godap.SetExceptionBreakpointsArguments{Filters: filters}, nil)
	d.run()
	stop := d.stop()
	if stop.Reason != "exception" || stop.Description != "test failure" || stop.Hit != nil {
		t.Fatalf("stopped for %+v", stop)
	}
	want := "TestDiscount/big_sale_(80%): Discount(200, 80) = -50, want 40"
	if info := d.exception(stop.ThreadID); info.ExceptionId != "test failure" || info.Description != want {
		t.Errorf("%+v", info)
	}
	d.call("continue", godap.ContinueArguments{}, nil)
	if code := d.end(); code != 1 {
		t.Errorf("exit code %d", code)
	}
}

func TestUnknownFilter(t *testing.T) {
	t.Parallel()
	_, err := (&dialect{}).Filters([]string{"uncought"}, []godap.ExceptionBreakpointsFilter{{Filter: "unrecovered-panic"}})
	if err == nil || !strings.Contains(err.Error(), "uncought") {
		t.Errorf("got %v", err)
	}
}

// A function of optimised code that calls nothing has no frame pointer of its own.
func TestTheCallerOfAnInterruptedLeaf(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "leaf")
	d := launch(t, plan(t, adapters.Request{Target: p.Build(".", "-gcflags="), Workspace: p.Dir}))
	d.catch("uncaught")
	d.run()
	var users []string
	for _, f := range d.userFrames(d.stop().ThreadID) {
		users = append(users, f.Name)
	}
	if want := []string{"main.second", "main.report", "main.main"}; !slices.Equal(users, want) {
		t.Errorf("the user's frames are %v, want %v", users, want)
	}
}
