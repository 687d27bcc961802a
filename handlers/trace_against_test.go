package handlers

import (
	"slices"
	"testing"

	"aidb-mcp/internal/process"
	"aidb-mcp/internal/recording"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// What was not kept is counted in hits, and so is what was kept behind it: that cannot be
// compared with anything.
func TestComparableCountsWhatIsLost(t *testing.T) {
	log := recording.Log{Total: 100, Dropped: 94}
	for i, seq := range []int64{1, 2, 3, 4, 99, 100} {
		kind := []recording.Kind{recording.Enter, recording.Leave}[i%2]
		log.Events = append(log.Events, recording.Event{Kind: kind, Seq: seq, Call: (seq + 1) / 2, Function: "f"})
	}
	run := sided{&session.Recording{Log: log}, func(at string) string { return at }}
	table, lost := run.comparable(&tools.TraceParams{What: "calls"}, false)
	if table.Hits != 2 || lost != 48 {
		t.Errorf("%d calls are compared and %d are lost, not 2 and 48", table.Hits, lost)
	}
}

// Of a run whose beginning was not kept nothing can be compared.
func TestNothingComparable(t *testing.T) {
	log := recording.Log{Total: 100, Dropped: 99, Events: []recording.Event{{Kind: recording.Hit, Seq: 100, Values: []recording.Value{{Text: "1"}}}}}
	run := sided{&session.Recording{Log: log}, func(at string) string { return at }}
	if table, lost := run.comparable(&tools.TraceParams{What: "values"}, false); len(table.Rows) != 0 || lost != 100 {
		t.Errorf("%d rows are compared and %d hits are lost", len(table.Rows), lost)
	}
}

// Of the second run that is told which was not said of the first.
func TestNotesOfTheSecondRun(t *testing.T) {
	first := sided{run: &session.Recording{Warnings: []string{"both"}}}
	second := sided{run: &session.Recording{Warnings: []string{"both", "there is no place to watch"}, Exit: &process.ExitStatus{Code: 3}}}
	want := []string{"the second run: exit code 3", "the second run: there is no place to watch"}
	if got := second.notes(first); !slices.Equal(got, want) {
		t.Errorf("the notes are %q, want %q", got, want)
	}
}
