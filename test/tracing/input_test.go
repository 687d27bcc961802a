//go:build linux

package tracing

import (
	"context"
	"maps"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// endless are arguments with which the ledger computes for years.
var endless = strings.Split(strings.Repeat("x ", 60)[:119], " ")

// endless asks about a run of the ledger that does not end, with time enough for some
// calls to be noted: on a busy machine it may be over before the program is built.
func (l *ledger) endless(ask A) (r testkit.Reply) {
	ask["args"] = endless
	for _, limit := range []int{1_500, 4_000, 20_000, 60_000} {
		ask["timeout_ms"] = limit
		if r = l.Call("trace", l.with(ask)); !r.IsError && r.Int("data", "hits") > 4 {
			break
		}
	}
	return r
}

// A program that does not end is ended when the time is over, and what was noted until
// then is shown: the first rows and the last of millions.
func runWithoutEnd(t *testing.T, l *ledger) {
	l.shares(t)
	if l.Name != python.Name && l.Name != cpp.Name {
		testkit.Long(t, "the tests of their adapters end recorded programs")
	}
	r := l.endless(A{"what": "calls", "functions": []string{l.Functions["fib"]}, "limit": 4})
	if hits, dropped := r.Int("data", "hits"), r.Int("data", "dropped"); hits <= 4 || dropped != hits-4 {
		t.Errorf("%d hits with %d dropped, in\n%s", hits, dropped, r)
	}
	r.Contains([]string{"data", "ended"}, "still running")
	if all := rows(t, r, "call", "result", "depth"); len(all) != 4 || !strings.Contains(all[1], "n=65) (not returned) 1") {
		t.Errorf("the second call is not of 65 within that of 66: %q", all)
	}
	l.NothingLeft(10 * time.Second)
}

// A call that is cancelled leaves nothing behind, and the session as it was.
func cancelledRun(t *testing.T, l *ledger) {
	l.shares(t)
	if l.Name != python.Name {
		testkit.Long(t, "a run is ended as one whose time is over, whoever records it")
	}
	l.OK("session_start", l.with(A{"breakpoints": []A{{"file": l.File, "line": l.Line("check")}}})).Stopped("stopped_at_breakpoint", l.at("check"))
	before := len(testkit.Marked(l.Mark))
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if r, err := l.CallContext(ctx, "trace", l.with(A{"what": "calls", "functions": []string{l.Functions["fib"]}, "args": endless})); err == nil {
		t.Errorf("it was not cancelled: %s", r)
	}
	l.OK("session", nil).Want(l.at("check"), "data", "location")
	testkit.NoneLeft(t, 10*time.Second, func() []testkit.Proc {
		all := testkit.Marked(l.Mark)
		return all[min(before, len(all)):]
	})
	l.OK("inspect", A{"expression": l.Say["local"]}).Contains([]string{"data"}, "3")
	l.OK("session", A{"action": "stop"})
}

// What is asked wrongly is said, with the parameter and what to do, or shown as what it
// is; nothing else comes of it.
func whatCannotBeTraced(t *testing.T, l *ledger) {
	l.shares(t)
	at := l.at("returned")
	values := func(more A) A {
		all := l.with(A{"what": "values", "location": at, "expressions": []string{"cut"}})
		maps.Copy(all, more)
		return all
	}
	l.Fail("VALIDATION_INVALID_PARAM", "trace", values(A{"expressions": []string{"cut +"}})).Want("expressions", "error", "field")
	l.Fail("VALIDATION_INVALID_PARAM", "trace", values(A{"condition": "cut +"})).Want("condition", "error", "field")
	l.Fail("VALIDATION_INVALID_PARAM", "trace", values(A{"expressions": []string{"cut = 5"}})).Want("expressions", "error", "field")
	l.Fail("VALIDATION_MISSING_PARAM", "trace", l.with(A{"what": "values", "location": at})).Want("expressions", "error", "field")
	l.Fail("VALIDATION_MISSING_PARAM", "trace", A{"what": "calls", "functions": []string{"fib"}}).Want("target", "error", "field")
	l.Fail("VALIDATION_INVALID_LOCATION", "trace", values(A{"location": l.File + ":9999"}))
	l.Fail("VALIDATION_MISSING_PARAM", "why", l.with(A{"expression": "cut"})).Want("location", "error", "field")

	// A name that is not there: a language that knows before refuses, the others show it.
	if r := l.Call("trace", values(A{"expressions": []string{"nope"}})); !strings.Contains(r.String(), "nope") || strings.Contains(r.At("data", "rows"), `""`) {
		t.Errorf("nope has a value in\n%s", r)
	}
	if r := l.Call("why", l.with(A{"expression": "nope", "location": at})); r.At("success") != "false" || r.At("error", "field") != "expression" {
		t.Errorf("nope has an origin in\n%s", r)
	}
	// A function that is not there.
	if r := l.Call("trace", l.with(A{"what": "calls", "functions": []string{"zzz"}})); !strings.Contains(r.String(), "called zzz") {
		t.Errorf("that nothing is called zzz is not said in\n%s", r)
	}
	l.NothingLeft(10 * time.Second)
	if l.Name != python.Name && !testkit.IsLong() {
		return // what follows is said by us, whatever has recorded it
	}
	// A place that the run never comes to with this condition.
	r := l.OK("trace", values(A{"condition": "rate > 100"})).Want("0", "data", "hits").Want("[]", "data", "rows")
	r.Contains([]string{"summary"}, "rate > 100").Contains([]string{"next_steps"}, `"trace"`)
	l.Fail("VALIDATION_INVALID_LOCATION", "why", l.with(A{"expression": "cut", "location": at, "condition": "rate > 100"})).Want("condition", "error", "field")
	if r := l.Call("trace", l.with(A{"what": "lines", "function": l.Functions["fib"], "call": 1000})); !strings.Contains(r.At("summary"), "1000 times") { // of 25
		t.Errorf("that there is no such call is not said in\n%s", r)
	}
	// A value that is computed has no place; its parts have.
	r = l.OK("why", l.with(A{"expression": "cut + rate", "location": at})).Contains([]string{"summary"}, "no single place")
	r.Contains([]string{"next_steps"}, `"expression":"cut"`, `"expression":"rate"`)
	l.NothingLeft(10 * time.Second)
}

// What an expression does beside reading is said.
func effectsOfExpressions(t *testing.T, l *ledger) {
	l.shares(t)
	call := l.Functions["fib"]
	call = call[strings.LastIndexAny(call, ".:")+1:] + "(3)"
	ask := l.with(A{"what": "values", "location": l.at("returned"), "expressions": []string{call}})
	if reason := l.Not["calls in expressions"]; reason != "" {
		if r := l.Call("trace", ask); !strings.Contains(r.String(), reason) {
			t.Errorf("the reason %q is not told in\n%s", reason, r)
		}
		return
	}
	l.OK("trace", ask).
		Contains([]string{"data", "warnings"}, call, "calls a function").Contains([]string{"data", "rows"}, `"2"`)
}

// A recorded run is a start: a server that only looks refuses it, and one that is
// confined to a folder what lies outside.
func TestARunIsAStart(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgramOf(t, "python", "ledger")
	l := &ledger{nil, p, python}
	outside := testkit.NewProgramOf(t, "python", "ledger")
	calls := A{"what": "calls", "functions": []string{"fee"}}
	value := A{"expression": "cut", "location": l.at("returned")}

	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Args: []string{"--read-only"}})
	s.Fail("POLICY_DENIED", "trace", l.with(calls))
	s.Fail("POLICY_DENIED", "why", l.with(value))

	s = testkit.Start(t, testkit.Options{Dir: p.Dir, Args: []string{"--allow-root", p.Dir}})
	s.OK("trace", l.with(calls)).Want("3", "data", "hits")
	away := filepath.Join(outside.Dir, l.File)
	for _, more := range []A{{"target": away}, {"start": A{"workspace_root": outside.Dir}}, {"cwd": outside.Dir}} {
		args := l.with(calls)
		maps.Copy(args, more)
		s.Fail("POLICY_DENIED", "trace", args)
	}
	s.Fail("POLICY_DENIED", "trace", l.with(A{"what": "values", "expressions": []string{"cut"}, "location": away + ":43"}))
}
