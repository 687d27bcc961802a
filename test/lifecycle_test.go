//go:build linux

package test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// children are the processes of a session: all that descends from the server.
func children(s *testkit.Server) func() []testkit.Proc {
	return func() []testkit.Proc { return testkit.Descendants(s.PID()) }
}

// findProc is the process among the server's descendants whose command line contains text.
func findProc(t *testing.T, s *testkit.Server, text string) testkit.Proc {
	t.Helper()
	var found testkit.Proc
	testkit.Eventually(t, 20*time.Second, "a process of "+text, func() bool {
		for _, p := range testkit.Descendants(s.PID()) {
			if strings.Contains(p.Command, text) && !strings.Contains(p.Command, "supervise") {
				found = p
				return true
			}
		}
		return false
	})
	return found
}

// debuggee is the program's own process: what runs below dap-go.
func debuggee(t *testing.T, s *testkit.Server) testkit.Proc {
	t.Helper()
	adapter := findProc(t, s, "dap-go")
	var program testkit.Proc
	testkit.Eventually(t, 10*time.Second, "the program's process", func() bool {
		for _, p := range testkit.Descendants(adapter.PID) {
			program = p
		}
		return program.PID != 0
	})
	return program
}

// How a session is brought into each state in which it may be stopped.
var states = []struct {
	name, program string
	begin         func(t *testing.T, s *testkit.Server, p *testkit.Program)
}{
	{"at a breakpoint", "endless", func(_ *testing.T, s *testkit.Server, p *testkit.Program) {
		s.OK("session_start", A{"target": ".", "breakpoints": p.BreakAt("count")})
	}},
	{"running", "endless", func(t *testing.T, s *testkit.Server, _ *testkit.Program) {
		s.Spin(t)
	}},
	{"with children", "fork", func(_ *testing.T, s *testkit.Server, p *testkit.Program) {
		r := s.OK("session_start", A{"target": ".", "breakpoints": p.BreakAt("forked")})
		r.Has("hello from a child")
	}},
	{"with children, running", "fork", func(_ *testing.T, s *testkit.Server, p *testkit.Program) {
		s.OK("session_start", A{"target": ".", "breakpoints": p.BreakAt("forked")})
		s.OK("execute", A{"timeout_ms": 100})
	}},
	{"building", "averages", func(t *testing.T, s *testkit.Server, p *testkit.Program) {
		slowBuild(p)
		s.OK("session_start", A{"target": ".", "timeout_ms": 0}).Want("starting", "data", "execution_state", "status")
		findProc(t, s, "compile")
	}},
}

// slowBuild makes a program that takes long to compile and is in no cache.
func slowBuild(p *testkit.Program) {
	var text strings.Builder
	fmt.Fprintf(&text, "package main\n\n// %s\n", p.Dir)
	for i := range 2000 {
		fmt.Fprintf(&text, "func f%d(a, b, c int) int {\n", i)
		for j := range 60 {
			fmt.Fprintf(&text, "\tif a*%d > b { c += a %% (b+%d) } else { a, b = b+c, a^%d }\n", j, j+1, i+j)
		}
		text.WriteString("\treturn a + b + c\n}\n")
	}
	p.Write("slow.go", text.String())
}

// In whatever state a session is: stop ends every process of it, and the
// server goes on; so does a client that goes away; so does SIGKILL.
func TestNothingLeftBehind(t *testing.T) {
	t.Parallel()
	for i, state := range states {
		t.Run("stop "+state.name, func(t *testing.T) {
			t.Parallel()
			s, p := testkit.Open(t, state.program)
			state.begin(t, s, p)
			s.OK("session", A{"action": "stop"})
			testkit.NoneLeft(t, 15*time.Second, children(s))
			s.NothingLeft(15 * time.Second)
			s.OK("session_start", A{"target": testkit.NewProgram(t, "exit0").Dir}).Want("terminated", "data", "execution_state", "status")
		})
		t.Run("client goes away "+state.name, func(t *testing.T) {
			t.Parallel()
			if i == 0 || i == 2 || i == 4 {
				testkit.Long(t, "it ends as with SIGKILL")
			}
			s, p := testkit.Open(t, state.program)
			state.begin(t, s, p)
			go func() { _, _ = s.CallContext(context.Background(), "execute", A{"action": "wait"}) }()
			s.CloseInput()
			exitsWithin(t, s, 10*time.Second)
			s.NothingLeft(15 * time.Second)
		})
		t.Run("SIGKILL of the server "+state.name, func(t *testing.T) {
			t.Parallel()
			if i == 1 || i == 3 {
				testkit.Long(t, "it ends as where the client goes away")
			}
			s, p := testkit.Open(t, state.program)
			state.begin(t, s, p)
			s.Kill()
			s.NothingLeft(10 * time.Second)
		})
		t.Run("SIGTERM of the server "+state.name, func(t *testing.T) {
			t.Parallel()
			if i > 0 {
				testkit.Long(t, "it ends as where the client goes away")
			}
			s, p := testkit.Open(t, state.program)
			state.begin(t, s, p)
			s.Signal(syscall.SIGTERM)
			exitsWithin(t, s, 15*time.Second)
			s.NothingLeft(15 * time.Second)
		})
	}
}

func exitsWithin(t *testing.T, s *testkit.Server, limit time.Duration) {
	t.Helper()
	select {
	case <-s.Exited():
	case <-time.After(limit):
		t.Fatalf("the server still runs after %v\nits stderr:\n%s", limit, s.Stderr())
	}
}

// SIGTERM and SIGINT end the server at once, also while a call waits for a minute.
func TestSignalDuringAWait(t *testing.T) {
	for _, sig := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		t.Run(sig.String(), func(t *testing.T) {
			s, _ := testkit.Open(t, "endless")
			s.Spin(t)
			waiting := waitCall(s)
			s.Signal(sig)
			exitsWithin(t, s, 10*time.Second)
			<-waiting
			s.NothingLeft(15 * time.Second)
		})
	}
}

// waitCall starts a call that waits and returns when it is surely waiting; the
// channel is closed when the call has ended.
func waitCall(s *testkit.Server) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		_, _ = s.CallContext(context.Background(), "execute", A{"action": "wait", "timeout_ms": 60000})
		close(done)
	}()
	time.Sleep(300 * time.Millisecond)
	return done
}

// The adapter is killed: a true answer at once, and the next call works.
func TestAdapterKilled(t *testing.T) {
	t.Parallel()
	for _, state := range states[:2] {
		t.Run(state.name, func(t *testing.T) {
			t.Parallel()
			s, p := testkit.Open(t, state.program)
			state.begin(t, s, p)
			_ = syscall.Kill(findProc(t, s, "dap-go").PID, syscall.SIGKILL)
			testkit.NoneLeft(t, 15*time.Second, children(s))
			r := s.Call("execute", A{"action": "wait"})
			if r.Status() != "terminated" && r.At("error", "code") != "AIDB_ADAPTER_CRASHED" && r.At("error", "code") != "AIDB_SESSION_TERMINATED" {
				t.Errorf("neither ended nor crashed:\n%s", r)
			}
			s.OK("session_start", A{"target": ".", "breakpoints": p.BreakAt("count")}).Stopped("stopped_at_breakpoint", p.At("main.go", "count"))
		})
	}
	t.Run("while a call waits", func(t *testing.T) {
		t.Parallel()
		s, _ := testkit.Open(t, "endless")
		s.Spin(t)
		answer := make(chan testkit.Reply, 1)
		go func() { answer <- s.Call("execute", A{"action": "wait", "timeout_ms": 60000}) }()
		adapter := findProc(t, s, "dap-go")
		time.Sleep(200 * time.Millisecond)
		_ = syscall.Kill(adapter.PID, syscall.SIGKILL)
		select {
		case r := <-answer:
			if r.At("error", "code") != "AIDB_ADAPTER_CRASHED" && r.Status() != "terminated" {
				t.Errorf("got\n%s", r)
			}
		case <-time.After(10 * time.Second):
			t.Fatal("the call still waits for a dead adapter")
		}
		testkit.NoneLeft(t, 15*time.Second, children(s))
	})
}

// The program is killed from outside: it ended, by this signal.
func TestDebuggeeKilled(t *testing.T) {
	t.Parallel()
	for _, state := range states[:2] {
		t.Run(state.name, func(t *testing.T) {
			t.Parallel()
			s, p := testkit.Open(t, state.program)
			state.begin(t, s, p)
			_ = syscall.Kill(debuggee(t, s).PID, syscall.SIGKILL)
			action := "wait"
			if state.name == "at a breakpoint" {
				action = "continue"
			}
			r := s.Call("execute", A{"action": action})
			if r.Status() != "terminated" && r.At("error", "code") != "AIDB_SESSION_TERMINATED" {
				t.Errorf("got\n%s", r)
			}
			r.Has("killed")
			s.OK("session", A{"action": "restart", "timeout_ms": 1000}).Lacks("error")
			s.OK("session", A{"action": "stop"})
			testkit.NoneLeft(t, 15*time.Second, children(s))
		})
	}
}

// A cancelled call ends the wait and nothing else.
func TestCancelDuringAWait(t *testing.T) {
	t.Parallel()
	s, _ := testkit.Open(t, "endless")
	s.Spin(t)
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := s.CallContext(ctx, "execute", A{"action": "wait", "timeout_ms": 60000}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the cancelled call: %v", err)
	}
	s.OK("session", nil).Want("running", "data", "execution_state", "status")
	s.OK("execute", A{"action": "pause"}).Want("paused", "data", "execution_state", "status")
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("cancelling and pausing took %v", took)
	}
}

// A start that is cancelled while it builds leaves a session that can be waited for or stopped.
func TestCancelDuringABuild(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "averages")
	slowBuild(p)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for len(testkit.Descendants(s.PID())) == 0 && ctx.Err() == nil {
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
	}()
	if _, err := s.CallContext(ctx, "session_start", A{"target": "."}); !errors.Is(err, context.Canceled) {
		t.Errorf("the cancelled start: %v", err)
	}
	r := s.Call("session", nil)
	if !r.IsError {
		r.Want("starting", "data", "execution_state", "status")
		s.OK("session", A{"action": "stop"})
	}
	testkit.NoneLeft(t, 15*time.Second, children(s))
	s.NoScratch(15 * time.Second)
}

// The wait may end while it still builds; execute(wait) goes on.
func TestStartLongerThanTheWait(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "averages")
	r := s.OK("session_start", A{"target": ".", "timeout_ms": 0, "breakpoints": p.BreakAt("divide")})
	r.Want("starting", "data", "execution_state", "status").Contains([]string{"next_steps"}, "wait")
	s.OK("execute", A{"action": "wait"}).Stopped("stopped_at_breakpoint", p.At("main.go", "divide"))
}
