package testkit

import "testing"

// The short run skips what belongs to the long one, and the long one runs it.
func TestLong(t *testing.T) {
	for _, c := range []struct {
		set   string
		skips bool
	}{{"", true}, {"1", false}} {
		t.Setenv(LongVariable, c.set)
		skipped := false
		t.Run("with "+LongVariable+"="+c.set, func(t *testing.T) {
			defer func() { skipped = t.Skipped() }()
			Long(t, "it is an example")
		})
		if skipped != c.skips || IsLong() == c.skips {
			t.Errorf("%s=%q: skipped %t, IsLong %t, want it to skip: %t", LongVariable, c.set, skipped, IsLong(), c.skips)
		}
	}
}
