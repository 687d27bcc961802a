//go:build linux

package attempting

import (
	"fmt"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/testkit"
)

// A check that fails in every second run proves no change right, though it has failed without this one
// and passed with it: it is said, and not offered to be written.
func TestUnsteadyCheck(t *testing.T) {
	t.Parallel()
	s := open(t, python, testkit.Options{})
	s.Write("now_and_then.py", fmt.Sprintf(`path = %q
with open(path, "a+") as f:
    f.write(".")
    f.seek(0)
    runs = len(f.read())
noted = 1
if runs %% 2 == 1:
    raise ValueError("odd")
`, filepath.Join(t.TempDir(), "runs")))
	args := A{"check": A{"target": "now_and_then.py"}, "parallel": 1, "candidates": []A{{"edits": []A{{"file": "now_and_then.py", "old": "noted = 1", "new": "noted = 2"}}}}}
	r := s.OK("attempt", args).Want("", "data", "winner").Want("failed", "data", "candidates", "0", "result")
	r.Contains([]string{"summary"}, "not steady", "without any change it passed in 0 of 2 runs", "in 2 of 3 runs").Contains([]string{"next_steps", "0", "tool"}, "diagnose")
	r.Want("50", "next_steps", "0", "params", "repeat").Want("now_and_then.py", "next_steps", "0", "params", "target")
	s.OK("attempt", A{"action": "list", "check": args["check"]}).Want("", "data", "winner")
	s.Fail("VALIDATION_INVALID_PARAM", "attempt", A{"action": "apply", "check": args["check"]})
}
