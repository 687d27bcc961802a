//go:build linux

package tracing

import "testing"

// The first moment at which a condition holds is that of the statement which made it so, and
// a session can stand there.
func firstMoment(t *testing.T, l *ledger) {
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
	l.OK("trace", ask("result > 20")).Want(l.at("returned"), "data", "first", "at").Contains([]string{"data", "first", "after"}, `"21"`)
	r = l.OK("trace", ask("cut > 1000"))
	if r.At("data", "first") != "" || r.Int("data", "judged") < 3 {
		t.Errorf("nothing has ever held of what was judged, in\n%s", r)
	}

	twice := ask("cut > 20")
	twice["against"] = A{"args": []string{"more"}}
	l.Fail("VALIDATION_INVALID_PARAM", "trace", twice).Want("against", "error", "field")

	start := A{"timeout_ms": 60_000, "until_first": A{"condition": "cut > 20", "scope": fee}}
	for name, value := range l.Start {
		start[name] = value
	}
	stood := l.OK("session_start", start).Contains([]string{"data", "locals"}, `"21"`)
	if l.Through == "" { // what a compiler makes of a return may begin at the next line
		stood.Want(l.at("returned"), "data", "location")
	}
	l.OK("session", A{"action": "stop"})
}
