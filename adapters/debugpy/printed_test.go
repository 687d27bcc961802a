package debugpy

import (
	"slices"
	"testing"

	"aidb-mcp/adapters"
)

func TestPrintedFailure(t *testing.T) {
	t.Parallel()
	p := printedFailure("hello\nTraceback (most recent call last):\n  File \"/w/a.py\", line 3, in <module>\n    f()\n  File \"/w/a.py\", line 2, in f\n    f()\n" +
		"  [Previous line repeated 994 more times]\nRecursionError: maximum recursion depth exceeded\n")
	want := []adapters.Thrown{{File: "/w/a.py", Line: 2, Function: "f", Times: 995}, {File: "/w/a.py", Line: 3, Function: "<module>"}}
	if p.Message != "RecursionError: maximum recursion depth exceeded" || p.Before != "hello\n" || !slices.Equal(p.Frames, want) {
		t.Errorf("printed is %+v", p)
	}
	if p := printedFailure("Traceback (most recent call last):\n  File \"/w/a.py\", line 3, in f\nValueError: no\ngoing on\n"); p.Message != "" {
		t.Errorf("one that the program logged: %+v", p)
	}
	p = printedFailure("ImportError while loading conftest '/w/c/conftest.py'.\nconftest.py:2: in <module>\n    import till\n" +
		"E     File \"/w/till.py\", line 8\nE       sum -= (\nE              ^\nE   SyntaxError: '(' was never closed\n")
	want = []adapters.Thrown{{File: "/w/till.py", Line: 8}, {File: "conftest.py", Line: 2, Function: "<module>"}}
	if p.Message != "SyntaxError: '(' was never closed" || !slices.Equal(p.Frames, want) {
		t.Errorf("printed is %+v", p)
	}
}

func TestLostExceptions(t *testing.T) {
	t.Parallel()
	const work = "Traceback (most recent call last):\n  File \"/w/a.py\", line 6, in work\n    return 10 // n\n           ~~~^^~~\nZeroDivisionError: by zero\n"
	at := []adapters.Thrown{{File: "/w/a.py", Line: 6, Function: "work"}}
	for name, c := range map[string]struct {
		stderr string
		of     []string
	}{
		"a task":        {"Task exception was never retrieved\nfuture: <Task finished name='Task-2' exception=ZeroDivisionError('by zero')>\n" + work, []string{"a task whose result nobody has asked for"}},
		"two, logged":   {"ERROR:asyncio:Future exception was never retrieved\nfuture: <Future finished>\n" + work + "done\nException ignored in: <function A.__del__ at 0x7f>\n" + work, []string{"a future whose result nobody has asked for", "code that Python itself has called"}},
		"a program's":   {work, nil},
		"only the word": {"Task exception was never retrieved\n", nil},
		"a quotation":   {"> Task exception was never retrieved\n> future: <x>\n", nil},
	} {
		lost := lostExceptions(c.stderr)
		var of []string
		for _, l := range lost {
			of = append(of, l.Of)
			if l.Message != "ZeroDivisionError: by zero" || !slices.Equal(l.Frames, at) {
				t.Errorf("%s: %+v", name, l)
			}
		}
		if !slices.Equal(of, c.of) {
			t.Errorf("%s: lost are %q", name, of)
		}
	}
}
