package jsdebug

import "testing"

// The counts are those at the end of what a runner prints.
func TestCounts(t *testing.T) {
	for printed, want := range map[string][2]int{
		"# tests 3\n# pass 2\n# fail 1\n":          {2, 1},
		"  4 passing (5ms)\n  1 failing\n":         {4, 1},
		"Tests:       1 failed, 2 passed, 3 total": {2, 1},
		"nothing": {0, 0},
	} {
		if passed, failed := failureSyntax.Counts(printed); passed != want[0] || failed != want[1] {
			t.Errorf("%q: %d and %d", printed, passed, failed)
		}
	}
}
