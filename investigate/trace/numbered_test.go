package trace

import (
	"testing"

	"aidb-mcp/internal/recording"
	"aidb-mcp/session"
)

// Writes that have numbers are counted though most of them, and reads, were not kept.
func TestNumberedWritesAreCounted(t *testing.T) {
	write := func(seq, number, all int64, place string) recording.Event {
		return recording.Event{Kind: recording.Write, Seq: seq, Hit: number, Among: all, Place: place, At: "a.py:1", Values: []recording.Value{{Text: "1"}, {Text: "1"}}}
	}
	pass := recording.Event{Kind: recording.Hit, Seq: 100, Values: []recording.Value{{Text: "1", Place: "o1.x"}}}
	for name, tt := range map[string]struct {
		events          []recording.Event
		hits, uncounted int64
		rows, gap       int
	}{
		"all":                             {[]recording.Event{write(1, 1, 1, "o1.x"), write(2, 2, 2, "o1.x"), write(98, 60, 90, "o1.x"), write(99, 61, 91, "o1.x"), {Kind: recording.Failed, Seq: 100}}, 91, 0, 2, 1},
		"unnumbered":                      {[]recording.Event{write(1, 0, 0, "o1.x"), write(99, 0, 0, "o1.x"), {Kind: recording.Failed, Seq: 100}}, 2, 97, 2, 1},
		"no write behind what is missing": {[]recording.Event{write(1, 1, 1, "o1.x"), write(2, 2, 2, "o1.x"), {Kind: recording.Failed, Seq: 100}}, 2, 97, 1, 1},
		"of two processes": {[]recording.Event{write(1, 1, 1, "o1.x"), write(50, 40, 40, "o1.x"), func() recording.Event {
			e := write(90, 30, 30, "child 1 o1.x")
			e.Child = 1
			return e
		}()}, 70, 0, 2, 0},
	} {
		t.Run(name, func(t *testing.T) {
			total := tt.events[len(tt.events)-1].Seq
			run := run{Recording: &session.Recording{Log: recording.Log{Total: total, Dropped: total - int64(len(tt.events)), Events: tt.events}}, rel: func(at string) string { return at }}
			got := Question{What: Writes, Limit: 10}.shownTable(run)
			if got.Hits != tt.hits || got.Uncounted != tt.uncounted || tt.gap > 0 && (len(got.Rows) != tt.rows || got.Gap != tt.gap) {
				t.Errorf("%d hits, %d uncounted, %d rows %v, a gap after %d", got.Hits, got.Uncounted, len(got.Rows), got.Rows, got.Gap)
			}
		})
	}
	for name, tt := range map[string]struct {
		events []recording.Event
		made   int64
		known  bool
	}{
		"last behind what is missing": {[]recording.Event{write(1, 1, 1, "o1.x"), write(98, 60, 90, "o1.x"), write(99, 9, 91, "o2.x"), pass}, 60, true},
		"others may be missing":       {[]recording.Event{write(1, 1, 1, "o1.x"), write(99, 9, 91, "o2.x"), pass}, 0, false},
		"none was kept":               {[]recording.Event{write(1, 1, 1, "o2.x"), write(99, 9, 91, "o2.x"), pass}, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			log := recording.Log{Total: 100, Dropped: 96, Events: tt.events}
			kept, _ := ofPart(log)
			if made, known := countParts(log, kept); made != tt.made || known != tt.known {
				t.Errorf("%d writes, known: %t", made, known)
			}
		})
	}
}
