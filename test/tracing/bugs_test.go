//go:build linux

package tracing

import (
	"fmt"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// bug is a program of some hundred lines whose fault shows far from its cause, and the
// one or two calls that lead from where it shows to the statement that is guilty.
type bug struct {
	Kind    string // "stale index"
	Long    bool   // it is of the long run: others ask the same of the language
	Program string // its folder below testdata/LANGUAGE
	File    string // as locations show it
	Start   A
	Calls   []call
}

// call is one question. In Args "@mark" stands for the place of a mark.
type call struct {
	Tool string
	Args A
	// Guilty is the mark of a place that must be among the answer's rows or steps, and
	// Says what that row or step must hold too.
	Guilty string
	Says   []string
}

// From where a fault shows, at most two calls lead to the statement that is guilty.
func TestBugs(t *testing.T) {
	for _, l := range tongues {
		if len(l.Bugs) < 3 {
			t.Errorf("%s has %d bugs to hunt, and should have three kinds at least", l.Name, len(l.Bugs))
		}
		for _, b := range l.Bugs {
			t.Run(l.Name+"/"+strings.ReplaceAll(b.Kind, " ", "-"), func(t *testing.T) {
				t.Parallel()
				l.again(t)
				if b.Long {
					testkit.Long(t, "the other bugs ask the same of "+l.folder())
				}
				hunt(t, l, b)
			})
		}
	}
}

func hunt(t *testing.T, l tongue, b bug) {
	if len(b.Calls) > 2 {
		t.Fatalf("%d calls are too many", len(b.Calls))
	}
	p := testkit.NewProgramOf(t, l.folder(), b.Program)
	more := l.prepare(t, p)
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: l.Env})
	for i, c := range b.Calls {
		args := A{"timeout_ms": 170_000} // a busy machine takes its time for a hundred rounds
		for _, from := range []A{more, b.Start, c.Args} {
			for k, v := range from {
				if mark, ok := v.(string); ok && k == "location" && strings.HasPrefix(mark, "@") {
					v = p.At(b.File, mark[1:])
				}
				args[k] = v
			}
		}
		r := s.OK(c.Tool, args)
		if c.Guilty != "" && !answers(r, append([]string{p.At(b.File, c.Guilty)}, c.Says...)) {
			t.Errorf("call %d: no row or step is at %s and says %q, in\n%s", i+1, p.At(b.File, c.Guilty), c.Says, r)
		}
	}
	if b.Calls[len(b.Calls)-1].Guilty == "" {
		t.Error("the last call does not say which statement is guilty")
	}
}

// answers says whether one row of a trace or one step of a why holds all the words.
func answers(r testkit.Reply, words []string) bool {
	var rows, chain []any
	if r.At("data", "rows") != "" {
		r.Decode(&rows, "data", "rows")
	}
	if r.At("data", "chain") != "" {
		r.Decode(&chain, "data", "chain")
	}
	for _, row := range append(rows, chain...) {
		text, all := fmt.Sprint(row), true
		for _, w := range words {
			all = all && strings.Contains(text, w)
		}
		if all {
			return true
		}
	}
	return false
}
