package testkit

import (
	"os"
	"testing"
)

// LongVariable asks for the long run when it is set: "make test-all" sets it.
const LongVariable = "AIDB_LONG"

// IsLong says that this is the long run, for tests that do more of the same there.
func IsLong() bool { return os.Getenv(LongVariable) != "" }

// Long leaves a test to the long run, and says why it belongs there: it does again
// with a second debugger, under a server that looks for races or with many more
// rounds what another test does in the short run, or it proves a figure. No
// behaviour may have its only test behind it.
func Long(t testing.TB, why string) {
	t.Helper()
	if !IsLong() {
		t.Skipf("part of the long run (make test-all, or %s=1): %s", LongVariable, why)
	}
}

// Rounds is how often a test repeats what fails now and then: less in the short run.
func Rounds(short, long int) int {
	if IsLong() {
		return long
	}
	return short
}
