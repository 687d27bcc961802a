//go:build unix

package delve

import (
	"go/build"
	"go/parser"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Whoever opens a named pipe that nobody writes to waits for ever; one in the
// place of a Go file or of a program keeps nobody.
func TestPipesInPlaceOfFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	pipe := filepath.Join(dir, "pipe_test.go")
	if err := syscall.Mkfifo(pipe, 0o700); err != nil {
		t.Fatal(err)
	}
	zero := filepath.Join(dir, "zero.go")
	if err := os.Symlink("/dev/zero", zero); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, path := range []string{pipe, zero} {
			if _, err := buildInfo(path); err == nil {
				t.Errorf("%s is read as a program", path)
			}
			if parsed := parse(path, parser.SkipObjectResolution); parsed != nil {
				t.Errorf("%s is read as %v", path, parsed.Name)
			}
			if !hasDebugInfo(path) || isDelve(path) || isGoBinary(path) || packageName(path) != "" || testsIn(path) != nil {
				t.Errorf("%s is taken for something", path)
			}
		}
		c := goBuild()
		if pkg, err := c.ImportDir(dir, build.IgnoreVendor); err == nil {
			t.Logf("the package is %v", pkg.Name)
		}
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("somebody waits for a pipe")
	}
}
