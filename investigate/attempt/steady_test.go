package attempt

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/changes/attempts"
)

// A check that passes and fails with the same sources proves no candidate right, whatever it did in
// its first run: not now, not in a list or the next call, and not for another check.
func TestUnsteady(t *testing.T) {
	ok, fails := &Checked{Failure: Failure{Verdict: "ok"}}, &Checked{Failure: Failure{Verdict: "test_failure", Message: "7 is not 12", Function: "test"}}
	for name, c := range map[string]struct {
		turns  func(name string, n int) *Checked
		says   string
		result string
	}{
		"it passes without a change": {func(name string, n int) *Checked {
			if name == "before" && n == 2 {
				return ok
			}
			return nil
		}, "without any change it passed in 1 of 2 runs, with \"a.py: x = 1 → x = 2\" in 3 of 3 runs", attempts.Passed},
		"it fails with one": {func(name string, n int) *Checked {
			if name == "after" && n == 3 {
				return fails
			}
			return nil
		}, "without any change it passed in 0 of 2 runs, with \"a.py: x = 1 → x = 2\" in 2 of 3 runs", attempts.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.turns = c.turns
			r, ran := b.try()
			if ran != confirmed || r.Won() || !strings.Contains(r.Unsteady, c.says) || r.Rows[0].Result != c.result {
				t.Fatalf("%s, %+v", ran, r)
			}
			list, err := b.engine.List(t.Context(), b.problem())
			if err != nil || list.Won() {
				t.Errorf("listed: %+v, %v", list, err)
			}
			if _, err := b.engine.Apply(t.Context(), b.problem(), 0, false); err == nil {
				t.Error("it is written")
			}
			if solved := b.engine.Elsewhere(t.Context(), Problem{ID: "other", Workspace: b.workspace}, r.Before); solved != nil {
				t.Errorf("it is said to have mended %+v", solved)
			}
			b.turns = nil
			if r, ran := b.try(); ran != confirmed || !r.Won() || r.Rows[0].Runs != 3 {
				t.Errorf("tried anew: %s, %+v", ran, r)
			}
		})
	}
}

// A check is not made again where that would take too much of the time, where nothing has passed, and
// where it is not known whether it fails.
func TestNotConfirmed(t *testing.T) {
	b := newBench(t)
	b.after = b.before
	if r, ran := b.try(); ran != "before after" || r.Won() {
		t.Errorf("nothing passes: %s", ran)
	}
	b = newBench(t)
	b.took = 21 * time.Second // of a minute
	if r, ran := b.try(); ran != "before after" || !r.Won() || r.Rows[0].Runs != 0 {
		t.Errorf("a long one: %s", ran)
	}
	b = newBench(t)
	b.before.Late = true
	if r, ran := b.try(); ran != "before after" || r.Unsteady != "" {
		t.Errorf("one that was cut: %s", ran)
	}
}

// The candidate that is made again is the one that is called right.
func TestWhichIsConfirmed(t *testing.T) {
	var list []*candidateTrial
	for i, running := range []bool{true, false, false} {
		list = append(list, &candidateTrial{row: Row{Hypothesis: fmt.Sprint(i), Result: attempts.Passed, Running: running}})
	}
	if first := firstPassed(list); first.row.Hypothesis != "1" {
		t.Errorf("it is %s", first.row.Hypothesis)
	}
	list[1].again = true // and was made again then
	if first := firstPassed(list); first.row.Hypothesis != "2" {
		t.Errorf("it is %s", first.row.Hypothesis)
	}
}
