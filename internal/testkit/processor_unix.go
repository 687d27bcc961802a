//go:build unix

package testkit

import (
	"fmt"
	"syscall"
	"testing"
	"time"
)

// Processor is how much this process has computed so far. What must not take long to
// compute is measured by it: a busy machine makes the clock run on, and this not.
func Processor(t testing.TB) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// tellProcessor prints how much was computed for a package, by its tests and by all that
// they have started and seen end. The report on all tests sums it: on a busy machine it
// is the figure that says what tests cost.
func tellProcessor() {
	var user, system time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var used syscall.Rusage
		if err := syscall.Getrusage(who, &used); err != nil {
			return
		}
		user, system = user+time.Duration(used.Utime.Nano()), system+time.Duration(used.Stime.Nano())
	}
	fmt.Printf("processor time: %.1f s, %.1f s of it the system's\n", (user + system).Seconds(), system.Seconds())
}
