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

// A nil pattern matches nothing, not even nothing, and changes nothing.
func TestNil(t *testing.T) {
	var p *Pattern
	if p.MatchString("") || p.MatchString("a\nb") || p.FindStringSubmatch("a") != nil || p.ReplaceAllString("a", "b") != "a" {
		t.Error("it matches")
	}
}
