//go:build linux

package test

import (
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

type threadGroup struct {
	ID      any
	Count   int
	Current bool
	Waiting string
	Waited  string
	Object  string
	Stack   []string
}

func TestThousandGoroutines(t *testing.T) {
	t.Parallel()
	s, p := testkit.OpenAt(t, "crowd", "ready")
	r := s.OK("inspect", A{"target": "threads"})
	if len(r.Text) > 4000 {
		t.Errorf("a thousand goroutines take %d bytes:\n%s", len(r.Text), r)
	}
	var groups []threadGroup
	r.Decode(&groups, "data", "threads")
	var crowd, nap *threadGroup
	for i, g := range groups {
		switch stack := strings.Join(g.Stack, "\n"); {
		case strings.Contains(stack, p.At("main.go", "wait")):
			crowd = &groups[i]
		case strings.Contains(stack, p.At("main.go", "nap")):
			nap = &groups[i]
		}
	}
	if crowd == nil || crowd.Count != 1000 || !strings.Contains(crowd.Waiting, "chan receive") {
		t.Fatalf("no group of 1000 that wait for the channel:\n%s", r)
	}
	if nap == nil || nap.Count != 3 || !strings.Contains(nap.Waiting, "sleep") {
		t.Fatalf("no group of 3 that sleep:\n%s", r)
	}
	if total := r.Int("data", "total"); total != 1004 {
		t.Errorf("total is %d, want 1004", total)
	}
	s.OK("inspect", A{"target": "threads", "filter": "nap"}).Has("main.nap").Lacks("main.wait ")
	s.OK("inspect", A{"target": "stack", "thread_id": crowd.ID}).Has("main.wait")
	s.OK("inspect", A{"expression": "gate", "thread_id": crowd.ID, "frame": 0})
	r = s.Call("inspect", A{"target": "stack", "thread_id": 999999}).Has("999999")
	if code := r.At("error", "code"); code == "" || code == "AIDB_CAPABILITY_NOT_SUPPORTED" {
		t.Errorf("an unknown goroutine:\n%s", r)
	}
}

// A stuck program can be paused and shows who blocks on what.
func TestStuckProgram(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "stuck")
	s.Spin(t)
	s.OK("execute", A{"action": "wait", "timeout_ms": 300}) // until the workers have started and block
	r := s.OK("execute", A{"action": "pause"}).Want("paused", "data", "execution_state", "status")
	r.Contains([]string{"data", "location"}, "main.go:")
	threads := s.OK("inspect", A{"target": "threads"})
	var groups []threadGroup
	threads.Decode(&groups, "data", "threads")
	found := map[string]bool{}
	for _, g := range groups {
		stack := strings.Join(g.Stack, "\n")
		if strings.Contains(stack, p.At("main.go", "lock")) {
			found["workers"] = g.Count == 5 && strings.Contains(g.Waiting, "sync.Mutex.Lock")
		}
		if strings.Contains(stack, p.At("main.go", "receive")) {
			found["holder"] = strings.Contains(g.Waiting, "chan receive")
		}
		if strings.Contains(stack, p.At("main.go", "wait")) {
			found["main"] = strings.Contains(g.Waiting, "WaitGroup")
		}
	}
	for _, who := range []string{"workers", "holder", "main"} {
		if !found[who] {
			t.Errorf("%s: not shown with what it waits for:\n%s", who, threads)
		}
	}
	s.OK("execute", A{"timeout_ms": 300}).Want("running", "data", "execution_state", "status")
	s.OK("execute", A{"action": "pause"}).Want("paused", "data", "execution_state", "status")
}

func TestEndlessLoop(t *testing.T) {
	t.Parallel()
	s, _ := testkit.Open(t, "endless")
	s.Spin(t)
	r := s.OK("execute", A{"action": "wait", "timeout_ms": 500}).Want("running", "data", "execution_state", "status")
	r.Contains([]string{"next_steps"}, "wait", "pause").Has("spinning")
	s.OK("execute", A{"action": "pause"}).Want("paused", "data", "execution_state", "status").Want("main.spin", "data", "function")
	if n := s.OK("inspect", A{"expression": "limit"}).At("data", "result", "v"); n != "-1" {
		t.Errorf("limit is %s", n)
	}
	s.OK("execute", A{"timeout_ms": 0}).Want("running", "data", "execution_state", "status")
	s.OK("execute", A{"action": "pause"}).Want("paused", "data", "execution_state", "status").Want("main.spin", "data", "function")
	s.OK("variable", A{"action": "set", "name": "limit", "value": "500000"})
	s.OK("execute", nil).Want("terminated", "data", "execution_state", "status").Has("500000")
}
