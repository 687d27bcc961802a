//go:build unix

package build

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A named pipe or a device in the place of a program keeps nobody.
func TestPipesInPlaceOfPrograms(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "app")
	if err := syscall.Mkfifo(pipe, 0o700); err != nil {
		t.Fatal(err)
	}
	zero := filepath.Join(dir, "zero")
	if err := os.Symlink("/dev/zero", zero); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, path := range []string{pipe, zero} {
			if madeByRust(path) || RustMain(path) != "" || isExecutable(path) || !hasDebugInfo(path) {
				t.Errorf("%s is taken for something", path)
			}
		}
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("somebody waits for a pipe")
	}
}
