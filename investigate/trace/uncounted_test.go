package trace

import (
	"testing"

	"aidb-mcp/internal/recording"
	"aidb-mcp/session"
)

// What was lost of a run whose reads are noted too need not have been writes.
func TestLostEventsNeedNotBeWrites(t *testing.T) {
	write := recording.Event{Kind: recording.Write, Seq: 100, Place: "x", Values: []recording.Value{{Text: "1"}, {Text: "2"}}}
	use := recording.Event{Kind: recording.Use, Seq: 99}
	for name, tt := range map[string]struct {
		events                   []recording.Event
		hits, dropped, uncounted int64
	}{
		"writes alone": {[]recording.Event{write}, 99, 98, 0},
		"reads too":    {[]recording.Event{use, write}, 1, 0, 98},
	} {
		t.Run(name, func(t *testing.T) {
			run := run{Recording: &session.Recording{Log: recording.Log{Total: 100, Dropped: 98, Events: tt.events}}, rel: func(at string) string { return at }}
			got := Question{What: Writes, Limit: 10}.shownTable(run)
			if got.Hits != tt.hits || got.Dropped != tt.dropped || got.Uncounted != tt.uncounted {
				t.Errorf("%d hits, %d dropped, %d uncounted", got.Hits, got.Dropped, got.Uncounted)
			}
		})
	}
}
