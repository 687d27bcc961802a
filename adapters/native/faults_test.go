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

// What an expression needs beside what it names is named: it is not the function that the
// expression calls which is missing.
func TestAbsentCodeIsNamed(t *testing.T) {
	text := "error: Couldn't look up symbols:\n  std::__pair_base<int, int>::~__pair_base()\nHint: The expression tried to call a function that is not present in the target.\n"
	if got, _, known := explain(text); !known || got != absentCode+": std::__pair_base<int, int>::~__pair_base()" {
		t.Errorf("it says %q", got)
	}
	if got, _, known := explain("error: a function that is not present in the target"); !known || got != absentCode {
		t.Errorf("it says %q", got)
	}
}
