package delve

import "testing"

// The counts are those at the end of what a runner prints.
func TestCounts(t *testing.T) {
	for printed, want := range map[string][2]int{
		"--- PASS: TestA (0.00s)\n    --- PASS: TestA/b (0.00s)\n--- FAIL: TestB (0.00s)\n": {1, 1},
		"nothing": {0, 0},
	} {
		if passed, failed := failureSyntax.Counts(printed); passed != want[0] || failed != want[1] {
			t.Errorf("%q: %d and %d", printed, passed, failed)
		}
	}
}
