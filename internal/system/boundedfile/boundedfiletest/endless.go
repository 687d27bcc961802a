//go:build unix

// Package boundedfiletest makes what stands in the place of a file and holds whoever
// reads it, for the tests of readers.
package boundedfiletest

import (
	"os"
	"syscall"
	"testing"
	"time"
)

// Endless makes a named pipe that nobody writes to, and a link to a device that
// never ends.
func Endless(t testing.TB, pipe, zero string) {
	t.Helper()
	if err := syscall.Mkfifo(pipe, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", zero); err != nil {
		t.Fatal(err)
	}
}

// InTime runs a reader, which may not be held.
func InTime(t testing.TB, read func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		read()
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("somebody waits for a pipe")
	}
}
