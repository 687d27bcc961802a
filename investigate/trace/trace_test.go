package trace

import (
	"testing"

	"aidb-mcp/internal/recording"
	"aidb-mcp/session"
)

// What was not kept is counted in hits, and so is what was kept behind it: that cannot be
// compared with anything.
func TestComparableCountsWhatIsLost(t *testing.T) {
	log := recording.Log{Total: 100, Dropped: 94}
	for i, seq := range []int64{1, 2, 3, 4, 99, 100} {
		kind := []recording.Kind{recording.Enter, recording.Leave}[i%2]
		log.Events = append(log.Events, recording.Event{Kind: kind, Seq: seq, Call: (seq + 1) / 2, Function: "f"})
	}
	made := run{Recording: &session.Recording{Log: log}, rel: func(at string) string { return at }}
	table, lost := Question{What: Calls}.comparableTable(made, false)
	if table.Hits != 2 || lost != 48 {
		t.Errorf("%d calls are compared and %d are lost, not 2 and 48", table.Hits, lost)
	}
}

// Of a run whose beginning was not kept nothing can be compared.
func TestNothingComparable(t *testing.T) {
	log := recording.Log{Total: 100, Dropped: 99, Events: []recording.Event{{Kind: recording.Hit, Seq: 100, Values: []recording.Value{{Text: "1"}}}}}
	made := run{Recording: &session.Recording{Log: log}, rel: func(at string) string { return at }}
	table, lost := Question{What: Values}.comparableTable(made, false)
	if len(table.Rows) != 0 || lost != 100 {
		t.Errorf("%d rows are compared and %d hits are lost", len(table.Rows), lost)
	}
}
