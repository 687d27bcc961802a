//go:build linux

package waiting

import (
	"os"
	"testing"

	"aidb-mcp/internal/testkit"
)

// Two threads that wait for each other's lock are told as soon as they do, though a third one
// sleeps for an hour: the time that is allowed is longer than any call may take here.
func TestRingIsToldWhileOthersSleep(t *testing.T) {
	for target, why := range map[string]string{
		"ring.cpp":  "",
		"go":        "",
		"ring.rs":   "its locks are looked at as those of C++ are",
		"ring.py":   "its debugger tells which waits are endless, as Java's",
		"Ring.java": "",
	} {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			if why != "" {
				testkit.Long(t, why)
			}
			p := testkit.NewProgram(t, "")
			if err := os.CopyFS(p.Dir, os.DirFS("testdata/ring")); err != nil {
				t.Fatal(err)
			}
			s := testkit.Start(t, testkit.Options{Dir: p.Dir})
			r := s.OK("diagnose", A{"target": target, "timeout_ms": 300_000}).Want("deadlock", "data", "verdict")
			var cycles []string
			if r.Decode(&cycles, "data", "cycles"); len(cycles) != 1 {
				t.Errorf("%d rings: %s", len(cycles), r)
			}
		})
	}
}
