package build

import (
	"testing"

	"aidb-mcp/adapters/prepare"
)

// Linkers put different things around the line at which something is missing.
func TestLinkersWithALine(t *testing.T) {
	for _, text := range []string{
		"/usr/bin/ld: main.o: in function `main':\n/w/main.c:4: undefined reference to `twice'",
		"/usr/bin/ld: main.o: in function `main':\n/w/main.c:4:(.text+0xa): undefined reference to `twice'", // binutils 2.44
		"/usr/bin/ld: main.o: in function `main': /w/main.c:4: undefined reference to `twice'",
	} {
		found := compileErrors(text, func(file string) string { return file })
		want := prepare.CompileError{File: "/w/main.c", Line: 4, Message: "undefined reference to `twice'"}
		if len(found) != 1 || found[0] != want {
			t.Errorf("%q has %+v, want %+v", text, found, want)
		}
	}
}
