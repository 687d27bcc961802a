package handlers

import (
	"strings"
	"testing"

	"aidb-mcp/session"
	"aidb-mcp/session/breakpoints"
)

// Of a line that holds a whole loop it is not said that a condition never held: it may
// have been looked at before the first round only.
func TestMissedInALoopOfOneLine(t *testing.T) {
	b := session.Breakpoint{Verified: true, Text: "for (; b != e; ++b) acc += *b;"}
	b.Condition = breakpoints.Expression{Text: "acc == 10"}
	for _, reached := range []int{0, 1} {
		if b.Reached = reached; strings.Contains(missedReason(b), "never held") || !strings.Contains(missedReason(b), "first round") {
			t.Errorf("reached %d: %s", reached, missedReason(b))
		}
	}
	b.Text = "acc += *b;"
	if !strings.Contains(missedReason(b), "never held") {
		t.Errorf("of a plain line: %s", missedReason(b))
	}
}
