package delve

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/wire"
	"aidb-mcp/internal/testkit"
)

func TestBreakpointAndStreams(t *testing.T) {
	t.Parallel()
	d, p, stop := programAt(t, "averages", "divide")
	frame := d.userFrame(stop.ThreadID)
	if frame.Name != "main.mean" || frame.Line != p.Line("divide") || frame.Source.Path != filepath.Join(p.Dir, "main.go") {
		t.Errorf("stopped in %+v", frame)
	}
	if !slices.ContainsFunc(d.caps.ExceptionBreakpointFilters, func(f godap.ExceptionBreakpointsFilter) bool { return f.Filter == "unrecovered-panic" }) {
		t.Errorf("the capabilities are not Delve's: %+v", d.caps)
	}
	if len(stop.Hit) != 1 || stop.Hit[0] <= 0 {
		t.Errorf("hit %v", stop.Hit)
	}
}

func TestExitCodeAndBothStreams(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "exit3")
	d := launch(t, plan(t, adapters.Request{Target: p.Dir, Workspace: p.Dir}))
	d.run()
	if code := d.end(); code != 3 {
		t.Errorf("exit code %d", code)
	}
	if got := d.output(&d.stdout); got != "out 0\nout 1\nout 2\nno newline at the end" {
		t.Errorf("stdout %q", got)
	}
	if got := d.output(&d.stderr); got != "err 0\nerr 1\nerr 2\n" {
		t.Errorf("stderr %q", got)
	}
}

func TestStdin(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "")
	p.Write("go.mod", "module cat\n\ngo 1.25\n")
	p.Write("main.go", "package main\n\nimport (\n\t\"io\"\n\t\"os\"\n)\n\nfunc main() { io.Copy(os.Stdout, os.Stdin) }\n")
	d := launch(t, plan(t, adapters.Request{Target: ".", Workspace: p.Dir}))
	if _, err := io.WriteString(d.plan.Streams.Stdin, "to the program\n"); err != nil {
		t.Fatal(err)
	}
	d.plan.Streams.Stdin.Close()
	d.run()
	d.end()
	if got := d.output(&d.stdout); got != "to the program\n" {
		t.Errorf("stdout %q", got)
	}
}

func TestArgumentsEnvironmentAndDirectory(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "environment")
	p.Write("vars.env", "PLANET=\"the earth\"\nGREETING=from file\n")
	sub := filepath.Join(p.Dir, "sub dir")
	if err := os.Mkdir(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	d := launch(t, plan(t, adapters.Request{
		Target: ".", Workspace: p.Dir, Args: []string{"one", "two words", ""},
		Env: map[string]string{"GREETING": "hello = you"}, EnvFile: "vars.env", Cwd: "sub dir",
	}))
	d.run()
	d.end()
	contains(t, d.output(&d.stdout), "args 3 [one two words ]", "cwd "+sub+" <nil>", "greeting hello = you", "planet the earth")
}

func TestTestMode(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "subtests")
	planned := plan(t, adapters.Request{Target: ".", Test: "TestDiscount/big sale (80%)", Workspace: p.Dir, StopOnEntry: true})
	if planned.Mode != adapters.Test || planned.Target != "TestDiscount/big sale (80%) in ." || planned.Dialect.Entry() != "subtests.TestDiscount" {
		t.Errorf("mode %s, target %q, entry %q", planned.Mode, planned.Target, planned.Dialect.Entry())
	}
	d := launch(t, planned)
	var functions godap.SetFunctionBreakpointsResponseBody
	d.call("setFunctionBreakpoints", godap.SetFunctionBreakpointsArguments{
		Breakpoints: []godap.FunctionBreakpoint{{Name: planned.Dialect.Entry()}},
	}, &functions)
	if !functions.Breakpoints[0].Verified {
		t.Fatalf("the entry is not found: %s", functions.Breakpoints[0].Message)
	}
	d.breakAt(filepath.Join(p.Dir, "price_test.go"), p.Line("wrong"))
	d.run()
	if stop := d.stop(); stop.Reason != "function breakpoint" {
		t.Errorf("stopped for %+v", stop)
	}
	d.call("continue", godap.ContinueArguments{}, nil)
	stop := d.stop()
	if got := d.evaluate(d.userFrame(stop.ThreadID).Id, "tt.name"); got != `"big sale (80%)"` {
		t.Errorf("stopped in subtest %s", got)
	}
	d.call("continue", godap.ContinueArguments{}, nil)
	if code := d.end(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	out := d.output(&d.stdout)
	contains(t, out, "--- FAIL: TestDiscount/big_sale_(80%)", "= -50, want 40")
	if strings.Contains(out, "TestOther") {
		t.Errorf("another test ran:\n%s", out)
	}
}

func TestAttachByPID(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "service")
	program := exec.Command(p.Build("."))
	out, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { program.Process.Kill(); program.Wait() })
	if _, err := out.Read(make([]byte, 8)); err != nil {
		t.Fatal(err)
	}
	planned := plan(t, adapters.Request{PID: program.Process.Pid, Workspace: p.Dir})
	if planned.Mode != adapters.Attach || !planned.Detach || planned.Streams != nil {
		t.Errorf("planned %+v", planned)
	}
	d := launch(t, planned)
	d.breakAt(filepath.Join(p.Dir, "main.go"), p.Line("handle"))
	d.run()
	if frame := d.userFrame(d.stop().ThreadID); frame.Name != "main.(*service).handle" {
		t.Errorf("stopped in %s", frame.Name)
	}
	d.call("disconnect", godap.DisconnectArguments{}, nil)
	<-d.peer.Done
	if err := program.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the program has gone with its debugger: %v", err)
	}
}

func TestAttachToNobody(t *testing.T) {
	t.Parallel()
	d := open(t, plan(t, adapters.Request{PID: 4_194_303, Mode: adapters.Attach}))
	message, hint := d.refuse(d.plan.Request, d.plan.Arguments)
	if message != "there is no such process" || hint == "" {
		t.Errorf("%q, %q", message, hint)
	}
}

// A client that goes away takes the program with it.
func TestTheProgramEndsWithTheClient(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "endless")
	d := launch(t, plan(t, adapters.Request{Target: ".", Workspace: p.Dir}))
	d.run()
	d.Close()
	<-d.peer.Done
	d.drained.Wait() // its streams have ended
	if entries, _ := filepath.Glob(filepath.Dir(d.plan.Arguments.(wire.Start).Program)); len(entries) != 0 {
		t.Errorf("scratch is left: %v", entries)
	}
}

func TestDisconnectEndsAProgramThatRuns(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "endless")
	d := launch(t, plan(t, adapters.Request{Target: ".", Workspace: p.Dir}))
	d.run()
	d.call("disconnect", godap.DisconnectArguments{TerminateDebuggee: true}, nil)
	<-d.peer.Done
}

func TestSignalsThatEndTheProgram(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "signals")
	d := launch(t, plan(t, adapters.Request{Target: ".", Workspace: p.Dir, Args: []string{"kill"}}))
	d.run()
	if got := d.plan.Dialect.Signal(d.end()); got != "SIGKILL (killed)" {
		t.Errorf("ended by %q", got)
	}
}

func TestUnknownGoVersion(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "exit0")
	bin := p.Build(".", "-ldflags=-compressdwarf=false")
	fake(t, bin)
	r := adapters.Request{Target: bin, Workspace: p.Dir}
	d := open(t, plan(t, r))
	message, hint := d.refuse("launch", d.plan.Arguments)
	contains(t, message, "Go 1.99", "knows Go 1.")
	contains(t, hint, "checkGoVersion")

	r.Options = []byte(`{"check_go_version": false}`)
	launch(t, plan(t, r)).run()
}

// fake makes a binary look as if a Go of the far future had built it.
func fake(t *testing.T, bin string) {
	t.Helper()
	text, err := os.ReadFile(bin)
	if err != nil {
		t.Fatal(err)
	}
	now := runtime.Version()
	future := "go1.99" + now[len("go1.99"):]
	if err := os.WriteFile(bin, bytes.ReplaceAll(text, []byte(now), []byte(future)), 0o755); err != nil {
		t.Fatal(err)
	}
}
