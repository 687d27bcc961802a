// Package recorded checks what recorders of the languages have noted, for their tests. It must not
// know how a program is run.
package recorded

import (
	"testing"

	"aidb-mcp/internal/recording"
)

// CallsEnd checks that each call that a recorder has noted has begun and ended, both once.
func CallsEnd(t testing.TB, events []recording.Event) {
	t.Helper()
	open := map[int64]int{}
	for _, e := range events {
		switch e.Kind {
		case recording.Enter:
			open[e.Call]++
		case recording.Leave:
			open[e.Call]--
		}
	}
	for call, n := range open {
		if n != 0 {
			t.Errorf("call %d has no end, or another's", call)
		}
	}
}
