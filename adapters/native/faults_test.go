package native

import "testing"

func TestPlainError(t *testing.T) {
	t.Parallel()
	const trace = "Traceback (most recent call last):\n  File \"interface.py\", line 201, in evaluate\n    value = evaluate(code)\n            ^^^^^^^^\n"
	for text, want := range map[string]string{
		"error: no such thing\nmore":                                  "no such thing",
		trace + "IndexError: Index '99' is out of range\n":            "IndexError: Index '99' is out of range",
		trace + "Exception: error: no such thing\n  1 | x\n    | ^\n": "no such thing",
		trace + "\nDuring handling of the above exception, another exception occurred:\n\n" + trace + "ValueError: second\n": "ValueError: second",
	} {
		if got := plainError(text); got != want {
			t.Errorf("plainError(%q) = %q, want %q", text, got, want)
		}
	}
}
