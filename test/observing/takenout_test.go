//go:build linux && amd64

package observing

import (
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// A server that is killed in the middle of taking its probes out, for they cost the program
// more than they may, leaves none there. The kernel would: it was seen at one kill in ten.
func TestKilledWhileTakingOut(t *testing.T) {
	times := 10
	if testkit.IsLong() {
		times = 60
	}
	p := programs[0]
	dir, process := p.start(t, 0)
	for range times {
		s := testkit.Start(t, testkit.Options{Dir: dir})
		observe(t, s, process)
		if !mayObserve(t, s, p) {
			return
		}
		s.OK("trace", A{"action": "arm", "what": "calls", "functions": []string{p.total}})
		<-time.After(180*time.Millisecond + rand.N(60*time.Millisecond)) // the hits of 200 ms are counted before they are too many
		s.Kill()
		isWhole(t, process) // each time: the next probe at the same place takes out what was left there
	}
	goesOn(t, process)
}

// Eight recorders in a program that stands still hold the end of the session up as long as one
// does; the program takes them out when it goes on.
func TestEightInAProgramThatStands(t *testing.T) {
	p := startCounted(t, "node", "counted.js", "0.02")
	s := testkit.Start(t, testkit.Options{Dir: p.dir})
	s.OK("session_start", A{"mode": "attach", "pid": p.Pid, "adapter_options": A{"observe": true}})
	for range 8 {
		s.OK("trace", A{"action": "arm", "what": "calls", "functions": []string{"step"}})
	}
	if err := p.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	s.OK("session", A{"action": "stop"})
	if took := time.Since(began); took > 15*time.Second { // one after another they take 24
		t.Errorf("it took %s", took)
	}
	if err := p.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	p.leftAlone(t)
}
