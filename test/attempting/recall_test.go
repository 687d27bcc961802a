//go:build linux

package attempting

import (
	"testing"

	"aidb-mcp/internal/testkit"
)

// A diagnosis names what was tried against the failure, and what has mended the same one
// of another check: whoever comes next does not begin anew.
func TestDiagnosisRecalls(t *testing.T) {
	t.Parallel()
	s := open(t, python, testkit.Options{})
	diagnose := func(start A) testkit.Reply {
		return s.OK("diagnose", merge(start, A{"keep": false, "timeout_ms": 100_000}))
	}
	problem := s.try(s.wrong()).At("data", "problem")
	diagnose(s.Check).Want(problem, "data", "attempts", "problem").Want("1 attempt: 1 failed", "data", "attempts", "said").Has("1 failed: sum -= 2")
	wants(t, s.try(s.right()), "passed")
	diagnose(s.Check).Want("2", "data", "attempts", "winner").Want("", "data", "solved")
	diagnose(A{"target": "test_till.py", "test": "test_total", "start": A{"module": "unittest"}}).
		Want(problem, "data", "solved", "problem").Want("2", "data", "solved", "n").Has("sum -= 0")
	s.NothingLeft(20e9)
}
