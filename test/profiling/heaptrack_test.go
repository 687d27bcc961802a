//go:build linux && amd64

package profiling

import (
	"fmt"
	"os/exec"
	"testing"

	"aidb-mcp/internal/testkit"
)

// What a program in C has not given back is what it says, by the lines that allocated it, where
// heaptrack is installed; elsewhere that is named.
func TestNativeMemory(t *testing.T) {
	t.Parallel()
	dir := folder(t, "leak.c")
	s := testkit.Start(t, testkit.Options{Dir: dir})
	a := A{"target": "leak.c", "what": "memory", "timeout_ms": 60_000}
	if _, err := exec.LookPath("heaptrack"); err != nil {
		s.Fail("CAPABILITY_NOT_SUPPORTED", "profile", a).Has("heaptrack")
		return
	}
	r := s.OK("profile", a)
	r.Contains([]string{"data", "ended"}, "exit code 3 after")
	var kept int64
	if _, err := fmt.Sscanf(r.At("data", "output", "stdout"), "kept=%d", &kept); err != nil {
		t.Fatalf("the program has not said what it keeps: %s", r)
	}
	var list []row
	r.Decode(&list, "data", "rows")
	if len(list) == 0 || list[0].Function != "remember" || list[0].At != "leak.c:7" || list[0].Grown != kept {
		t.Fatalf("%d bytes are kept: %s", kept, r)
	}
	for _, other := range list {
		if other.Function == "forget" {
			t.Errorf("what was given back is said to be held: %s", r)
		}
	}
}
