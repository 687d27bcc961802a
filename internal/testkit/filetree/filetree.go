// Package filetree lays out files for tests. It knows nothing of what they are for.
package filetree

import (
	"os"
	"path/filepath"
	"testing"
)

// New lays out files below a new directory, and returns that by its canonical name.
func New(t testing.TB, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	Write(t, root, files)
	return root
}

// Write lays out files, each with its text, by their slash-separated paths below a directory.
func Write(t testing.TB, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
