package source

import (
	"strings"
	"testing"
)

func TestKinds(t *testing.T) {
	// The letter before the bar is the kind: c code, b blank, # comment.
	tests := map[string]string{
		"a.go": `
c|package a
b|
#|// Package comment
#|  /* one line */
c|  /* then */ x := 1
#|/* over
b|
#|   x := 2
#|*/
c|*/ y := 3
c|s := "/* no comment"
c|z := "\"//"; /* opens
#|still */ // and more
c|raw := ` + "`" + `
b|
c|// inside a raw string
c|` + "`" + ` + "x"
c|r := '"' // "
#|//`,
		"a.rs": `
c|fn f<'a>(x: &'a str) {
#|  // comment
c|  let s = "it";
c|}`,
		"a.py": `
#|# comment
c|x = "# no comment"
c|def f():
#|    """A docstring
#|    over lines
#|    """
c|    s = """text
c|    # not a comment
c|    """
b|   
c|    return '//'`,
		"a.sh": `
#|#!/bin/sh
c|echo "# no" # yes
c|ls //`,
	}
	names := map[byte]Kind{'c': Code, 'b': Blank, '#': Comment}
	for file, text := range tests {
		marked := strings.Split(strings.TrimPrefix(text, "\n"), "\n")
		lines := make([]string, len(marked))
		for i, m := range marked {
			lines[i] = m[2:]
		}
		for i, got := range Kinds(file, lines) {
			if want := names[marked[i][0]]; got != want {
				t.Errorf("%s:%d %q is %v, want %v", file, i+1, lines[i], got, want)
			}
		}
	}
}
