package delve

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io"

	"aidb-mcp/internal/system/boundedfile"
)

// Files of a project may be named pipes or devices: nothing here opens those.

// parse reads a Go file, as far as it can be read; nil when not at all.
func parse(file string, mode parser.Mode) *ast.File {
	text, err := boundedfile.ReadText(file)
	if err != nil {
		return nil
	}
	return parseText(file, text, mode)
}

// parseText parses what a file was found to hold.
func parseText(file string, text []byte, mode parser.Mode) *ast.File {
	parsed, _ := parser.ParseFile(token.NewFileSet(), file, text, mode)
	return parsed
}

// goBuild is the build context of this machine.
func goBuild() build.Context {
	c := build.Default
	c.OpenFile = func(path string) (io.ReadCloser, error) { return boundedfile.Open(path) }
	return c
}
