package exprsyntax

import "testing"

// What the language itself has for reading has no effects; what may be the program's, or
// uses up what it is given, may have some.
func TestEffects(t *testing.T) {
	for _, c := range []struct {
		language Language
		text     string
		none     bool
	}{
		{Python, "len(rows) > 3", true},
		{Python, "isinstance(a, B) and abs(len(a.b) - 1) < 2", true},
		{Python, "x[len(x) - 1]", true},
		{Python, "rows.len(x)", false},
		{Python, "mylen(x)", false},
		{Python, "len(f(x))", false},
		{Python, "f(len(x))", false},
		{Python, "len(x)(y)", false},
		{Python, "min(x)", false},
		{Python, "list(x)", false},
		{Python, "len(x := y)", false},
		{Python, "", false},
		{JavaScript, "Array.isArray(x) && Math.max(a, b) > 3", true},
		{JavaScript, "own.Math.max(a)", false},
		{JavaScript, "Object.keys(x)", false},
		{Java, "Math.abs(a - b) > 3", true},
		{Java, "list.size()", false},
		{C, "len(x)", false},
	} {
		if err := c.language.Effects(c.text); (err == nil) != c.none {
			t.Errorf("%q: %v", c.text, err)
		}
		if err := c.language.Reads(c.text); err == nil {
			t.Errorf("%q calls nothing", c.text)
		}
	}
}
