package judge_test

import (
	"testing"

	"aidb-mcp/internal/recording"
	"aidb-mcp/investigate/diagnose/judge"
)

// What calls itself often was noted at its last calls only: that they were made in one
// that is not known is said, and nothing where all of these are noted.
func TestWithinACallThatWasOnlyCounted(t *testing.T) {
	t.Parallel()
	often := judge.Thinned{"/fib.py:1 fib": {Function: "fib", Calls: 35400}}
	enter := func(call int64, function, caller string) recording.Event {
		return recording.Event{Kind: recording.Enter, Call: call, Function: function, Stack: []string{caller}}
	}
	leave := func(call int64) recording.Event { return recording.Event{Kind: recording.Leave, Call: call} }
	check := []recording.Event{enter(9, "main", "<module> /fib.py:10"), enter(1, "check", "main /fib.py:9"), leave(1)}
	for _, c := range []struct {
		name   string
		events []recording.Event
		want   string
	}{
		{"in a recursion", append(check, enter(2, "fib", "fib /fib.py:2"), leave(2), enter(3, "check", "main /fib.py:9")), "fib"},
		{"called by a frame", append(check, enter(2, "fib", "main /fib.py:9"), leave(2)), ""},
		{"in a noted call", append(check, enter(2, "fib", "main /fib.py:9"), enter(3, "fib", "fib /fib.py:2"), leave(3), leave(2)), ""},
		{"called by a library", append(check, enter(2, "fib", "dispatch /lib.py:1"), leave(2)), ""},
		{"nothing called", nil, ""},
	} {
		if got := often.Within(c.events); got != c.want {
			t.Errorf("%s: within %q, want %q", c.name, got, c.want)
		}
	}
}
