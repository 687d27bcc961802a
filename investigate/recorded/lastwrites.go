package recorded

import "aidb-mcp/internal/recording"

const (
	againStops = 100 // writes to each place that a further run notes first
	mostRuns   = 14
)

// Widening is how many times as many events are noted next where the last ones hold no write.
const Widening = 16

// LastWrites asks for the last writes to watched places, of which there are so many that not all are
// noted: for those within the last Ticks of a clock, then for more of them until there are some, and
// then for less where these are too many.
type LastWrites struct {
	Ticks int64

	clocked   *recording.Clocked // of the run before; nil where it had no clock
	low, high int64              // there are too many since the one, if it is known, and none since the other
	made      int
}

// Next is what one more run is to note; nil where none would show more. Clock and count are what the
// run before has told (Log.SkippedBefore), missed says that it has seen none of the last writes.
func (l *LastWrites) Next(clock string, count int64, missed bool) *recording.Clocked {
	switch had := l.clocked; {
	case l.made == mostRuns:
		return nil
	case clock != "" && (had == nil || count < had.From):
		l.high = count
	case clock != "":
		l.low = had.From
	case missed && had != nil:
		clock, l.high = had.Clock, had.From
	default:
		return nil
	}
	from := (l.low + l.high) / 2
	if l.low == 0 {
		from = max(1, l.high-l.Ticks)
		l.Ticks *= Widening
	}
	if from <= l.low || from >= l.high {
		return nil
	}
	l.made++
	l.clocked = &recording.Clocked{First: againStops, Clock: clock, From: from}
	return l.clocked
}

// Clocked is what the run before was asked by a clock; nil where it had none.
func (l *LastWrites) Clocked() *recording.Clocked { return l.clocked }
