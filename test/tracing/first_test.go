//go:build linux

package tracing

import (
	"maps"
	"testing"

	"aidb-mcp/internal/testkit"
)

// The first moment at which a condition holds is that of the statement which made it so, and
// a session can stand there.
func firstMoment(t *testing.T, l *ledger) {
	if l.Name == cpp.Name || l.Name == java.Name || l.Name == javascript.Name {
		testkit.Long(t, "the tests of their adapters look for first moments, and where a session then stands is found in the same way everywhere")
	}
	fee := []string{l.Functions["fee"]}
	ask := func(condition string) A {
		return l.with(A{"what": "first", "condition": condition, "scope": fee, "expressions": []string{"amount"}})
	}
	if reason, cannot := l.Not["first"]; cannot {
		l.Fail("CAPABILITY_NOT_SUPPORTED", "trace", ask("cut > 20")).Contains([]string{"error", "message"}, reason)
		return
	}
	r := l.OK("trace", ask("cut > 20"))
	r.Want(l.at("cut"), "data", "first", "at").Want(l.at("returned"), "data", "first", "seen").
		Contains([]string{"data", "first", "after"}, `"cut"`, `"21"`).Contains([]string{"data", "first", "values"}, `"amount"`, `"30"`).
		Contains([]string{"data", "first", "stack"}, l.at("fee"))
	if l.saysAll() {
		l.OK("trace", ask("result > 20")).Want(l.at("returned"), "data", "first", "at").Contains([]string{"data", "first", "after"}, `"21"`)
		r = l.OK("trace", ask("cut > 1000"))
		if r.At("data", "first") != "" || r.Int("data", "judged") < 3 {
			t.Errorf("nothing has ever held of what was judged, in\n%s", r)
		}
	}

	if l.saysAll() { // two runs are compared in the same way everywhere
		l.parts(t, ask("cut"))
	}
	l.eachInstance(t)

	start := A{"timeout_ms": 60_000, "until_first": A{"condition": "cut > 20", "scope": fee}}
	maps.Copy(start, l.Start)
	stood := l.OK("session_start", start).Contains([]string{"data", "locals"}, `"21"`)
	if l.Through == "" { // what a compiler makes of a return may begin at the next line
		stood.Want(l.at("returned"), "data", "location")
	}
	l.OK("session", A{"action": "stop"})
}

// saysAll says that all is asked of which we say alike what a recorder has seen, or has not:
// in the short run of one language.
func (l *ledger) saysAll() bool { return l.Name == python.Name || testkit.IsLong() }

// parts is the first moment at which an expression has another value in a second run.
func (l *ledger) parts(t *testing.T, ask A) {
	t.Helper()
	ask["against"] = A{"patch": l.patch(t, "cut", "10", "5")}
	r := l.OK("trace", ask).Want("false", "data", "same").Want(l.at("cut"), "data", "first", "at").Want(l.at("cut"), "data", "second", "at").
		Contains([]string{"data", "first", "after"}, `"cut"`, `"7"`).Contains([]string{"data", "second", "after"}, `"cut"`, `"14"`).
		Contains([]string{"data", "first", "values"}, `"amount"`, `"10"`).Contains([]string{"data", "second", "stack"}, l.at("fee"))
	if r.Int("data", "judged") != r.Int("data", "judged_second") || r.At("data", "second", "code") == r.At("data", "first", "code") {
		t.Errorf("both runs look equally often, at statements that differ, in\n%s", r)
	}
	if !l.saysAll() {
		return
	}
	ask["condition"] = "result"
	l.OK("trace", ask).Want("1", "data", "first", "judgement").Want("1", "data", "second", "judgement")
	ask["against"] = A{"env": A{"LEDGER": "1"}}
	r = l.OK("trace", ask).Want("true", "data", "same").Want("3", "data", "judged").Want("3", "data", "judged_second")
	if r.At("data", "first") != "" || r.At("data", "second") != "" {
		t.Errorf("the runs are the same in\n%s", r)
	}
}

// eachInstance is the first moment at which a condition holds for one of a type's instances.
func (l *ledger) eachInstance(t *testing.T) {
	t.Helper()
	ask := func(condition string) A {
		return l.with(A{"what": "first", "condition": condition, "expressions": []string{"each(Account).owner"}})
	}
	poor := ask("each(Account).balance < 60")
	if reason, cannot := l.Not["each"]; cannot {
		l.Fail("CAPABILITY_NOT_SUPPORTED", "trace", poor).Contains([]string{"error", "message"}, reason).Contains([]string{"error", "hint"}, "Account")
		return
	}
	l.OK("trace", poor).Want(l.at("balance"), "data", "first", "at").Want("2", "data", "first", "instance").Want("3", "data", "first", "instances").
		Contains([]string{"data", "first", "before"}, `"88"`).Contains([]string{"data", "first", "after"}, `"54"`).Contains([]string{"data", "first", "values"}, "bob").
		Contains([]string{"data", "first", "stack"}, l.at("pay"))
	if l.saysAll() {
		l.OK("trace", ask("each(Account).balance > 1000")).Contains([]string{"summary"}, "held at none of", "for none of 4 instances")
		misspelt := ask("each(Acount).balance > 1000")
		delete(misspelt, "expressions")
		l.OK("trace", misspelt).Contains([]string{"summary"}, "never judged", "no instance was seen to be built")
	}
	both := ask("each(Account).balance < 60 && each(Book).fees > 1")
	l.Fail("VALIDATION_INVALID_PARAM", "trace", both).Want("condition", "error", "field")
	poor["against"] = A{"env": A{"LEDGER": "1"}}
	l.Fail("VALIDATION_INVALID_PARAM", "trace", poor).Want("against", "error", "field")
	start := A{"timeout_ms": 60_000, "until_first": A{"condition": "each(Account).balance < 60"}}
	maps.Copy(start, l.Start)
	l.Fail("VALIDATION_INVALID_PARAM", "session_start", start).Want("until_first", "error", "field")
}
