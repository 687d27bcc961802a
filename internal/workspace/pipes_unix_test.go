//go:build unix

package workspace

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A named pipe or a device among the Go files of a workspace keeps nobody.
func TestPipesAmongGoFiles(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "main.go"), []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(root, "pipe.go"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(root, "zero.go")); err != nil {
		t.Fatal(err)
	}
	done := make(chan *Project, 1)
	go func() {
		p, _ := Detect(root)
		done <- p
	}()
	select {
	case p := <-done:
		if p == nil || len(p.Programs) != 1 {
			t.Errorf("found %+v", p)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it waits for a pipe")
	}
}
