package pysrc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestScan(t *testing.T) {
	t.Parallel()
	const text = `"""Module
def not_one(): pass
"""
import os

@decorated
class Shape(Base, metaclass=Meta):
    """What it is."""
    kind = "def no(): it is text"

    def area(self, w: "int" = (1, 2)[0], *rest, h=3, **more) -> int:
        '''Documentation
        of several lines.'''
        # a comment

        total = w * (
            h +
            1)
        def inner(x, /, y, *, z):
            return x
        return total

    async def wait(
        self,
        n: dict[str, int],
    ):
        global G
        await n

def one(): return 1
def doc():
    r"""only documentation"""
x = 1
`
	var got []string
	for _, d := range Scan(text) {
		kind := "def"
		if d.Class {
			kind = "class"
		}
		got = append(got, fmt.Sprintf("%s %s %d body %d end %d (%s)%s", kind, d.Path, d.Line, d.Body, d.End, strings.Join(d.Params, " "), d.Bases))
	}
	want := []string{
		"class Shape 7 body 9 end 28 ()Base, metaclass=Meta",
		"def Shape.area 11 body 16 end 21 (self w rest h more)",
		"def Shape.area.inner 19 body 20 end 20 (x y z)",
		"def Shape.wait 23 body 28 end 28 (self n)",
		"def one 30 body 30 end 30 ()",
		"def doc 31 body 31 end 32 ()",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if in := At(Scan(text), 20); in == nil || in.Name != "inner" {
		t.Errorf("line 20 is in %v", in)
	}
}

func FuzzScan(f *testing.F) {
	f.Add("def f(a, b=\"x\"):\n  '''d'''\n  return (1,\n 2)\n")
	f.Add("class A:\\\n\tdef")
	f.Add("x = 'unclosed\ndef f(): pass")
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Count(text, "\n") + 1
		for _, d := range Scan(text) {
			if d.Line < 1 || d.Body < d.Line || d.End < d.Line || d.End > lines || d.Body > lines {
				t.Errorf("%q: %+v", text, d)
			}
		}
	})
}
