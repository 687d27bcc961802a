package testkit

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/gofrs/flock"
)

// mostUsual is how many tests have the same program at once in a place of its own.
const mostUsual = 30

// usualDir is a new directory at a place where a program of that name has lain before, if
// one has, and where no other test has it now: Go's build cache holds what is compiled by
// where it lies, so that a program that lies elsewhere in each test is compiled in each.
func usualDir(t testing.TB, name string) string {
	t.Helper()
	parent := filepath.Join(os.TempDir(), fmt.Sprintf("aidb-test-programs-%d", os.Getuid()))
	if err := os.MkdirAll(parent, 0o700); err != nil {
		t.Fatal(err)
	}
	for n := range mostUsual {
		dir := filepath.Join(parent, fmt.Sprintf("%s-%d", name, n))
		lock := flock.New(dir + ".lock")
		mine, err := lock.TryLock()
		if err != nil {
			t.Fatal(err)
		}
		if !mine {
			continue
		}
		t.Cleanup(func() {
			if err := os.RemoveAll(dir); err != nil {
				t.Errorf("the program's directory stays: %v", err)
			}
			_ = lock.Unlock()
		})
		if err := os.RemoveAll(dir); err != nil { // of a test that was killed
			t.Fatal(err)
		}
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	return t.TempDir()
}
