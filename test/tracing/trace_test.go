//go:build linux

package tracing

import (
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// rows are those of a reply to trace, each with spaces between the wanted columns.
func rows(t *testing.T, r testkit.Reply, columns ...string) []string {
	t.Helper()
	var names []string
	var all [][]string
	r.Decode(&names, "data", "columns")
	r.Decode(&all, "data", "rows")
	var list []string
	for _, cells := range all {
		var kept []string
		for _, want := range columns {
			for i, name := range names {
				if name == want {
					kept = append(kept, cells[i])
				}
			}
		}
		list = append(list, strings.Join(kept, " "))
	}
	return list
}

func valuesOfALine(t *testing.T, l *ledger) {
	r := l.OK("trace", l.with(A{"what": "values", "location": l.at("returned"), "expressions": []string{"rate", "amount", "cut"}}))
	if got, want := strings.Join(rows(t, r, "at", "rate", "amount", "cut"), "; "),
		l.at("returned")+" 7 10 7; "+l.at("returned")+" 7 20 14; "+l.at("returned")+" 7 30 21"; got != want {
		t.Errorf("the rows are %q, want %q, in\n%s", got, want, r)
	}
	r = l.OK("trace", l.with(A{"what": "values", "location": l.at("element"), "expressions": []string{"i", "limit"}, "condition": "limit < 0"}))
	if got := strings.Join(rows(t, r, "i", "limit"), "; "); got != "70 -140" {
		t.Errorf("the rows of the condition are %q, in\n%s", got, r)
	}
	if l.Name != python.Name && !testkit.IsLong() {
		return // a run without end has its first rows and its last in each recorder
	}
	r = l.OK("trace", l.with(A{"what": "values", "location": l.at("element"), "expressions": []string{"i"}, "limit": 4}))
	r.Want("100", "data", "hits").Want("96", "data", "dropped").Want("2", "data", "gap")
	if got := strings.Join(rows(t, r, "i"), " "); got != "0 1 98 99" {
		t.Errorf("the first and the last are %q, in\n%s", got, r)
	}
}

// What does not fit is named with the call that gets it, which works as it stands.
func TestRowsThatDoNotFit(t *testing.T) {
	t.Parallel()
	l := open(t, python)
	ask := l.with(A{"what": "values", "location": l.at("element"), "expressions": []string{"i", "limit"}, "max_bytes": 1000})
	r := l.OK("trace", ask)
	var left []struct {
		What         string
		Shown, Total int
		Get          struct {
			Tool   string
			Params A
		}
	}
	r.Decode(&left, "omitted")
	if len(left) == 0 || left[0].What != "rows" || left[0].Total != 50 || left[0].Shown >= 50 {
		t.Fatalf("what is left out is %+v in\n%s", left, r)
	}
	if all := rows(t, l.OK(left[0].Get.Tool, left[0].Get.Params), "i"); len(all) != 50 {
		t.Errorf("the call gets %d rows", len(all))
	}
}

// Values of the caller, where the recorder can read them; else it says so.
func valuesOfTheCaller(t *testing.T, l *ledger) {
	l.shares(t)
	ask := l.with(A{"what": "values", "location": l.at("returned"), "expressions": []any{"cut", A{"expression": "name", "frame": 1}}})
	if reason := l.Not["caller"]; reason != "" {
		l.Fail("CAPABILITY_NOT_SUPPORTED", "trace", ask).Contains([]string{"error", "message"}, reason)
		return
	}
	r := l.OK("trace", ask)
	if got := strings.ReplaceAll(strings.Join(rows(t, r, "cut", "@1 name"), "; "), `'`, `"`); got != `7 "bob"; 14 "bob"; 21 "bob"` {
		t.Errorf("the rows are %q, in\n%s", got, r)
	}
}

func callsOfAFunction(t *testing.T, l *ledger) {
	names := []string{l.Functions["fib"], "nowhere"}
	if l.Name == java.Name { // which refuses a name that nothing has
		names = names[:1]
	}
	r := l.OK("trace", l.with(A{"what": "calls", "functions": names}))
	if len(names) > 1 && !strings.Contains(r.String(), "called nowhere") {
		t.Errorf("nothing is called nowhere, and that is not said in\n%s", r)
	}
	all := rows(t, r, "call", "result")
	if len(all) != 25 || !strings.HasSuffix(all[0], " 8") || !strings.Contains(all[0], "n=6") {
		t.Errorf("25 calls, the first of 6 with 8, and these are %d, in\n%s", len(all), r)
	}
}

// The lines of one call: of all of them, and of those that change something.
func linesOfACall(t *testing.T, l *ledger) {
	l.shares(t)
	r := l.OK("trace", l.with(A{"what": "lines", "function": l.Functions["fee"], "call": 2}))
	if got, want := strings.Join(rows(t, r, "at"), " "), l.at("cut")+" "+l.at("returned"); got != want {
		t.Errorf("the lines are %q, want %q, in\n%s", got, want, r)
	}
	r = l.OK("trace", l.with(A{"what": "lines", "function": l.Functions["fee"], "condition": "amount == 30", "expressions": []string{"cut"}}))
	if got := rows(t, r, "at", "cut"); len(got) == 0 || got[len(got)-1] != l.at("cut")+" 21" {
		t.Errorf("the line that changed it is not the last of %q, in\n%s", got, r)
	}
}

func writesToAPlace(t *testing.T, l *ledger) {
	l.shares(t)
	r := l.OK("trace", l.with(A{"what": "writes", "expression": l.Say["alias"], "location": l.at("check")}))
	all := rows(t, r, "at", "was", "value")
	if n := len(all); n < 4 || all[n-1] != l.at("alias")+" 42 8" || all[n-2] != l.at("fees")+" 21 42" {
		t.Errorf("the last two are of the alias and the payment before, in\n%s", r)
	}
}
