//go:build linux

package cluster

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// One gateway and two machines: agents debug three languages where the programs lie, while
// wires are cut; then a worker, a machine and a member's right to be there go.
func TestACluster(t *testing.T) {
	testkit.Adapters(t)
	goes, python, js := testkit.NewProgram(t, "averages"), testkit.NewProgramOf(t, "python", "tour"), testkit.NewProgramOf(t, "javascript", "tour")
	g := begin(t)
	wire := newCable(t, g.cluster)
	m1 := g.machine(t, "m1", wire.address(), map[string]string{"goes": goes.Dir, "js": js.Dir})
	m2 := g.machine(t, "m2", g.cluster, map[string]string{"python": python.Dir})

	t.Run("three languages", func(t *testing.T) {
		inGo(g.agent(t, "goes"), goes)
		inPython(g.agent(t, "python"), python)
		inJavaScript(g.agent(t, "js"), js)
	})
	t.Run("what there is", func(t *testing.T) {
		text := g.agent(t, "").Client.InitializeResult().Instructions
		for _, want := range []string{"goes (on m1)", "js (on m1)", "python (on m2)", "You work in the workspace"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is missing in %s", want, text)
			}
		}
	})
	t.Run("a wire is cut", func(t *testing.T) {
		s := g.agent(t, "goes")
		stopped(s, goes)
		for _, cut := range []func(){wire.cut, func() {
			wire.stall()
			time.AfterFunc(3*time.Second, wire.resume)
		}} {
			cut()
			s.OK("inspect", A{"expression": "total"}).Want("0", "data", "result", "v")
		}
		s.OK("session", A{"action": "stop"})
	})
	t.Run("a worker is killed", func(t *testing.T) { killWorker(t, g, m1, goes) })
	t.Run("a machine is killed", func(t *testing.T) { killMachine(t, g, m2, python) })
	t.Run("a machine is removed", func(t *testing.T) {
		if list := g.run(t, "cluster", "list"); !strings.Contains(list, "m1") {
			t.Errorf("%s", list)
		}
		g.run(t, "cluster", "remove", "m1")
		select {
		case <-m1.Exited():
		case <-time.After(5 * time.Second):
			t.Fatalf("it goes on\n%s", m1.Stderr())
		}
		m1.Kill() // it ended with an error, as it should
		if !strings.Contains(m1.Stderr(), "lets this machine in no more") {
			t.Errorf("%s", m1.Stderr())
		}
	})
}

// stopped has the agent's program stand where it sums, and is the id of the session.
func stopped(s *testkit.Server, p *testkit.Program) (id string) {
	return s.OK("session_start", A{"target": p.Dir, "breakpoints": []A{{"file": p.Dir + "/main.go", "line": p.Line("sum")}}, "timeout_ms": longest}).
		Want("stopped_at_breakpoint", "data", "execution_state", "status").At("session_id")
}

func inGo(s *testkit.Server, p *testkit.Program) {
	stopped(s, p)
	s.OK("inspect", A{"expression": "marks"}).Has("90", "80", "100")
	s.OK("step", A{"action": "over"})
	s.OK("inspect", A{"expression": "total"}).Want("80", "data", "result", "v")
	s.OK("session", A{"action": "stop"})
}

func inPython(s *testkit.Server, p *testkit.Program) {
	at := []A{{"file": p.Dir + "/main.py", "line": p.Line("call")}}
	s.OK("session_start", A{"target": p.Dir + "/main.py", "args": []string{"calls"}, "breakpoints": at, "timeout_ms": longest}).
		Want("stopped_at_breakpoint", "data", "execution_state", "status")
	s.OK("inspect", A{"expression": "count + 1"}).Want("7", "data", "result", "v")
	s.OK("session", A{"action": "stop"})
}

func inJavaScript(s *testkit.Server, p *testkit.Program) {
	at := []A{{"file": p.Dir + "/tour.js", "line": p.Line("call")}}
	s.OK("session_start", A{"target": p.Dir + "/tour.js", "args": []string{"calls"}, "breakpoints": at, "timeout_ms": longest}).
		Want("stopped_at_breakpoint", "data", "execution_state", "status")
	s.OK("inspect", A{"expression": "count + 1"}).Want("7", "data", "result", "v")
	s.OK("session", A{"action": "stop"})
}

func killWorker(t *testing.T, g *gateway, m *testkit.Wire, p *testkit.Program) {
	s := g.agent(t, "goes")
	stopped(s, p)
	for _, w := range workersOf(m) {
		_ = syscall.Kill(w.PID, syscall.SIGKILL)
	}
	s.Fail("WORKER_CRASHED", "inspect", A{"target": "locals"}).Contains([]string{"error", "message"}, "go-1")
	stopped(s, p)
	s.OK("session", A{"action": "stop"})
}

// killMachine kills a machine under a call: who waits hears of it at once, and nothing is left.
func killMachine(t *testing.T, g *gateway, m *testkit.Wire, p *testkit.Program) {
	s := g.agent(t, "python")
	s.OK("session_start", A{"target": p.Dir + "/main.py", "stop_on_entry": true, "timeout_ms": longest})
	at := make(chan time.Time, 1)
	reply := make(chan testkit.Reply, 1)
	go func() {
		reply <- s.Call("session_start", A{"target": sleeper(t, p.Dir), "session_id": "long", "timeout_ms": longest})
		at <- time.Now()
	}()
	testkit.Eventually(t, time.Minute, "the program that waits", func() bool { return len(workersOf(m)) > 0 && fileExists(filepath.Join(p.Dir, "begun")) })
	left := testkit.Descendants(m.PID())
	killed := time.Now()
	m.Kill()
	r := <-reply
	if took := (<-at).Sub(killed); took > 2*time.Second {
		t.Errorf("it took %s", took)
	} else {
		t.Logf("told after %s", took)
	}
	if r.At("error", "code") != "AIDB_WORKER_GONE" || !strings.Contains(r.At("error", "message"), "m2") || !strings.Contains(r.At("error", "message"), "lost are the debug sessions") {
		t.Errorf("%s", r.Text)
	}
	s.Fail("WORKER_GONE", "inspect", A{"target": "locals"}).Contains([]string{"error", "message"}, "python")
	for _, p := range left {
		testkit.Eventually(t, 20*time.Second, "the end of "+p.String(), func() bool { return !isRunning(p) })
	}
}

func fileExists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func isRunning(p testkit.Proc) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p.PID))
	return err == nil && len(text) > 0
}

// sleeper is a program that says that it has begun, and waits.
func sleeper(t *testing.T, dir string) string {
	t.Helper()
	file := filepath.Join(dir, "sleeper.py")
	if err := os.WriteFile(file, []byte("import os, time\nopen(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'begun'), 'w').close()\ntime.sleep(600)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Two gateways serve the same machines; one that is killed is noticed by nobody else.
func TestTwoGateways(t *testing.T) {
	testkit.Adapters(t)
	p := testkit.NewProgram(t, "averages")
	first := begin(t)
	second := start(t, first.cluster, "--cluster", "nats://"+first.cluster, "--name", "second", "--join-token-file", first.token(t, "--gateway"))
	first.machine(t, "m1", first.cluster, map[string]string{"goes": p.Dir})
	a, b := first.agent(t, "goes"), second.agent(t, "goes")
	id := stopped(a, p)
	own := stopped(b, p)
	b.OK("inspect", A{"session_id": id, "expression": "total"}).Want("0", "data", "result", "v") // which the other gateway's client has started
	a.OK("step", A{"session_id": own, "action": "over"})
	b.OK("inspect", A{"session_id": own, "expression": "total"}).Want("80", "data", "result", "v")
	b.OK("session", A{"action": "stop", "session_id": own})
	b.Fail("SESSION_NOT_FOUND", "inspect", A{"session_id": strings.Replace(id, ".h1.", ".h1.X", 1), "expression": "total"})
	other := first.agent(t, "goes")
	other.OK("inspect", A{"expression": "total"}).Want("0", "data", "result", "v") // the only one that the principal has
	second.Kill()
	a.OK("inspect", A{"expression": "total"}).Want("0", "data", "result", "v")
	a.OK("session", A{"action": "stop"})
}
