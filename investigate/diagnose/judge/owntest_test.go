package judge

import (
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
)

// What the same test has called with other parameters led to nothing of the failure; what
// was made ready before it did, as did what other threads have done.
func TestOwnTestOfSeveral(t *testing.T) {
	enter := func(call int64, function, thread string) recording.Event {
		return recording.Event{Kind: recording.Enter, Call: call, Function: function, At: function + ":1", Thread: thread}
	}
	leave := func(call int64, thread string) recording.Event {
		return recording.Event{Kind: recording.Leave, Call: call, Thread: thread}
	}
	events := []recording.Event{
		enter(1, "ready", ""), leave(1, ""), enter(2, "test", ""), enter(3, "half", ""), leave(3, ""), enter(9, "aside", "t"), leave(9, "t"), leave(2, ""),
		enter(4, "ready", ""), leave(4, ""), enter(5, "test", ""), enter(6, "half", ""), enter(7, "test", ""), leave(7, ""), leave(6, ""),
	}
	for name, tail := range map[string][]recording.Event{"it stands": nil, "it was left": {leave(5, "")}} {
		var calls []string
		for _, e := range (Moment{threads: []string{""}}).OwnTest(append(events[:len(events):len(events)], tail...)) {
			if e.Kind == recording.Enter {
				calls = append(calls, e.Function)
			}
		}
		if got := strings.Join(calls, " "); got != "ready aside ready test half test" {
			t.Errorf("%s: of its own are %s", name, got)
		}
	}
}
