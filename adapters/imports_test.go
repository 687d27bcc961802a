package adapters

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// shared are the folders beside the languages that all of them may use.
var shared = []string{"install", "observe", "peer", "prepare", "ways"}

// An adapter knows no other one: whoever adds a language edits no rule for it.
func TestNoAdapterImportsAnother(t *testing.T) {
	const below = "aidb-mcp/adapters/"
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		own, _, nested := strings.Cut(filepath.ToSlash(path), "/")
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), "_")):
			return filepath.SkipDir
		case d.IsDir() || !nested || filepath.Ext(path) != ".go":
			return nil
		}
		seen[own] = true
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range file.Imports {
			name, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			of, is := strings.CutPrefix(name, below)
			of, _, _ = strings.Cut(of, "/")
			if is && of != own && !slices.Contains(shared, of) {
				t.Errorf("%s imports %s: an adapter knows no other one", path, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(slices.Clone(shared), "delve", "native") {
		if !seen[name] {
			t.Errorf("no file of %s was read, only those of %v", name, seen)
		}
	}
}
