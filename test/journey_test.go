//go:build linux

package test

import (
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// The session that agents repeat most fits into five calls and 3,000 bytes.
func TestJourneyBytes(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "averages")
	replies := []testkit.Reply{
		s.OK("session_start", A{"target": ".", "breakpoints": p.BreakAt("sum")}),
		s.OK("inspect", A{"expression": "total + marks[i]"}),
		s.OK("step", nil),
	}
	if n := len(replies[2].Text); n > 700 {
		t.Errorf("a plain step takes %d bytes, want about 600:\n%s", n, replies[2])
	}
	s.OK("breakpoint", A{"action": "clear_all"}) // not counted: the program of the measure has one stop only
	replies = append(replies, s.OK("execute", nil), s.OK("session", A{"action": "stop"}))
	total := 0
	for _, r := range replies {
		total += len(r.Text)
		t.Logf("%d bytes: %s", len(r.Text), r.Call)
	}
	if total > 3000 {
		t.Errorf("the session takes %d bytes, want 3,000 at most", total)
	}
	replies[3].Want("stopped_at_exception", "data", "execution_state", "status")
}

// The cause of a panic, of a deadlock and of a wrong result in a failing test is
// on the table after a few calls, and no reply leaves the state open.
func TestCausesAreFound(t *testing.T) {
	t.Parallel()
	t.Run("panic", func(t *testing.T) {
		t.Parallel()
		s, p := testkit.Open(t, "nilderef")
		s.OK("session_start", A{"target": "."}).Stopped("stopped_at_exception", p.At("main.go", "deref")).
			Want("nil", "data", "locals", "u", "v")
	})
	t.Run("deadlock", func(t *testing.T) {
		t.Parallel()
		s, p := testkit.Open(t, "deadlock")
		s.OK("session_start", A{"target": "."}).Has("asleep")
		s.OK("inspect", A{"target": "threads"}).Has(p.At("main.go", "second-lock"), "sync.Mutex.Lock")
	})
	t.Run("wrong result", func(t *testing.T) {
		t.Parallel()
		s, p := testkit.Open(t, "subtests")
		r := s.OK("session_start", A{"target": ".", "test": "TestDiscount/big sale (80%)", "breakpoints": []A{
			{"file": "price.go", "line": p.Line("discount")}}})
		r.Want("250", "data", "locals", "off", "v").Want("80", "data", "locals", "percent", "v")
	})
}

// No reply exceeds its budget, whatever is asked.
func TestBudget(t *testing.T) {
	t.Parallel()
	s, _ := testkit.OpenAt(t, "values", "shapes")
	for _, limit := range []int{1000, 2000, 8000, 40000} {
		for tool, args := range map[string][]A{
			"inspect": {{"target": "all", "depth": 3}, {"target": "globals"}, {"target": "registers"}, {"target": "modules"},
				{"target": "locals", "depth": 3}, {"target": "disassembly", "count": 100}, {"expression": "nested", "depth": 3}, {"target": "source"}},
			"context": {{"detail_level": "full"}},
			"config":  {{"action": "show"}, {"action": "env"}, {"action": "capabilities"}},
			"init":    {{}},
			"session": {{"action": "status"}, {"action": "list"}},
		} {
			for _, a := range args {
				a["max_bytes"] = limit
				r := s.OK(tool, a)
				if len(r.Text) > limit {
					t.Errorf("%d bytes of %d: %s", len(r.Text), limit, r.Call)
				}
				if strings.TrimSpace(r.At("summary")) == "" {
					t.Errorf("no summary:\n%s", r)
				}
			}
		}
	}
}
