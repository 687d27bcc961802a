package pattern

import "testing"

// A wrong pattern shows in the tests of its package, and not when it is first needed.
func TestAWrongPatternShowsInTests(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("it was taken")
		}
	}()
	New("(")
}
