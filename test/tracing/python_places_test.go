//go:build linux

package tracing

import (
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// pythonPlaces are the kinds of places and the ways in which Python writes to them:
// seen at the mark NAME-seen, the chain begins with the guilty statement. Where a
// recorder cannot see what has written, it says so and names no statement.
var pythonPlaces = []place{
	{"augmented", "n", "3", "augmented"},
	{"unpacked", "b", "2", "unpacked"},
	{"with", "n", "6", "in-with"},
	{"for", "n", "3", "for"},
	{"except", "e.args[0]", `"invalid literal`, ""},
	{"kept", "n", "2", "kept"},
	{"star", "args", "(1, 2)", "star-call passed"},
	{"star", `kwargs["key"]`, "3", ""},
	{"default", "n", "7", "loop passed"},
	{"long-call", "n", "6", "long-call"},
	{"closures", "n", "4", "nonlocal"},
	{"global", "total", "9", "global"},
	{"module", "helper.level", "5", "module"},
	{"class", "p.shared", "2", "class"},
	{"slots", "s.a", "4", "slots"},
	{"frozen", "f.a", "2", "frozen"},
	{"data", "d.a", "3", "data made"},
	{"property", "p._size", "8", "setter"},
	{"setattr", "p.a", "2", "setattr"},
	{"dict", "p.a", "4", "dict"},
	{"append", "xs[1]", "2", "append"},
	{"sort", "xs[0]", "1", "sort"},
	{"update", `d["a"]`, "2", "update"},
	{"add", "s", "{1, 2}", "add inside"},
	{"slice", "xs[1]", "8", "slice"},
	{"json", `d["a"]["b"]`, "4", ""},
	{"behind", "p.a", "5", "behind-seen unseen"},
	{"comprehension", "xs[2]", "4", "comprehension made"},
	{"generator", "n", "8", "generator-for"},
	{"case", "size", "2", "case"},
	{"thread", "p.a", "11", "thread"},
	{"task", "p.a", "3", "task"},
	{"one-line", "n", "3", "one-line"},
}

// morePythonPlaces are written in a way that is seen as that of another place.
var morePythonPlaces = []place{
	{"unpacked", "c", "[3, 4]", "unpacked"},
	{"walrus", "n", "4", "walrus"},
	{"with-kept", "n", "5", "with-kept"},
	{"for-left", "n", "30", "in-for"},
	{"deleted", `d["a"]`, "3", "again"},
	{"lambda", "n", "3", "before-lambda"},
	{"module-own", "helper.level", "6", "helper.py:7"},
	{"over-class", "p.shared", "3", "over-class"},
	{"hidden-slot", "s.a", "4", "hidden-slot"},
	{"descriptor", "d._a", "6", "descriptor"},
	{"vars", "p.a", "3", "vars"},
	{"pop", "xs[0]", "1", "pop"},
	{"setdefault", `d["a"]`, "5", "setdefault"},
	{"grown", "xs[1]", "2", "grown"},
	{"grown", "xs", "[1, 2]", "grown inside"},
	{"deque", "q[0]", "0", "deque"},
	{"array", "a[1]", "9", "array"},
}

// place is what a value is asked about, and how the chain begins.
type place struct{ name, expression, value, chain string }

// inThisRun are the places of the short run, or with what is seen alike all of them.
func inThisRun(places, more []place) []place {
	if testkit.IsLong() {
		return slices.Concat(places, more)
	}
	return places
}

func TestPlacesInPython(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgramOf(t, "python", "places")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	l := &ledger{s, p, python}
	l.File = "places.py"
	for _, c := range inThisRun(pythonPlaces, morePythonPlaces) {
		t.Run(c.name+" "+c.expression, func(t *testing.T) {
			r := s.OK("why", A{"target": "places.py", "expression": c.expression, "location": p.At("places.py", c.name+"-seen"), "steps": 1, "timeout_ms": 60_000})
			if got := r.At("data", "value"); !strings.HasPrefix(got, c.value) {
				t.Errorf("it is %q, want %q", got, c.value)
			}
			if got := strings.Join(l.steps(r), ", "); got != c.chain {
				t.Errorf("the chain is %q, want %q, in\n%s", got, c.chain, r)
			}
		})
	}
}
