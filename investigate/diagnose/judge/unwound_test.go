package judge

import (
	"testing"

	"aidb-mcp/internal/recording"
)

// What handlers call while a failure goes through them has not led to it: neither where it
// is told of afterwards, nor where the program is stopped after all of that.
func TestWhatIsCalledWhileAFailureUnwinds(t *testing.T) {
	const words = "ValueError: no"
	events := []recording.Event{
		enter(1, "main", ""), enter(2, "work", "main /w/a.py:9"), leave(2, "work", words, true), // it is tried again
		enter(3, "wait", "main /w/a.py:11"), leave(3, "wait", "", false),
		enter(4, "work", "main /w/a.py:9"), enter(5, "half", "work /w/a.py:3"), leave(5, "half", "1", false), leave(4, "work", words, true),
		enter(6, "clean", "main /w/a.py:13"), leave(6, "clean", "", false), leave(1, "main", words, true),
		enter(7, "report", ""), leave(7, "report", "", false),
		{Kind: recording.Failed, Text: recording.Uncaught, At: "/w/a.py:4", Function: "work", Values: []recording.Value{{Text: words}}},
	}
	f := Failing{Type: "ValueError", Message: words, File: "/w/a.py", Line: 4, Function: "work"}
	told, found := MomentOf(events, f)
	if !found {
		t.Fatal("it is not found")
	}
	elsewhere := told
	elsewhere.function = "other"
	for name, try := range map[string]struct {
		m     Moment
		calls []int64
	}{
		"told":                 {told, []int64{1, 2, 3, 4, 5}},
		"standing":             {Standing(events[:len(events)-1], f), []int64{1, 2, 3, 4, 5}},
		"of main's own":        {Moment{At: told.At, Event: told.Event, threads: told.threads, failure: words, function: "main"}, []int64{1, 2, 3, 4, 5, 6}},
		"of what is not in it": {elsewhere, []int64{1, 2, 3, 4, 5, 6, 7}},
	} {
		var calls []int64
		for _, e := range try.m.Until(events) {
			if e.Kind == recording.Enter {
				calls = append(calls, e.Call)
			}
		}
		if len(calls) != len(try.calls) {
			t.Errorf("%s: the calls that led there are %v, want %v", name, calls, try.calls)
		}
	}
}
