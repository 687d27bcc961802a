//go:build linux

package tracing

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// origins are the kinds of values that why is asked about. In each language's ledger
// they are seen at the same marks, and the chain is the same.
var origins = []struct{ about, seen, value, chain, says string }{
	{"local", "check", "3", "seen, left, balance", "a local, through another one into a field"},
	{"field", "check", "3", "balance", "a field, written in a method called several times"},
	{"element", "check", "-140", "element", "an element, in one round of a hundred, through another name"},
	{"entry", "check", "7", "rates made", "an entry of a map that was made with it"},
	{"global", "check", "3", "payments", "a global or static variable"},
	{"captured", "check", "6", "captured", "a variable that a closure captured"},
	{"argument", "cut", "7", "fee passed, rates made", "an argument, and on into the caller"},
	{"result", "balance", "21", "fee, returned returned, cut", "a result, and on into the callee"},
	{"thread", "check", "105", "thread", "a field that another thread wrote"},
	{"alias", "check", "8", "alias", "a field written through another name of its object"},
	{"reflection", "check", "9", "reflected", "a field written by reflection, or in another way that the compiler does not see"},
}

// contained are the kinds that are a step of others, or of what writes are asked about: a local
// leads to a field and an argument to an entry.
var contained = []string{"field", "entry", "alias"}

// Each kind of value leads to the statement that wrote it, through what carried it.
func originsOfValues(t *testing.T, l *ledger) {
	for _, q := range origins {
		if !testkit.IsLong() && (slices.Contains(l.Long, q.about) || slices.Contains(contained, q.about) && l.Name != python.Name) {
			continue
		}
		chain := cmp.Or(l.Ends[q.about], q.chain)
		ask := l.with(A{"expression": l.Say[q.about], "location": l.at(q.seen), "steps": len(strings.Split(chain, ", "))}) // each costs a run
		if reason := l.Not["why "+q.about]; reason != "" {
			if r := l.Call("why", ask); !strings.Contains(r.String(), reason) {
				t.Errorf("%s: the reason %q is not told in\n%s", q.about, reason, r)
			}
			continue
		}
		r := l.OK("why", ask).Want(q.value, "data", "value")
		if got := strings.Join(l.steps(r), ", "); !strings.HasPrefix(got, chain) {
			t.Errorf("%s: the chain is %q, want %q, in\n%s", q.about, got, chain, r)
		}
		if differs := r.At("data", "differs"); differs != "" {
			t.Errorf("%s: it differs: %s", q.about, differs)
		}
	}
}

// A session that stands still is asked where it stands, and stays there.
func originAtAStop(t *testing.T, l *ledger) {
	l.shares(t)
	if l.Name != python.Name && l.Name != golang.Name {
		testkit.Long(t, "the question is asked of a run of its own, and the session left alone, in the same way everywhere")
	}
	l.OK("session_start", l.with(A{"breakpoints": []A{{"file": l.File, "line": l.Line("check")}}})).Stopped("stopped_at_breakpoint", l.at("check"))
	r := l.OK("why", A{"expression": l.Say["local"], "timeout_ms": 60_000})
	if got := strings.Join(l.steps(r), ", "); got != "seen, left, balance" {
		t.Errorf("the chain is %q in\n%s", got, r)
	}
	l.OK("session", nil).Want(l.at("check"), "data", "location")
	l.OK("session", A{"action": "stop"})
}
