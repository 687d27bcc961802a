//go:build linux

package test

import (
	"testing"

	"aidb-mcp/internal/testkit"
)

func TestPanic(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		program, mark, function, kind, message, local string
	}{
		{"averages", "divide", "main.mean", "panic", "integer divide by zero", "marks"},
		{"nilderef", "deref", "main.greet", "", "nil pointer dereference", "id"},
		{"custompanic", "panic", "main.ship", "panic", "out of stock", "missing"},
		{"mapwrite", "", "main.fill", "fatal error", "concurrent map writes", "worker"},
	} {
		t.Run(tt.program, func(t *testing.T) {
			t.Parallel()
			s, p := testkit.Open(t, tt.program)
			r := s.OK("session_start", A{"target": "."}).Want("stopped_at_exception", "data", "execution_state", "status")
			r.Want(tt.function, "data", "function").Contains([]string{"data", "exception", "message"}, tt.message)
			r.Contains([]string{"data", "exception", "type"}, tt.kind).Contains([]string{"summary"}, tt.message)
			if tt.mark != "" {
				r.Want(p.At("main.go", tt.mark), "data", "location")
			}
			if r.At("data", "locals", tt.local) == "" {
				t.Errorf("no local %s of the user's frame:\n%s", tt.local, r)
			}
			// inspect means the same frame as the stop view does.
			s.OK("inspect", A{"expression": tt.local})
			s.OK("inspect", A{"target": "exception"}).Contains([]string{"data", "exception", "message"}, tt.message)
			end := s.OK("execute", nil).Want("terminated", "data", "execution_state", "status")
			end.Want("2", "data", "execution_state", "exit_code").Contains([]string{"data", "output", "stderr"}, tt.message)
		})
	}
}

func TestExceptionsNone(t *testing.T) {
	t.Parallel()
	s, _ := testkit.Open(t, "averages")
	s.OK("session_start", A{"target": ".", "exceptions": "none"}).
		Want("terminated", "data", "execution_state", "status").Want("2", "data", "execution_state", "exit_code")
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"target": ".", "exceptions": []string{"uncought"}}).Has("uncought", "uncaught")
}

// "all" stops at a panic that is recovered, too.
func TestExceptionsAll(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "custompanic")
	s.OK("session_start", A{"target": ".", "exceptions": "all"}).
		Stopped("stopped_at_exception", p.At("main.go", "handled")).Has("handled")
	// Breakpoints that are set meanwhile are breakpoints, also when the choice changes to and fro.
	s.OK("breakpoint", A{"location": p.At("main.go", "ship")})
	s.OK("breakpoint", A{"exceptions": "none"})
	s.OK("breakpoint", A{"exceptions": "all"})
	s.OK("breakpoint", A{"location": p.At("main.go", "missing")})
	s.OK("execute", nil).Stopped("stopped_at_breakpoint", p.At("main.go", "missing")).Want("[2]", "data", "execution_state", "hit_breakpoints")
	s.OK("execute", nil).Stopped("stopped_at_breakpoint", p.At("main.go", "ship")).Want("[1]", "data", "execution_state", "hit_breakpoints")
	s.OK("breakpoint", A{"action": "clear_all"})
	s.OK("execute", nil).Stopped("stopped_at_exception", p.At("main.go", "panic"))
}

func TestDeadlock(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "deadlock")
	r := s.OK("session_start", A{"target": "."}).Want("stopped_at_exception", "data", "execution_state", "status")
	r.Contains([]string{"data", "exception", "message"}, "all goroutines are asleep")
	r.Contains([]string{"data", "location"}, "main.go:") // the user's frame
	threads := s.OK("inspect", A{"target": "threads"})
	threads.Has(p.At("main.go", "second-lock"), "sync.Mutex.Lock", p.At("main.go", "wait"))
	s.OK("execute", nil).Want("terminated", "data", "execution_state", "status").Want("2", "data", "execution_state", "exit_code")
}

func TestSignals(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ arg, signal string }{{"term", "terminated"}, {"kill", "killed"}} {
		t.Run(tt.arg, func(t *testing.T) {
			t.Parallel()
			s, _ := testkit.Open(t, "signals")
			r := s.OK("session_start", A{"target": ".", "args": []string{tt.arg}})
			if r.Status() != "terminated" {
				r = s.OK("execute", nil)
			}
			r.Want("terminated", "data", "execution_state", "status").Contains([]string{"data", "execution_state", "signal"}, tt.signal)
		})
	}
	t.Run("handled", func(t *testing.T) {
		t.Parallel()
		s, _ := testkit.Open(t, "signals")
		s.OK("session_start", A{"target": ".", "args": []string{"handled"}}).
			Want("terminated", "data", "execution_state", "status").Want("0", "data", "execution_state", "exit_code").
			Has("handled user defined signal 1")
	})
	t.Run("segv", func(t *testing.T) {
		t.Parallel()
		s, _ := testkit.Open(t, "signals")
		r := s.OK("session_start", A{"target": ".", "args": []string{"segv"}})
		r.Has("SIGSEGV")
		if r.Status() == "stopped_at_exception" {
			r.Contains([]string{"data", "location"}, "main.go:")
			s.OK("execute", nil).Want("terminated", "data", "execution_state", "status")
		}
	})
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	s, _ := testkit.Open(t, "exit3")
	r := s.OK("session_start", A{"target": "."}).Want("terminated", "data", "execution_state", "status")
	r.Want("3", "data", "execution_state", "exit_code")
	r.Want("out 0\nout 1\nout 2\nno newline at the end", "data", "output", "stdout")
	r.Want("err 0\nerr 1\nerr 2\n", "data", "output", "stderr")
	s.Fail("SESSION_TERMINATED", "execute", nil)
	s.Fail("SESSION_TERMINATED", "inspect", nil)
	s.OK("inspect", A{"target": "output"}).Has("out 2", "err 2") // still to be read
	s.OK("session", nil).Want("terminated", "data", "execution_state", "status")
	s.OK("session", A{"action": "cleanup"}).Has("go-1")
	s.Fail("SESSION_NOT_STARTED", "session", nil)
}
