package judge

import (
	"testing"

	"aidb-mcp/internal/recording"
)

func TestTheLastCallsAreOfARunThatWentTheSameWay(t *testing.T) {
	counted := func(counts ...int64) (events []recording.Event) {
		for i, n := range counts {
			events = append(events, recording.Event{Kind: recording.Counted, Function: "f", Place: string(rune('a' + i)), Hit: n})
		}
		return events
	}
	first := ThinnedIn(counted(1000, 200), 2, 200)
	if len(first) != 1 || first.After(32)["a"] != 968 {
		t.Fatalf("%+v", first)
	}
	for _, c := range []struct {
		events []recording.Event
		differ bool
	}{
		{counted(1000), false},
		{counted(1001), true},
		{counted(), true},
		{counted(1000, 201), true},
	} {
		if how := first.Differs(ThinnedIn(c.events, len(c.events), 200)); (how != "") != c.differ {
			t.Errorf("%+v: %q", c.events, how)
		}
	}
	if later := ThinnedIn(append(counted(1000), counted(1010)...), 1, 200); later["a"].Calls != 1000 {
		t.Errorf("calls after the failure count: %+v", later)
	}
	if text := (Thinned{"a": {"mix", 5000}, "b": {"step", 7000}}).String(); text != "step (7000 calls), mix (5000 calls)" {
		t.Error(text)
	}
}

func TestWatchedCallsAreThoseOfFunctionsThatWereNotLeftAlone(t *testing.T) {
	events := []recording.Event{
		{Kind: recording.Enter, Function: "work", Call: 1}, {Kind: recording.Enter, Function: "step", Call: 2}, {Kind: recording.Leave, Function: "step", Call: 2},
		{Kind: recording.Enter, Function: "step", Call: 3}, {Kind: recording.Unwatched, Function: "step", Hit: 2}, {Kind: recording.Leave, Function: "work", Call: 1},
		{Kind: recording.Failed, Function: "step", Call: 3},
	}
	left := UnwatchedIn(events)
	watched := left.Without(events)
	if len(watched) != 4 || watched[0].Call != 1 || watched[2].Kind != recording.Leave || watched[3].Kind != recording.Failed || left.Names() != "step" {
		t.Errorf("watched are %+v, left alone %v", watched, left)
	}
	if none := UnwatchedIn(watched[:1]); len(none) != 0 || len(none.Without(events)) != len(events) {
		t.Errorf("left alone are %v", none)
	}
}

// A function that is counted and left alone goes by two names, and is named once.
func TestWithWhatIsCounted(t *testing.T) {
	left := Thinned{"step": {"step", 50_000}}
	all := left.With(Thinned{"a.py:3": {"step", 201}, "a.py:9": {"walk", 300}})
	if got := all.String(); got != "step (50000 calls), walk (300 calls)" || len(left) != 1 {
		t.Errorf("together they are %s, and the first is %v", got, left)
	}
}

// Of a run that was ended at once, only those functions are uncertain whose count ends with the last
// call that was noted.
func TestUncounted(t *testing.T) {
	events := []recording.Event{
		{Kind: recording.Counted, Function: "step", Place: "a.go:3", Hit: 200},
		{Kind: recording.Counted, Function: "walk", Place: "a.go:9", Hit: 200},
		{Kind: recording.Counted, Function: "walk", Place: "a.go:9", Hit: 4000},
		{Kind: recording.Counted, Function: "rare", Place: "a.go:12", Hit: 7},
	}
	if got := UncountedIn(events, 200).Names(); got != "step" {
		t.Errorf("uncertain are %s", got)
	}
}
