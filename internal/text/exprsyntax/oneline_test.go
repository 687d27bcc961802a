package exprsyntax

import "testing"

func TestOneLine(t *testing.T) {
	for source, want := range map[string]string{
		"f(a,\n    b)":                   "f(a, b)",
		"  len(\"a  b\")  ==\n\t3 ":      `len("a  b") == 3`,
		`'it\'s  it' +  x`:               `'it\'s  it' + x`,
		"`a\n  b`   + c":                 "`a\n  b` + c",
		"\"\"\"a\n  \"b\"  \"\"\"   + c": "\"\"\"a\n  \"b\"  \"\"\" + c",
		"f<'a>(x)   -   y":               "f<'a>(x) - y",
		"don't   x\n  y":                 "don't x y",
		`""   + ''`:                      `"" + ''`,
		"":                               "",
	} {
		if got := OneLine(source); got != want {
			t.Errorf("%q is %q, want %q", source, got, want)
		}
	}
}
