package native

import "testing"

func TestLoopBody(t *testing.T) {
	for line, want := range map[string]bool{
		"  for (; b != e; ++b) acc += *b;":             true,
		"while (i < 3) n += v[i++]; // to the end":     true,
		"for (int i = 0; i < f(2); i++) { sum += i; }": true,
		"while (*p++);":                 true,
		"for (int i = 0; i < n; i++) {": false,
		"for (int i = 0; i < n; i++)":   false,
		"for (int i = 0; // so far":     false,
		"forward(a);":                   false,
		"if (a) for_each(b);":           false,
		"while (a) { if (b) {":          false,
	} {
		if _, got := loopBody(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}
