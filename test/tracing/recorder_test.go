//go:build linux

package tracing

import "testing"

// A recorder that fails before the program runs says nothing of the program.
func TestARecorderThatFails(t *testing.T) {
	t.Parallel()
	l := open(t, cpp)
	broken := A{"adapter_options": A{"debugger": "gdb", "initCommands": []string{"quit 1"}}}
	l.Fail("SESSION_START_FAILED", "trace", l.with(A{"what": "calls", "functions": []string{"fee"}, "start": broken})).
		Contains([]string{"error", "message"}, "the recorder itself has failed")
}
