//go:build linux

package tracing

import (
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// rubyPlaces are the kinds of places and the ways in which Ruby writes to them: seen at the
// mark NAME-seen, the chain begins with the guilty statement. Where a recorder cannot see what
// has written, it says so and names no statement.
var rubyPlaces = []place{
	{"augmented", "n", "3", "augmented"},
	{"unpacked", "b", "2", "unpacked"},
	{"condition", "n", "4", "condition"},
	{"loop", "n", "6", "in-while"},
	{"loop", "m", "8", "head"},
	{"for", "n", "3", "for passed"},
	{"rescued", "n", "2", "rescued"},
	{"default", "n", "7", "loop passed"},
	{"named", "n", "4", "named-call passed"},
	{"named", "rest[:other]", "5", ""},
	{"block", "n", "6", "block"},
	{"one-line", "n", "3", "one-line"},
	{"closure", "n", "2", "closure"},
	{"global", "$total", "9", "global"},
	{"class-variable", "@@shared", "2", "class-variable"},
	{"setter", "p", "#<Plain", "setter inside"},
	{"attribute", "p.a", "4", "attribute"},
	{"by-name", "p.a", "2", "by-name"},
	{"struct", "s.x", "5", "struct"},
	{"made", "s.y", "4", "made made"},
	{"append", "xs[1]", "2", "append"},
	{"nested", "p.list[0]", "6", "nested"},
	{"sort", "xs[0]", "1", "sort"},
	{"slice", "xs[1]", "8", "slice"},
	{"again", `d["a"]`, "3", "again"},
	{"default-proc", "d[4]", "8", "default-proc"},
	{"add", "s", "#<Set: {1, 2}>", "add inside"},
	{"behind", "p.a", "5", "behind-seen unseen"},
	{"thread", "p.a", "11", "thread"},
	{"fiber", "n", "5", "fiber"},
	{"case", "size", "2", "case"},
}

// moreRubyPlaces are written in a way that is seen as that of another place.
var moreRubyPlaces = []place{
	{"unpacked", "c", "[3, 4]", "unpacked"},
	{"or-equal", "n", "7", "or-equal"},
	{"modifier", "n", "6", "modifier"},
	{"chosen", "m", `"many"`, "chosen"},
	{"shadowed", "n", "3", "before-block"},
	{"by-send", "p.a", "3", "by-send"},
	{"map", "xs[0]", "6", "map"},
	{"concat", "xs[2]", "3", "concat"},
	{"shift", "xs[0]", "1", "shift"},
	{"merge", "d[:a]", "2", "merge"},
	{"counted", `d["x"]`, "2", "counted"},
	{"written", "text", `"abc"`, "written inside"},
	{"helped", "xs[0]", "5", "help"},
	{"handed", "got.a", "6", "tap"},
}

func TestPlacesInRuby(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgramOf(t, "ruby", "places")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	l := &ledger{s, p, ruby}
	l.File = "places.rb"
	for _, c := range inThisRun(rubyPlaces, moreRubyPlaces) {
		t.Run(c.name+" "+c.expression, func(t *testing.T) {
			r := s.OK("why", A{"target": "places.rb", "expression": c.expression, "location": p.At("places.rb", c.name+"-seen"), "steps": 1, "timeout_ms": 60_000})
			if got := r.At("data", "value"); !strings.HasPrefix(got, c.value) {
				t.Errorf("it is %q, want %q", got, c.value)
			}
			if got := strings.Join(l.steps(r), ", "); got != c.chain {
				t.Errorf("the chain is %q, want %q, in\n%s", got, c.chain, r)
			}
		})
	}
}
