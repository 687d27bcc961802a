package exprsyntax

import "testing"

func TestLoopInLine(t *testing.T) {
	for line, want := range map[string]bool{
		"for (; b != e; ++b) acc += *b;":             true,
		"\twhile (i < 3) n += v[i++]; // to the end": true,
		"for _, x := range b { acc += x }":           true,
		"'rows: for x in b { acc += x; }":            true,
		"for (int i = 0; i < n; i++) {":              false,
		"for (int i = 0; i < n; i++)":                false,
		"while (more());":                            true,
		"for x in b: acc += x":                       false,
		"format(a); before(b);":                      false,
		"acc += *b;":                                 false,
		"} while (n > 0);":                           false,
	} {
		if got := LoopInLine(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}
