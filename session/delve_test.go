package session_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve"
	"aidb-mcp/dap"
	"aidb-mcp/internal/fault"
	"aidb-mcp/session"
	"aidb-mcp/session/output"
	"aidb-mcp/session/stopped"
)

const wait = 60 * time.Second

var limits = session.Limits{Request: 3 * time.Second}

// open debugs a program of one file with the real Delve.
func open(t *testing.T, text string, r session.StartRequest) (*session.Session, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "go.mod", "module app\n\ngo 1.25\n")
	write(t, dir, "main.go", text)
	var wire bytes.Buffer // read when nobody writes any more
	m := session.NewManager(session.Options{
		Registry: adapters.NewRegistry(delve.New(delve.Options{})), Limits: limits,
		Trace: dap.NewTracer(&wire, nil),
	})
	t.Cleanup(func() {
		m.Close(context.WithoutCancel(t.Context()))
		if t.Failed() {
			t.Logf("what Delve was asked and has answered:\n%s", wire.String())
		}
	})
	r.Program.Workspace = dir
	if r.Program.Target == "" && r.Program.PID == 0 {
		r.Program.Target = "."
	}
	s, err := m.Open(r)
	if err != nil {
		t.Fatal(err)
	}
	return s, dir
}

// stoppedProgram is the program at the current stop.
func stoppedProgram(t *testing.T, s *session.Session) *stopped.Program {
	t.Helper()
	p := s.Stopped()
	if err := p.Err(); err != nil {
		t.Fatal(err)
	}
	return p
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// at waits for a stop and checks its status and line.
func at(t *testing.T, s *session.Session, status session.Status, line int) *session.View {
	t.Helper()
	st, err := s.Wait(t.Context(), wait)
	if err != nil || st.Status != status {
		t.Fatalf("state %+v, error %v, wanted %s", st, err, status)
	}
	v, err := s.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if line > 0 && (v.Frame == nil || v.Frame.Line != line) {
		t.Fatalf("frame %+v, wanted line %d; top %+v", v.Frame, line, v.Top)
	}
	return v
}

const calc = `package main

import "fmt"

type point struct{ X, Y int }

func add(a, b int) int {
	sum := a + b
	return sum
}

func main() {
	big := make([]int, 1_000_000)
	big[999_999] = 7
	p := &point{1, 2}
	for i := range 3 {
		p.X = add(p.X, i)
		fmt.Println("x is", p.X)
	}
	var nothing []int
	fmt.Println(nothing[p.X], big)
}
`

func TestDelveFromBreakpointToPanic(t *testing.T) {
	s, _ := open(t, calc, session.StartRequest{Break: []session.BreakpointSpec{{File: "main.go", Line: 8}}})
	v := at(t, s, session.StoppedBreakpoint, 8)
	if len(v.State.Hit) != 1 || v.Frame.Function != "main.add" || v.LocalsTotal < 2 {
		t.Errorf("view %+v", v)
	}
	x, err := stoppedProgram(t, s).Evaluate(t.Context(), "a + b", 0, 0, session.Page{})
	if err != nil || x.Value != "1" {
		t.Errorf("a + b: %+v, %v", x, err)
	}
	big, err := stoppedProgram(t, s).Evaluate(t.Context(), "big", 0, 1, session.Page{Start: 999_998, Count: 5})
	if err != nil || big.ChildTotal != 1_000_000 || len(big.Children) != 2 || big.Children[1].Value != "7" {
		t.Errorf("big: %+v, %v", big, err)
	}
	if _, err := s.Step(t.Context(), session.StepOptions{}, wait); err != nil {
		t.Fatal(err)
	}
	v = at(t, s, session.StoppedStep, 9)
	if !v.SameFrame || len(v.Changed) == 0 {
		t.Errorf("after the step: same frame %v, changed %+v", v.SameFrame, v.Changed)
	}
	if _, err := s.Step(t.Context(), session.StepOptions{Action: "out"}, wait); err != nil {
		t.Fatal(err)
	}
	v = at(t, s, session.StoppedStep, 17)
	if len(v.Returned) != 1 || v.Returned[0].Value != "1" {
		t.Errorf("returned %+v", v.Returned)
	}
	old, now, err := stoppedProgram(t, s).Assign(t.Context(), "p.Y", "42", 0, 0)
	if err != nil || old.Value != "2" || now.Value != "42" {
		t.Errorf("p.Y: %+v then %+v, %v", old, now, err)
	}
	if _, err := s.EnableBreakpoints(t.Context(), []int{1}, false); err != nil {
		t.Fatal(err)
	}
	st, reached, err := s.RunUntil(t.Context(), []string{"main.go:18"}, "i == 1", wait)
	if err != nil || reached != "main.go:18" || st.Status != session.StoppedBreakpoint {
		t.Errorf("run until: %+v, %q, %v", st, reached, err)
	}
	v, err = s.View(t.Context())
	if err != nil || v.Output.Stdout.Text != "x is 1\n" {
		t.Errorf("output at the stop: %+v, %v", v.Output, err)
	}
	if err := s.Continue(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	v = at(t, s, session.StoppedException, 21)
	if v.Exception == nil || !strings.Contains(v.Exception.Message, "index out of range") || v.Top == nil {
		t.Errorf("exception %+v, top %+v", v.Exception, v.Top)
	}
	if v.Output.Stdout.Text != "x is 2\nx is 4\n" {
		t.Errorf("output %+v", v.Output)
	}
	st, err = s.Stop(t.Context(), true)
	if err != nil || st.Status != session.Terminated {
		t.Errorf("stopped: %+v, %v", st, err)
	}
}

func TestDelveEndsWithCodeAndSignal(t *testing.T) {
	text := `package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Println("out")
	fmt.Fprintln(os.Stderr, "err")
	os.Exit(3)
}
`
	s, _ := open(t, text, session.StartRequest{})
	v := at(t, s, session.Terminated, 0)
	if v.State.ExitCode == nil || *v.State.ExitCode != 3 || v.Output.Stdout.Text != "out\n" || v.Output.Stderr.Text != "err\n" {
		t.Errorf("state %+v, output %+v", v.State, v.Output)
	}
}

const endless = `package main

import "os"

var n int

func forever() int {
	for {
		n++
	}
}

func boom() int { panic("no") }

func calm(x int) int {
	return x + 1
}

func main() {
	println("go", len(os.Args) > 9 && calm(boom()) > 1)
	forever()
}
`

func TestDelveInAnEndlessLoop(t *testing.T) {
	s, _ := open(t, endless, session.StartRequest{})
	st, err := s.Wait(t.Context(), 0)
	if err != nil || st.Status != session.Starting {
		t.Errorf("at first: %+v, %v", st, err)
	}
	for len(s.ReadOutput(output.Stderr, output.Page{Count: 1}).Lines) == 0 { // main has begun
		if _, err := s.Wait(t.Context(), 100*time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	b, err := s.SetBreakpoint(t.Context(), session.BreakpointSpec{File: "main.go", Line: 2})
	if err != nil || b.Verified || !strings.Contains(b.Message, "blank") {
		t.Errorf("blank line while running: %+v, %v", b, err)
	}
	if st := s.State(); st.Status != session.Running {
		t.Errorf("setting a breakpoint changed the state: %+v", st)
	}
	if err := s.Pause(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	v := at(t, s, session.Paused, 0)
	if v.Frame.Function != "main.forever" {
		t.Errorf("paused in %+v", v.Frame)
	}
	if b, err = s.SetBreakpoint(t.Context(), session.BreakpointSpec{File: "main.go", Line: 2}); err != nil || len(b.Nearest) == 0 {
		t.Errorf("blank line at a stop: %+v, %v", b, err)
	}
	b, err = s.SetBreakpoint(t.Context(), session.BreakpointSpec{File: "main.go", Line: 9, Condition: "n >"})
	if !fault.Is(err, fault.Breakpoint) {
		t.Errorf("a bad condition: %+v %v", b, err)
	}
	b, err = s.SetBreakpoint(t.Context(), session.BreakpointSpec{Function: "main.forver"})
	if err != nil || b.Verified || len(b.Similar) == 0 {
		t.Errorf("an unknown function: %+v, %v", b, err)
	}
	if err := s.Continue(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if st, err := s.Stop(t.Context(), true); err != nil || st.Status != session.Terminated {
		t.Errorf("stop: %+v, %v", st, err)
	}
}

func TestDelveCallsInExpressions(t *testing.T) {
	s, _ := open(t, endless, session.StartRequest{Break: []session.BreakpointSpec{{File: "main.go", Line: 20}, {File: "main.go", Line: 16}}})
	at(t, s, session.StoppedBreakpoint, 20)
	_, err := stoppedProgram(t, s).Evaluate(t.Context(), "calm(1)", 0, 0, session.Page{})
	if !fault.Is(err, fault.Evaluation) || !strings.Contains(err.Error(), "breakpoint 2") {
		t.Errorf("a call into a breakpoint: %v", err)
	}
	at(t, s, session.StoppedBreakpoint, 16)
	if err := s.RemoveBreakpoints(t.Context(), []int{2}); err != nil {
		t.Fatal(err)
	}
	if err := s.Continue(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if st, err := s.Wait(t.Context(), wait); err != nil || !st.Status.Stopped() {
		t.Fatalf("after the call went on: %+v, %v", st, err)
	}
	x, err := stoppedProgram(t, s).Evaluate(t.Context(), "calm(1)", 0, 0, session.Page{})
	if err != nil || x.Value != "2" {
		t.Errorf("calm: %+v, %v", x, err)
	}
	_, err = stoppedProgram(t, s).Evaluate(t.Context(), "boom()", 0, 0, session.Page{})
	if !fault.Is(err, fault.Evaluation) || !strings.Contains(err.Error(), "panicked") {
		t.Errorf("boom: %v", err)
	}
	_, err = stoppedProgram(t, s).Evaluate(t.Context(), "forever()", 0, 0, session.Page{})
	if !fault.Is(err, fault.Evaluation) || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("forever: %v", err)
	}
	if st := s.State(); st.Status != session.Paused {
		t.Errorf("state %+v", st)
	}
}

func TestDelveAttach(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "go.mod", "module app\n\ngo 1.25\n")
	write(t, dir, "main.go", endless)
	bin := filepath.Join(dir, "app")
	build := exec.Command("go", "build", "-gcflags=all=-N -l", "-o", bin, ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	app := exec.Command(bin)
	if err := app.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = app.Process.Kill(); _ = app.Wait() }()
	s, _ := open(t, endless, session.StartRequest{Program: adapters.Request{Mode: adapters.Attach, PID: app.Process.Pid}})
	for s.State().Status == session.Starting {
		if _, err := s.Wait(t.Context(), 100*time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Pause(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if v := at(t, s, session.Paused, 0); v.Frame.Function != "main.forever" {
		t.Errorf("frame %+v", v.Frame)
	}
	if _, err := s.Stop(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if err := app.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the program did not survive: %v", err)
	}
}

func TestDelveAFloodOfOutput(t *testing.T) {
	text := `package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

func main() {
	w := bufio.NewWriterSize(os.Stdout, 1<<16)
	line := strings.Repeat("x", 1023)
	for range 100 << 10 {
		fmt.Fprintln(w, line)
	}
	fmt.Fprintln(w, "the end")
	w.Flush()
}
`
	s, _ := open(t, text, session.StartRequest{})
	v := at(t, s, session.Terminated, 0)
	if !strings.HasSuffix(v.Output.Stdout.Text, "the end\n") || v.Output.Stdout.Lost+v.Output.Stdout.Cut+len(v.Output.Stdout.Text) != 100<<20+8 {
		t.Errorf("tail %q, dropped %d", v.Output.Stdout.Text[max(0, len(v.Output.Stdout.Text)-20):], v.Output.Stdout.Lost+v.Output.Stdout.Cut)
	}
}

func TestDelveWatchEndsWithItsVariable(t *testing.T) {
	s, _ := open(t, calc, session.StartRequest{Break: []session.BreakpointSpec{{File: "main.go", Line: 8}, {File: "main.go", Line: 18}}})
	at(t, s, session.StoppedBreakpoint, 8)
	w, err := s.Watch(t.Context(), "sum", "write", "", "")
	if fault.Is(err, fault.Breakpoint) { // it is declared on this very line
		if _, err := s.Step(t.Context(), session.StepOptions{}, wait); err != nil {
			t.Fatal(err)
		}
		w, err = s.Watch(t.Context(), "sum", "write", "", "")
	}
	if err != nil || !w.Verified {
		t.Fatalf("%+v, %v", w, err)
	}
	if _, err := s.EnableBreakpoints(t.Context(), []int{1}, false); err != nil {
		t.Fatal(err)
	}
	for n := range 2 {
		if err := s.Continue(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		v := at(t, s, session.StoppedBreakpoint, 18)
		switch told := len(v.Breakpoints) > 0; {
		case told != (n == 0): // it is told once
			t.Errorf("stop %d: breakpoints %+v", n, v.Breakpoints)
		case told && !strings.Contains(v.Breakpoints[0].Message, "out of scope"):
			t.Errorf("message %q", v.Breakpoints[0].Message)
		}
	}
}

func TestDelveRunsToAFunctionThatHasABreakpoint(t *testing.T) {
	r := session.StartRequest{Break: []session.BreakpointSpec{{File: "main.go", Line: 7}}}
	r.Program.StopOnEntry = true
	s, _ := open(t, calc, r)
	at(t, s, session.StoppedEntry, 12)
	st, reached, err := s.RunUntil(t.Context(), []string{"main.add"}, "", wait)
	if err != nil || reached != "main.add" || len(st.Hit) != 1 {
		t.Errorf("%+v, %q, %v", st, reached, err)
	}
	if b := s.Breakpoints(); len(b) != 1 || !b[0].Verified {
		t.Errorf("breakpoints %+v", b)
	}
	if _, err := s.Step(t.Context(), session.StepOptions{Action: "out"}, wait); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Step(t.Context(), session.StepOptions{Count: 3}, wait); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Step(t.Context(), session.StepOptions{Into: "add"}, wait); err != nil {
		t.Fatal(err)
	}
	if v := at(t, s, s.State().Status, 0); v.Frame.Function != "main.add" {
		t.Errorf("stepped into %+v", v.Frame)
	}
}
