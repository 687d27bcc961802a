package delve

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/wire"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/dap"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/testkit"
)

func TestCompileErrors(t *testing.T) {
	t.Parallel()
	got := parseCompileErrors(`# example.org/app/cmd/app
cmd/app/main.go:7:9: undefined: missing
./größe mit Platz.go:12:3: cannot use x (variable of type int) as string value in argument to f:
	need conversion
/usr/lib/x.go:3: no column
go.mod:5: unknown directive: requier
C:\work\a.go:1:2: syntax error
cmd/app/main.go:9:1: too many errors
not a position: at all
`, filepath.Base)
	want := []prepare.CompileError{
		{File: "main.go", Line: 7, Column: 9, Message: "undefined: missing"},
		{File: "größe mit Platz.go", Line: 12, Column: 3, Message: "cannot use x (variable of type int) as string value in argument to f: need conversion"},
		{File: "x.go", Line: 3, Message: "no column"},
		{File: "go.mod", Line: 5, Message: "unknown directive: requier"},
		{File: `C:\work\a.go`, Line: 1, Column: 2, Message: "syntax error"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestBuildFailure(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "broken")
	f := refused(t, adapters.Request{Target: ".", Workspace: p.Dir}, fault.BuildFailed)
	details, ok := f.Details.(prepare.BuildDetails)
	if !ok || len(details.Errors) != 2 || details.Errors[0].File != "main.go" || details.Errors[1].Line != p.Line("undefined") {
		t.Errorf("details %+v", f.Details)
	}
	contains(t, f.Message, p.At("main.go", "mismatch"), "undefined: missing")
}

func TestMissingDependency(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "")
	p.Write("go.mod", "module app\n\ngo 1.25\n")
	p.Write("main.go", "package main\n\nimport _ \"example.org/nowhere\"\n\nfunc main() {}\n")
	f := refused(t, adapters.Request{Target: ".", Workspace: p.Dir, Env: map[string]string{"GOFLAGS": "-mod=mod", "GOPROXY": "off"}}, fault.BuildFailed)
	contains(t, f.Message, "example.org/nowhere")
}

func TestTestPattern(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"TestParse":                `^TestParse$`,
		"TestParse/empty input":    `^TestParse$/^empty_input$`,
		"TestParse/a(b)[c]*/x.y":   `^TestParse$/^a\(b\)\[c\]\*$/^x\.y$`,
		"TestParse/Verkauf ü\x01":  `^TestParse$/^Verkauf_ü\\x01$`,
		"TestParse/big_sale_(80%)": `^TestParse$/^big_sale_\(80%\)$`,
		"Test(A|B)":                `Test(A|B)`,
		".":                        `.`,
	} {
		if got := testPattern(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

func TestTestArguments(t *testing.T) {
	t.Parallel()
	j := job{Request: adapters.Request{Test: "BenchmarkX", Args: []string{"-short", "--timeout=5s", "-update", "file"}}}
	want := []string{"-test.v", "-test.count=1", "-test.run=^$", "-test.bench=^BenchmarkX$", "-test.short", "-test.timeout=5s", "-update", "file"}
	if diff := cmp.Diff(want, j.testArgs()); diff != "" {
		t.Error(diff)
	}
}

func TestBuildArguments(t *testing.T) {
	t.Parallel()
	got := splitFlags([]string{"-tags integration,linux -race", "-ldflags=-X main.v=1 -s", `-ldflags "-X main.name=a b"`, "plain words"})
	want := []string{"-tags", "integration,linux", "-race", "-ldflags=-X main.v=1 -s", "-ldflags", "-X main.name=a b", "plain words"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if tags := tagsOf(got, "-tags=old -mod=mod"); !slices.Equal(tags, []string{"integration", "linux"}) {
		t.Errorf("tags %v", tags)
	}
	if tags := tagsOf([]string{"--tags=a b"}, ""); !slices.Equal(tags, []string{"a", "b"}) {
		t.Errorf("tags %v", tags)
	}
}

func TestOverlay(t *testing.T) {
	t.Parallel()
	got := prepare.Overlay([]string{"A=1", "B=2", "A=3"}, map[string]string{"A": "x=y", "C": ""})
	if want := []string{"B=2", "A=x=y", "C="}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestExpression(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string]string{
		"count * 2":                 "count * 2",
		"len(xs) + cap(ys[1:])":     "len(xs) + cap(ys[1:])",
		"string(b)":                 "string(b)",
		"[]byte(s)":                 "[]byte(s)",
		"(*T)(unsafe.Pointer(p))":   "(*T)(unsafe.Pointer(p))",
		"float64(n)/4":              "float64(n)/4",
		"double(21)":                "call double(21)",
		"p.Sum() + 1":               "call p.Sum() + 1",
		"xs[f(1)]":                  "call xs[f(1)]",
		"strings.ToUpper(s)":        "call strings.ToUpper(s)",
		"x.(fmt.Stringer).String()": "call x.(fmt.Stringer).String()",
		" call f(x)":                "call f(x)",
		"dlv config -list":          "dlv config -list",
		"count +":                   "count +",
		"calls":                     "calls",
	} {
		if got, _ := (&dialect{}).Expression(expr); got != want {
			t.Errorf("%q: %q, want %q", expr, got, want)
		}
	}
}

func TestStopped(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		body godap.StoppedEventBody
		want adapters.Stop
	}{
		{"breakpoint", godap.StoppedEventBody{Reason: "breakpoint", ThreadId: 1, HitBreakpointIds: []int{3}},
			adapters.Stop{Reason: "breakpoint", ThreadID: 1, HasThread: true, Hit: []int{3}}},
		{"pause without a thread", godap.StoppedEventBody{Reason: "pause"}, adapters.Stop{Reason: "pause"}},
		{"panic", godap.StoppedEventBody{Reason: "exception", Description: "panic", Text: `"boom"`, ThreadId: 1, HitBreakpointIds: []int{-1}},
			adapters.Stop{Reason: "exception", Description: "panic", Text: "boom", ThreadID: 1, HasThread: true}},
		{"panic with a pointer", godap.StoppedEventBody{Reason: "exception", Description: "panic", Text: "824634449952", ThreadId: 1, HitBreakpointIds: []int{-1}},
			adapters.Stop{Reason: "exception", Description: "panic", ThreadID: 1, HasThread: true}},
		{"interrupted step", godap.StoppedEventBody{Reason: "exception", Description: "invalid command",
			Text: "Unable to step while the previous step is interrupted by a breakpoint. Use 'Continue' to resume the original step command.", ThreadId: 1},
			adapters.Stop{Reason: "exception", Description: "invalid command", Resume: true, ThreadID: 1, HasThread: true,
				Text: "Unable to step while the previous step is interrupted by a breakpoint. Use 'Continue' to resume the original step command."}},
		{"condition", godap.StoppedEventBody{Reason: "exception", Description: "runtime error", Text: "error evaluating expression: nosuch", ThreadId: 1},
			adapters.Stop{Reason: "error", Description: "runtime error", Text: "error evaluating expression: nosuch", Error: "nosuch", Unjudged: true, ThreadID: 1, HasThread: true}},
		{"failed step", godap.StoppedEventBody{Reason: "error", Text: "unknown goroutine 99"},
			adapters.Stop{Reason: "error", Text: "unknown goroutine 99", Error: "unknown goroutine 99"}},
		{"call interrupted by pause", godap.StoppedEventBody{Reason: "manual", ThreadId: 4}, adapters.Stop{Reason: "pause", ThreadID: 4, HasThread: true}},
		{"every panic", godap.StoppedEventBody{Reason: "breakpoint", ThreadId: 4, HitBreakpointIds: []int{wire.EveryPanicID}},
			adapters.Stop{Reason: "exception", Description: "panic", ThreadID: 4, HasThread: true}},
	} {
		if diff := cmp.Diff(tt.want, (&dialect{}).Stopped(tt.body)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string]string{
		"Unable to evaluate expression: could not find symbol value for nosuch":       "there is no nosuch here",
		"Unable to produce stack trace: unknown goroutine 99":                         "there is no goroutine 99",
		"could not find statement at /a b/c.go:3, please use a line with a statement": "there is no code on that line",
		`location "main.nofunc" not found`:                                            "the program has no function main.nofunc",
		"Failed to attach: could not attach to pid 1: operation not permitted":        "the system does not allow it (operation not permitted)",
		"Unable to evaluate expression: 1:8: expected operand, found 'EOF'":           "1:8: expected operand, found 'EOF'",
		"something that nobody foresaw":                                               "something that nobody foresaw",
	} {
		if got, _ := (&dialect{}).Fault("evaluate", &dap.RequestError{Command: "evaluate", Message: reason}); got != want {
			t.Errorf("%q: %q, want %q", reason, got, want)
		}
	}
}

func TestTidyNames(t *testing.T) {
	t.Parallel()
	d := &dialect{}
	for name, want := range map[string]string{
		"* [Go 7] main.worker (Thread 23890)": "main.worker",
		"[Go 1 kind:x req:42] main.f":         "main.f",
		"[Go 3] runtime.gopark":               "runtime.gopark",
		"Dummy":                               "Dummy",
	} {
		if got := d.ThreadName(godap.Thread{Name: name}); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
	got := d.Variables("", []godap.Variable{
		{Name: "", Value: "main.T {}"},
		{Name: "~r0", Value: "3"},
		{Name: "len()", Value: "2", EvaluateName: "len(m)"},
		{Name: "n", Value: "5 = 0x5", Type: "uint"},
		{Name: "p", Value: "16 = 0x10", Type: "uintptr"},
		{Name: "s", Value: `"5 = 0x5"`, Type: "string"},
		{Name: "t", Value: "*testing.T {common: testing.common {}}", Type: "*testing.T"},
	})
	want := []godap.Variable{
		{Name: "*", Value: "main.T {}"},
		{Name: "result 1", Value: "3"},
		{Name: "n", Value: "5", Type: "uint"},
		{Name: "p", Value: "0x10", Type: "uintptr"},
		{Name: "s", Value: `"5 = 0x5"`, Type: "string"},
		{Name: "t", Value: "*testing.T {...}", Type: "*testing.T"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := d.Variables("Locals (warning: optimized function)", []godap.Variable{{Name: "~r0"}, {Name: "n"}}); len(got) != 1 || got[0].Name != "n" {
		t.Errorf("locals with a nameless result: %v", got)
	}
	if got := d.Signal(3); got != "" {
		t.Errorf("exit code 3 is the signal %q", got)
	}
}

func TestRange(t *testing.T) {
	t.Parallel()
	for typ, want := range map[string]string{
		"[]int": "(x)[10:35]", "[100]int": "(x)[10:35]", "string": "(x)[10:35]", "main.list": "(x)[10:35]",
		"map[string]int": "(x)[10:]", "*main.T": "", "chan int": "",
	} {
		if got := (&dialect{}).Range("x", typ, 10, 25); got != want {
			t.Errorf("%s: %q", typ, got)
		}
	}
}

func TestWait(t *testing.T) {
	t.Parallel()
	at := func(function, file string) godap.StackFrame {
		return godap.StackFrame{Name: function, Source: &godap.Source{Path: file}}
	}
	frames := []godap.StackFrame{
		at("runtime.gopark", "/usr/local/go/src/runtime/proc.go"),
		at("runtime.semacquire1", "/usr/local/go/src/runtime/sema.go"),
		at("sync.(*Mutex).Lock", "/usr/local/go/src/sync/mutex.go"),
		at("main.work", "/home/me/main.go"),
		at("sync.(*WaitGroup).Wait", "/usr/local/go/src/sync/waitgroup.go"),
	}
	if got := (&dialect{}).Wait(frames); got != "sync.Mutex.Lock" {
		t.Errorf("waits for %q", got)
	}
	if got := (&dialect{}).Wait(frames[3:]); got != "" {
		t.Errorf("a running goroutine waits for %q", got)
	}
}
