//go:build linux

package attempting

import (
	"cmp"
	"testing"

	"aidb-mcp/internal/testkit"
)

// Five candidates at once: one that is right, one that is wrong, one that does not build,
// one that fails for another reason, one that changes nothing of the failure. Then the
// running program is changed at a place: a variable is set, a statement skipped where the
// debugger can do that.
func TestCandidates(t *testing.T) {
	each(t, func(t *testing.T, s *till) {
		r := s.try(s.right(), s.wrong(), s.edit(s.Broken), s.edit(s.Other), s.same())
		wants(t, r, "passed failed build_failed failed failed")
		r.Want("1", "data", "winner").Want("", "data", "workspace").Has("11", "12")
		r.Want("", "data", "candidates", "3", "same_failure").Want("true", "data", "candidates", "4", "same_failure")
		r.Contains([]string{"data", "candidates", "3", "failure", "message"}, cmp.Or(s.Says, "till"))
		r.Want(s.At(s.File, "off"), "data", "candidates", "2", "failure", "location")
		if s.Name != "c" { // where an assertion does not say what it compared
			r.Want("", "data", "candidates", "1", "same_failure")
		}
		if s.Check["test"] != nil {
			r.Want("1", "data", "candidates", "0", "tests_passed").Want("1", "data", "candidates", "1", "tests_failed")
		}

		again := s.try(s.wrong(), s.right())
		wants(t, again, "same_as same_as")
		again.Want("2", "data", "candidates", "0", "same_as").Want("failed", "data", "candidates", "0", "was").Want("1", "data", "winner")
		if again.At("data", "candidates", "0", "ms") != "" {
			t.Errorf("it was run again:\n%s", again)
		}

		r = s.try(s.at(A{"set": A{"sum": "13"}}), s.at(A{"skip": true}))
		if s.NoSkip == "" {
			wants(t, r, "passed passed")
			r.Want("1", "data", "candidates", "1", "hits")
		} else {
			wants(t, r, "passed refused")
			r.Contains([]string{"data", "candidates", "1", "why"}, s.NoSkip)
		}
		r.Want("1", "data", "candidates", "0", "hits").Want("6", "data", "candidates", "0", "n").Want("6", "data", "winner")
		if r.At("next_steps") != "" {
			t.Errorf("what cannot be written is offered:\n%s", r)
		}
		s.untouched()
	})
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
