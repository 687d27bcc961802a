//go:build ignore

// Check that all packages have valid types on other systems, each given as os/arch.
// That is what breaks there, and takes a tenth of the time of compiling; "make cross"
// makes what is released.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	home, err := os.Getwd()
	if err != nil {
		fail(err)
	}
	wrong := 0
	for _, target := range os.Args[1:] {
		system, arch, _ := strings.Cut(target, "/")
		checked, err := packages.Load(&packages.Config{
			Mode:      packages.LoadAllSyntax,
			Env:       append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+arch),
			ParseFile: declared(home + string(os.PathSeparator)),
		}, "./...")
		if err != nil {
			fail(err)
		}
		for _, p := range checked {
			for _, e := range p.Errors {
				wrong++
				fmt.Fprintf(os.Stderr, "%s: %v\n", target, e)
			}
		}
		fmt.Printf("%s: %d packages\n", target, len(checked))
	}
	if wrong > 0 {
		os.Exit(1)
	}
}

// declared parses a file; of others' code without the bodies of functions, which are
// theirs to check.
func declared(home string) func(*token.FileSet, string, []byte) (*ast.File, error) {
	return func(set *token.FileSet, name string, text []byte) (*ast.File, error) {
		file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
		if file == nil || strings.HasPrefix(name, home) {
			return file, err
		}
		for _, d := range file.Decls {
			if f, is := d.(*ast.FuncDecl); is && f.Type.TypeParams == nil {
				f.Body = nil
			}
		}
		return file, err
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "check the types:", err)
	os.Exit(1)
}
