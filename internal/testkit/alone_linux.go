package testkit

import (
	"os"
	"syscall"
	"testing"
)

// Alone waits until no other process holds the file, which is made if it is not
// there, and returns how that ends.
func Alone(t testing.TB, name string) func() {
	t.Helper()
	lock, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	return func() { _ = lock.Close() }
}
