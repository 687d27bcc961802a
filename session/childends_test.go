package session

import (
	"testing"

	"aidb-mcp/internal/system/offspring"
)

// Those that a child process has started are not counted as if the program had: one of its own that
// lives would not be missed.
func TestDescentText(t *testing.T) {
	ended := offspring.End{PID: 7, Name: "sh"}
	for _, c := range []struct {
		of   offspring.Descent
		want string
	}{
		{offspring.Descent{Ends: []offspring.End{ended, ended}, Children: 2, Grandchildren: 1},
			"not followed: the program has started 2 child processes (and these 1 more), of which 1 had not ended when it did; all that have ended did so with exit code 0"},
		{offspring.Descent{Ends: []offspring.End{ended, {PID: 8, Name: "sh", Code: 3}}, Children: 2},
			"not followed: the program has started 2 child processes; sh (process 8) ended with exit code 3 (how)"},
	} {
		if got := descentText(c.of, " (how)"); got != c.want {
			t.Errorf("%+v: %s", c.of, got)
		}
	}
}
