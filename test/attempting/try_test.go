//go:build linux

package attempting

import (
	"cmp"
	"strconv"
	"testing"

	"aidb-mcp/internal/testkit"
)

// Candidates at once: one that is right, one that does not build, one that is wrong, one
// that fails for another reason, one that changes nothing of the failure. Then the running
// program is changed at a place: a variable is set, a statement skipped where the debugger
// can do that.
func TestCandidates(t *testing.T) {
	each(t, func(t *testing.T, s *till) {
		if s.Name == "cpp" || s.Name == "java" {
			testkit.Long(t, "TestBuildTreesApart and TestJVMsOutsideStayKnown try changes of such programs")
		}
		candidates, want := []A{s.right(), s.edit(s.Broken)}, "passed build_failed"
		isWhole := s.Name == python.Name || testkit.IsLong() // what fails is judged alike in all languages
		if isWhole {
			candidates, want = append(candidates, s.wrong(), s.edit(s.Other), s.same()), want+" failed failed failed"
		}
		r := s.try(candidates...)
		wants(t, r, want)
		r.Want("1", "data", "winner").Want("", "data", "workspace").Has("11").Contains([]string{"summary"}, "1 is the first that passes, in 3 runs")
		r.Want(s.At(s.File, "off"), "data", "candidates", "1", "failure", "location")
		if s.Check["test"] != nil {
			r.Want("1", "data", "candidates", "0", "tests_passed")
		}
		if isWhole {
			s.judges(r)
		}
		if s.Name == python.Name || s.Name == "go" || testkit.IsLong() { // test/languages sets variables and jumps in the others
			s.changesAtAPlace(len(candidates) + 1)
		}
		s.untouched()
	})
}

// judges says how those that fail differ from each other, and tries none again.
func (s *till) judges(r testkit.Reply) {
	s.t.Helper()
	r.Has("12").Want("", "data", "candidates", "3", "same_failure").Want("true", "data", "candidates", "4", "same_failure")
	r.Contains([]string{"data", "candidates", "3", "failure", "message"}, cmp.Or(s.Says, "till"))
	r.Want("", "data", "candidates", "2", "same_failure")
	if s.Check["test"] != nil {
		r.Want("1", "data", "candidates", "2", "tests_failed")
	}
	again := s.try(s.wrong(), s.right())
	wants(s.t, again, "same_as same_as")
	again.Want("3", "data", "candidates", "0", "same_as").Want("failed", "data", "candidates", "0", "was").Want("1", "data", "winner")
	if again.At("data", "candidates", "0", "ms") != "" {
		s.t.Errorf("it was run again:\n%s", again)
	}
}

// changesAtAPlace tries two changes of the running program, of which the first is attempt n.
func (s *till) changesAtAPlace(n int) {
	s.t.Helper()
	r := s.try(s.at(A{"set": A{"sum": "13"}}), s.at(A{"skip": true}))
	if s.NoSkip == "" {
		wants(s.t, r, "passed passed")
		r.Want("1", "data", "candidates", "1", "hits")
	} else {
		wants(s.t, r, "passed refused")
		r.Contains([]string{"data", "candidates", "1", "why"}, s.NoSkip)
	}
	r.Want("1", "data", "candidates", "0", "hits").Want(strconv.Itoa(n), "data", "candidates", "0", "n").Want(strconv.Itoa(n), "data", "winner")
	if r.At("next_steps") != "" {
		s.t.Errorf("what cannot be written is offered:\n%s", r)
	}
}

// A place that is not reached, or does not exist, is no remedy, nor is a value that does not
// mend it; what has changed the running program only cannot be written. What changes the code
// wins before it, and is what is written. Who gives no reason is told what was done.
func TestAtAndEdits(t *testing.T) {
	t.Parallel()
	s := open(t, python, testkit.Options{})
	s.Write("more.py", "def unused():\n    return 1\n")
	s.before = s.files()
	r := s.try(
		A{"at": A{"location": "more.py:2", "skip": true}},
		A{"at": A{"location": "nothing.py:2", "skip": true}},
		A{"at": A{"location": s.At(s.File, "off"), "set": A{"nobody": "("}}},
		A{"at": A{"location": s.At(s.File, "off")}},
		s.at(A{"set": A{"sum": "20"}}),
		s.at(A{"skip": true}),
	)
	wants(t, r, "failed refused refused refused failed passed")
	r.Has("candidates[3].at")
	s.Fail("VALIDATION_INVALID_PARAM", "attempt", s.args(A{"action": "apply"})).Has("nothing to write")

	plain := A{"edits": []A{{"file": "till.py", "old": "sum -= 1", "new": "sum -= 0"}}}
	r = s.try(s.at(A{"set": A{"sum": "13"}}), plain, patch(rightPatch))
	wants(t, r, "passed passed same_as")
	r.Want("5", "data", "winner").Contains([]string{"summary"}, "5 is the first edit that passes")
	r.Want("set sum = 13 at "+s.At(s.File, "off"), "data", "candidates", "0", "hypothesis")
	r.Want("till.py: sum -= 1 → sum -= 0", "data", "candidates", "1", "hypothesis")
	s.untouched()
	s.OK("attempt", s.args(A{"action": "apply"})).Contains([]string{"summary"}, "attempt 5 is written")
}
