package testkit

import (
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// OnOneProcessor gives the test one processor, and with it all that the test starts from now on.
func OnOneProcessor(t testing.TB) {
	t.Helper()
	runtime.LockOSThread() // and the thread ends with the test's goroutine
	var all, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		t.Fatal(err)
	}
	for i := 0; one.Count() == 0; i++ {
		if all.IsSet(i) {
			one.Set(i)
		}
	}
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		t.Fatal(err)
	}
}
