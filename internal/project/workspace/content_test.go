package workspace_test

import (
	"os"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/project/workspace"
)

// Two workspaces are the same by what is in them, wherever they lie, whatever tools have left there.
func TestContent(t *testing.T) {
	write := func(dir, name, text string, mode os.FileMode) {
		t.Helper()
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	made := func() string {
		dir := t.TempDir()
		write(dir, "calc.py", "print(1)\n", 0o644)
		write(dir, "data/rates.csv", "1,2\n", 0o644)
		write(dir, "node_modules/a/index.js", "1", 0o644)
		if err := os.Symlink(filepath.Join(dir, "data"), filepath.Join(dir, "same")); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	content := func(dir string) string {
		t.Helper()
		sum, err := workspace.Languages(nil).ReadContent(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	first := content(made())
	for name, change := range map[string]struct {
		do   func(dir string)
		same bool
	}{
		"nothing":             {func(string) {}, true},
		"compiled":            {func(dir string) { write(dir, "__pycache__/calc.pyc", "x", 0o644) }, true},
		"a cache of pytest":   {func(dir string) { write(dir, ".pytest_cache/v", "x", 0o644) }, true},
		"a source":            {func(dir string) { write(dir, "calc.py", "print(2)\n", 0o644) }, false},
		"data of the program": {func(dir string) { write(dir, "data/rates.csv", "1,3\n", 0o644) }, false},
		"a file more":         {func(dir string) { write(dir, "empty", "", 0o644) }, false},
		"a hidden file":       {func(dir string) { write(dir, ".env", "A=1", 0o644) }, false},
		"a dependency":        {func(dir string) { write(dir, "node_modules/a/index.js", "12", 0o644) }, false},
	} {
		dir := made()
		change.do(dir)
		if same := content(dir) == first; same != change.same {
			t.Errorf("%s: the same is %t", name, same)
		}
	}
}
