package debugpy

import "testing"

// The counts are those at the end of what a runner prints.
func TestCounts(t *testing.T) {
	for printed, want := range map[string][2]int{
		"Ran 5 tests in 0.1s\n\nFAILED (failures=1, errors=2)\n": {2, 3},
		"Ran 2 tests in 0.1s\n\nOK\n":                            {2, 0},
		"== 3 failed, 7 passed in 0.2s ==":                       {7, 3},
		"nothing":                                                {0, 0},
	} {
		if passed, failed := failureSyntax.Counts(printed); passed != want[0] || failed != want[1] {
			t.Errorf("%q: %d and %d", printed, passed, failed)
		}
	}
}
