package debugpy

import (
	"strings"
	"testing"
)

func TestFramesOfLibrariesAreFoldedInATraceback(t *testing.T) {
	frame := func(path string) string { return "  File \"" + path + "\", line 7, in f\n    f(x)\n      ~~~~\n" }
	lib, own := frame("/usr/lib/python3.11/site-packages/_pytest/runner.py"), frame("/work/test_a.py")
	const head, tail = "Traceback (most recent call last):\n", "ValueError: no\n"
	for _, c := range [][2]string{
		{head + strings.Repeat(lib, 40) + own + tail, head + "  (40 library frames)\n" + own + tail},
		{strings.Repeat(lib, 3) + own + lib + own, "  (3 library frames)\n" + own + lib + own},
		{own + strings.Repeat(lib, 3) + tail, own + "  (2 library frames)\n" + lib + tail}, // what raised it stays
		{own + "ValueError: a\n  b\n", own + "ValueError: a\n  b\n"},
		{"", ""},
	} {
		if got := foldLibraries(c[0]); got != c[1] {
			t.Errorf("of\n%s\nbecomes\n%s\nwant\n%s", c[0], got, c[1])
		}
	}
}
