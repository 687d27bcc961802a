package java

import "testing"

// The counts are those at the end of what a runner prints.
func TestCounts(t *testing.T) {
	for printed, want := range map[string][2]int{
		"Tests run: 1, Failures: 0, Errors: 0\nTests run: 9, Failures: 1, Errors: 1, Skipped: 0": {7, 2},
		"[         3 tests successful      ]\n[         1 tests failed          ]":               {3, 1},
		"nothing": {0, 0},
	} {
		if passed, failed := failureSyntax.Counts(printed); passed != want[0] || failed != want[1] {
			t.Errorf("%q: %d and %d", printed, passed, failed)
		}
	}
}
