//go:build unix

package project

import (
	"os"
	"path/filepath"
	"testing"

	"aidb-mcp/internal/system/boundedfile/boundedfiletest"
)

// A named pipe or a device among the Go files of a workspace keeps nobody.
func TestPipesAmongGoFiles(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "main.go"), []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	boundedfiletest.Endless(t, filepath.Join(root, "pipe.go"), filepath.Join(root, "zero.go"))
	boundedfiletest.InTime(t, func() {
		if p, _ := known.Detect(root); p == nil || len(p.Programs) != 1 {
			t.Errorf("found %+v", p)
		}
	})
}
