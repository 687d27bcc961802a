package recording

import "testing"

func TestAWishLeadsOnUntilThePlacesOfItsExpressionAreKnown(t *testing.T) {
	for _, c := range []struct {
		name  string
		wish  Wish
		leads bool
	}{
		{"passes only", Wish{Values: []Values{{File: "a.c", Line: 1}}}, false},
		{"where the expression lies", Wish{Writes: &Writes{Expression: "n"}}, true},
		{"the writes to it", Wish{Writes: &Writes{Expression: "n", Watch: []string{"0x10 8"}}}, false},
		{"a step of a chase", Wish{Writes: &Writes{Watch: []string{"0x10 8"}}}, true},
	} {
		if got := c.wish.Leads(); got != c.leads {
			t.Errorf("%s: leads on is %t", c.name, got)
		}
	}
}
