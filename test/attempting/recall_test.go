//go:build linux

package attempting

import (
	"encoding/json"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// A diagnosis names what was tried against the failure, and what has mended the same one
// of another check, as an attempt does: whoever comes next does not begin anew.
func TestDiagnosisRecalls(t *testing.T) {
	t.Parallel()
	s := open(t, pytest, testkit.Options{})
	diagnose := func(start A) testkit.Reply {
		return s.OK("diagnose", merge(start, A{"keep": false, "timeout_ms": 100_000}))
	}
	r := s.try(s.wrong(), s.right()).Want("1", "data", "candidates", "0", "tests_failed")
	wants(t, r, "failed passed")
	problem := r.At("data", "problem")
	diagnose(s.Check).Want(problem, "data", "attempts", "problem").Want("2", "data", "attempts", "winner").Want("", "data", "solved").
		Contains([]string{"data", "attempts", "said"}, "2 attempts", "1 failed").Has("1 failed: sum -= 2")
	diagnose(A{"target": "test_till.py", "test": "test_total", "start": A{"module": "unittest"}}).
		Want(problem, "data", "solved", "problem").Want("2", "data", "solved", "n").Has("sum -= 0")

	r = s.OK("attempt", s.args(A{"check": python.Check, "candidates": []A{s.wrong()}})).Want(problem, "data", "solved", "problem")
	if r.At("data", "problem") == problem {
		t.Errorf("it is the same problem: %s", r)
	}
	var edits []A
	r.Decode(&edits, "data", "solved", "change", "edits")
	if text, _ := json.Marshal(edits); !strings.Contains(string(text), "sum -= 0") {
		t.Errorf("it was solved by %s", text)
	}
	s.NothingLeft(20e9)
}
