package recording

import "testing"

func TestValuesAreEqualOnlyWhereAllOfThemIsKnown(t *testing.T) {
	for name, c := range map[string]struct {
		a, b Value
		want Equality
	}{
		"the same":                             {Value{Text: "5"}, Value{Text: "5"}, Equal},
		"others":                               {Value{Text: "5"}, Value{Text: "6"}, Different},
		"but for an address":                   {Value{Text: "&T{} 0xc000"}, Value{Text: "&T{} 0xd000"}, Equal},
		"an error and a value":                 {Value{Error: "it is not there"}, Value{}, Different},
		"cut, and the same behind it":          {Value{Text: "[1…", Cut: true, Extent: &Extent{Whole: "a"}}, Value{Text: "[1…", Cut: true, Extent: &Extent{Whole: "a"}}, Equal},
		"cut, and others behind it":            {Value{Text: "[1…", Cut: true, Extent: &Extent{Whole: "a"}}, Value{Text: "[1…", Cut: true, Extent: &Extent{Whole: "b"}}, Different},
		"cut, and nothing known behind it":     {Value{Text: "[1…", Cut: true}, Value{Text: "[1…", Cut: true, Extent: &Extent{Whole: "a"}}, NotCompared},
		"one of them cut":                      {Value{Text: "[1…", Cut: true, Extent: &Extent{Whole: "a"}}, Value{Text: "[1…"}, NotCompared},
		"dots that a recorder says nothing of": {Value{Text: "[1, 2, ...]"}, Value{Text: "[1, 2, ...]"}, NotCompared},
		"the sign of dots":                     {Value{Text: "{a: 1, b: {…}}"}, Value{Text: "{a: 1, b: {…}}"}, NotCompared},
		"dots of the program's own":            {Value{Text: `"wait..."`}, Value{Text: `"wait..."`}, Equal},
		"dots of its own, behind a quote":      {Value{Text: `"a \" ...", 'b'`}, Value{Text: `"a \" ...", 'b'`}, Equal},
	} {
		if got := Compare(c.a, c.b); got != c.want {
			t.Errorf("%s: got %d, want %d", name, got, c.want)
		}
		if got := Compare(c.b, c.a); got != c.want {
			t.Errorf("%s, the other way round: got %d, want %d", name, got, c.want)
		}
	}
}

func TestCaller(t *testing.T) {
	for caller, want := range map[string][2]string{
		"main.main /w/a.go:12":                {"main.main", "/w/a.go:12"},
		"Set::operator bool /w/my set/a.h:12": {"Set::operator bool", "/w/my set/a.h:12"},
		"of<int, long> C:\\w\\my set\\a.h:12": {"of<int, long>", "C:\\w\\my set\\a.h:12"},
		"get total <eval>:3":                  {"get total", "<eval>:3"},
		"__init__ <made by a.Line>:30":        {"__init__", "<made by a.Line>:30"},
		"vector<int, of<int> >::at /w/a.h:9":  {"vector<int, of<int> >::at", "/w/a.h:9"},
		"node:fs:3":                           {"", "node:fs:3"},
	} {
		if function, at := Caller(caller); function != want[0] || at != want[1] {
			t.Errorf("Caller(%q) = %q, %q", caller, function, at)
		}
	}
}

func TestFileLine(t *testing.T) {
	for at, want := range map[string]struct {
		file string
		line int
	}{
		"/w/a.go:12": {"/w/a.go", 12}, "node:fs:3": {"node:fs", 3}, "node:fs": {"node:fs", 0}, "": {"", 0},
	} {
		if file, line := FileLine(at); file != want.file || line != want.line {
			t.Errorf("FileLine(%q) = %q, %d", at, file, line)
		}
	}
}
