//go:build linux

package tracing

import (
	"strings"
	"testing"
)

// Each kind of value leads to the statement that wrote it, through what carried it.
func TestWhy(t *testing.T) {
	each(t, func(t *testing.T, l *ledger) {
		for _, q := range []struct{ about, seen, value, chain string }{
			{"local", "check", "3", "seen, left, balance"},
			{"field", "check", "3", "balance"},
			{"element", "check", "-140", "element"}, // in one round of a hundred, through another name
			{"entry", "check", "7", "rates made"},
			{"global", "check", "3", "payments, payments, payments"},
			{"captured", "check", "6", "captured"},
			{"argument", "cut", "7", "fee passed, rates made"},
			{"result", "balance", "21", "fee, returned returned, cut"},
			{"thread", "check", "105", "thread"},
			{"alias", "check", "8", "alias"},
		} {
			r := l.OK("why", l.with(A{"expression": l.Say[q.about], "location": l.at(q.seen), "steps": 3})).Want(q.value, "data", "value")
			if got := strings.Join(l.steps(r), ", "); !strings.HasPrefix(got, q.chain) {
				t.Errorf("%s: the chain is %q, want %q, in\n%s", q.about, got, q.chain, r)
			}
			if differs := r.At("data", "differs"); differs != "" {
				t.Errorf("%s: it differs: %s", q.about, differs)
			}
		}
	})
}

// A session that stands still is asked where it stands, and stays there.
func TestWhyAtAStop(t *testing.T) {
	each(t, func(t *testing.T, l *ledger) {
		l.OK("session_start", l.with(A{"breakpoints": []A{{"file": l.File, "line": l.Line("check")}}})).Stopped("stopped_at_breakpoint", l.at("check"))
		r := l.OK("why", A{"expression": l.Say["local"], "timeout_ms": 60_000})
		if got := strings.Join(l.steps(r), ", "); got != "seen, left, balance" {
			t.Errorf("the chain is %q in\n%s", got, r)
		}
		l.OK("session", nil).Want(l.at("check"), "data", "location")
	})
}
