//go:build linux

package races

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// Twenty calls at once on one session: each gets a whole answer of its own.
func TestTwentyCallsAtOnce(t *testing.T) {
	t.Parallel()
	s, _ := testkit.OpenAt(t, "values", "shapes")
	var calls sync.WaitGroup
	for i := range 20 {
		calls.Go(func() {
			switch i % 4 {
			case 0:
				r := s.Call("inspect", A{"expression": fmt.Sprintf("total + %d", i)})
				if got, want := r.At("data", "result", "v"), fmt.Sprint(42+i); got != want {
					t.Errorf("got %q, want %s:\n%s", got, want, r)
				}
			case 1:
				if r := s.Call("inspect", A{"target": "stack"}); r.IsError {
					t.Errorf("stack:\n%s", r)
				}
			case 2:
				if r := s.Call("session", nil); r.Status() != "stopped_at_breakpoint" {
					t.Errorf("status:\n%s", r)
				}
			case 3:
				if r := s.Call("breakpoint", A{"location": "main.nest", "condition": fmt.Sprint("depth == ", i)}); r.IsError {
					t.Errorf("breakpoint:\n%s", r)
				}
			}
		})
	}
	calls.Wait()
}

// Steps that come at once are made one after another.
func TestStepsAtOnce(t *testing.T) {
	t.Parallel()
	s, p := testkit.OpenAt(t, "endless", "condition")
	s.OK("breakpoint", A{"action": "clear_all"})
	var calls sync.WaitGroup
	for range 10 {
		calls.Go(func() {
			if r := s.Call("step", A{"count": 3}); r.IsError || r.Status() != "stopped_after_step" {
				t.Errorf("got\n%s", r)
			}
		})
	}
	calls.Wait()
	_ = p
	s.OK("inspect", A{"expression": "n"}).Want("10", "data", "result", "v")
}

// Two sessions with calls in flight on both never wait for each other.
func TestTwoSessions(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "endless")
	other := testkit.NewProgram(t, "calls")
	s.OK("session_start", A{"target": ".", "session_id": "loop", "timeout_ms": 0}).Want("loop", "session_id")
	s.Running()
	done := make(chan testkit.Reply, 1)
	go func() { done <- s.Call("execute", A{"session_id": "loop", "action": "wait", "timeout_ms": 60000}) }()

	second := s.OK("session_start", A{"target": other.Dir, "breakpoints": []A{{"function": "main.main"}}}).At("session_id")
	var both sync.WaitGroup
	for range 5 {
		both.Go(func() { s.OK("step", A{"session_id": second}).Want("main.main", "data", "function") })
		both.Go(func() { s.OK("session", A{"session_id": "loop"}).Want("running", "data", "execution_state", "status") })
	}
	both.Wait()
	s.OK("session", A{"action": "list"}).Has("loop", second)
	s.OK("breakpoint", A{"session_id": "loop", "location": p.At("main.go", "reset")})
	select {
	case r := <-done:
		r.Stopped("stopped_at_breakpoint", p.At("main.go", "reset"))
	case <-time.After(30 * time.Second):
		t.Fatal("the wait on the first session did not end")
	}
	s.OK("session", nil).Want(second, "session_id") // still the current one
	s.OK("session", A{"action": "switch", "session_id": "loop"})
	s.OK("session", nil).Want("loop", "session_id")
	s.OK("session", A{"action": "stop"})
	s.OK("inspect", A{"session_id": second, "target": "stack"}).Has("main.main")
	s.Fail("SESSION_NOT_FOUND", "session", A{"session_id": "lopo", "action": "stop"}).Has(second)
}

// pause, status, output and stop pass while another call waits.
func TestPauseAndStopDuringAWait(t *testing.T) {
	t.Parallel()
	s, _ := testkit.Open(t, "endless")
	s.Spin(t)
	done := make(chan testkit.Reply, 1)
	wait := func() { done <- s.Call("execute", A{"action": "wait", "timeout_ms": 60000}) }
	go wait()
	time.Sleep(200 * time.Millisecond)
	s.OK("session", nil).Want("running", "data", "execution_state", "status")
	s.OK("inspect", A{"target": "output"}).Has("spinning")
	s.OK("session", A{"action": "output"})
	s.OK("execute", A{"action": "pause"}).Want("paused", "data", "execution_state", "status")
	(<-done).Want("paused", "data", "execution_state", "status")

	go func() { done <- s.Call("execute", A{"timeout_ms": 60000}) }()
	testkit.Eventually(t, 10*time.Second, "running again", func() bool { return s.OK("session", nil).Status() == "running" })
	s.OK("session", A{"action": "stop"})
	if r := <-done; r.Status() != "terminated" && r.At("error", "code") != "AIDB_SESSION_TERMINATED" {
		t.Errorf("the call that waited while the session was stopped:\n%s", r)
	}
}

func TestSessionLimit(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "endless")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: []string{"AIDB_SESSIONS=2"}})
	bin := p.Build(".")
	for range 2 {
		s.OK("session_start", A{"target": bin, "breakpoints": p.BreakAt("count")})
	}
	s.Fail("SESSION_LIMIT", "session_start", A{"target": bin}).Has("go-1", "go-2")
	s.OK("session", A{"action": "stop", "session_id": "go-1"})
	s.OK("session_start", A{"target": bin, "breakpoints": p.BreakAt("count")}).Want("go-3", "session_id")
}
