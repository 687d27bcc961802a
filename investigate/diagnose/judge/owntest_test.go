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

// What had ended before the failed test began belongs to others; what was made ready for it
// does not, nor does a test that stands around it.
func TestOwnTestThatIsTold(t *testing.T) {
	enter := func(call int64, function string) recording.Event {
		return recording.Event{Kind: recording.Enter, Call: call, Function: function, At: function + ":1"}
	}
	leave := func(call int64) recording.Event { return recording.Event{Kind: recording.Leave, Call: call} }
	under := func(call int64, function string) recording.Event {
		e := enter(call, function)
		e.Stack = []string{"caller:1"}
		return e
	}
	began := func(test string) recording.Event {
		return recording.Event{Kind: recording.TestBegan, Detail: &recording.Detail{Test: test}}
	}
	failed := &recording.Event{Kind: recording.Failed, Detail: &recording.Detail{Test: "b"}}
	for name, test := range map[string]struct {
		events []recording.Event
		event  *recording.Event
		want   string
	}{
		"one after another":       {[]recording.Event{began("a"), enter(1, "a"), enter(2, "half"), leave(2), leave(1), began("b"), enter(3, "ready"), leave(3), enter(4, "b")}, failed, "ready b"},
		"one within another":      {[]recording.Event{began("a"), enter(1, "a"), under(2, "half"), leave(2), began("c"), enter(4, "c"), leave(4), began("b"), enter(3, "b")}, failed, "a half b"},
		"two beside each other":   {[]recording.Event{enter(9, "early"), leave(9), began("b"), enter(1, "b"), leave(1), began("a"), enter(2, "a")}, failed, "b a"},
		"a name that is not told": {[]recording.Event{enter(9, "early"), leave(9), began("file::b"), enter(1, "b")}, failed, "b"},
		"nothing is told":         {[]recording.Event{enter(1, "a"), leave(1), enter(2, "b")}, failed, "a b"},
		"no event":                {[]recording.Event{began("a"), enter(1, "a"), leave(1), began("b"), enter(2, "b")}, nil, "b"},
	} {
		var calls []string
		for _, e := range (Moment{Event: test.event, threads: []string{""}}).OwnTest(test.events) {
			if e.Kind == recording.Enter {
				calls = append(calls, e.Function)
			}
		}
		if got := strings.Join(calls, " "); got != test.want {
			t.Errorf("%s: of its own are %s; want %s", name, got, test.want)
		}
	}
}
