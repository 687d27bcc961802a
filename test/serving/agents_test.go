//go:build linux

package serving

import (
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// Two agents debug while the worker of a third is killed again and again; then
// the gateway is killed under them and comes back at the same address.
func TestAgentsNoticeNothing(t *testing.T) {
	testkit.Adapters(t)
	at := testkit.Address(testkit.Port(t)) // which is nobody else's while the gateway is away
	g := serveAt(t, at, "--worker-restarts", "1000")
	goes, python := testkit.NewProgram(t, "averages"), testkit.NewProgramOf(t, "python", "tour")
	ada, bob, victim := g.bridged(t, testkit.Options{Protocol: "2025-11-25"}), g.bridged(t, testkit.Options{Protocol: "2026-07-28"}), g.bridged(t, testkit.Options{Env: []string{"AIDB_TOKEN=" + another}})

	for _, agent := range []*testkit.Server{ada, bob} {
		if _, err := agent.Client.ListTools(t.Context(), nil); err != nil { // as agents do; the bridge keeps them
			t.Fatal(err)
		}
	}
	done, ended := make(chan struct{}), make(chan struct{})
	var killed atomic.Int32
	go func() {
		defer close(ended)
		harass(g, victim, &killed, done)
	}()
	var agents sync.WaitGroup
	for round := 0; round < 2 || killed.Load() < 5 && round < 20; round++ { // how many die in two depends on the machine
		agents.Go(func() { debugGo(ada, goes) })
		agents.Go(func() { debugPython(bob, python) })
		agents.Wait()
	}
	close(done)
	<-ended
	if n := killed.Load(); n < 5 {
		t.Errorf("the victim's worker was killed %d times only", n)
	}

	t.Run("the gateway is killed", func(t *testing.T) {
		ada.OK("session_start", A{"target": goes.Dir, "breakpoints": []A{{"file": goes.Dir + "/main.go", "line": goes.Line("sum")}}, "timeout_ms": longest})
		g.Kill()
		for _, agent := range []*testkit.Server{ada, bob} {
			down := agent.Fail("BRIDGE_DOWN", "inspect", A{"target": "locals"})
			down.Contains([]string{"error", "hint"}, "again")
			if list, err := agent.Client.ListTools(t.Context(), nil); err != nil || len(list.Tools) != 17 {
				t.Errorf("the tools while the gateway is away: %v, %v", list, err)
			}
		}
		serveAt(t, at)
		testkit.Eventually(t, 40*time.Second, "the gateway found again", func() bool {
			r := ada.Call("inspect", A{"target": "locals"})
			return r.At("error", "code") != "AIDB_BRIDGE_DOWN" || strings.Contains(r.At("error", "message"), "lost")
		})
		debugGo(ada, goes)
		testkit.Eventually(t, 40*time.Second, "the gateway found again by the other", func() bool { return !bob.Call("context", nil).IsError })
		debugPython(bob, python)
	})
}

// harass kills the worker of bob's client whenever it has one, until done, and counts.
func harass(g *gateway, victim *testkit.Server, killed *atomic.Int32, done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		default:
		}
		victim.Call("session", nil) // starts one, or fails with the one before
		for _, worker := range g.workers("bob") {
			_ = syscall.Kill(worker.PID, syscall.SIGKILL)
			killed.Add(1)
		}
	}
}

// longest is how long a start may take on a machine that has much else to do, in ms.
const longest = 120_000

func debugGo(s *testkit.Server, p *testkit.Program) {
	at := []A{{"file": p.Dir + "/main.go", "line": p.Line("sum")}}
	s.OK("session_start", A{"target": p.Dir, "breakpoints": at, "timeout_ms": longest}).Want("stopped_at_breakpoint", "data", "execution_state", "status")
	s.OK("inspect", A{"target": "locals"}).Has("total", "marks")
	s.OK("step", A{"action": "over"})
	s.OK("execute", A{"action": "continue"})
	s.OK("session", A{"action": "stop"})
}

func debugPython(s *testkit.Server, p *testkit.Program) {
	at := []A{{"file": p.Dir + "/main.py", "line": p.Line("call")}}
	s.OK("session_start", A{"target": p.Dir + "/main.py", "args": []string{"calls"}, "breakpoints": at, "timeout_ms": longest}).Want("stopped_at_breakpoint", "data", "execution_state", "status")
	s.OK("inspect", A{"target": "stack"}).Has("main.py")
	s.OK("step", A{"action": "over"})
	s.OK("session", A{"action": "stop"})
}
