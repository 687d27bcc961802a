package recording

import "testing"

func TestASpecLeadsOnUntilThePlacesOfItsExpressionAreKnown(t *testing.T) {
	for _, c := range []struct {
		name  string
		spec  Spec
		leads bool
	}{
		{"passes only", Spec{Values: []Values{{File: "a.c", Line: 1}}}, false},
		{"where the expression lies", Spec{Writes: &Writes{Expression: "n"}}, true},
		{"the writes to it", Spec{Writes: &Writes{Expression: "n", Watch: []string{"0x10 8"}}}, false},
		{"a step of a chase", Spec{Writes: &Writes{Watch: []string{"0x10 8"}}}, true},
	} {
		if got := c.spec.Leads(); got != c.leads {
			t.Errorf("%s: leads on is %t", c.name, got)
		}
	}
}
