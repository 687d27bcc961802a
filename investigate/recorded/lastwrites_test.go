package recorded

import "testing"

// A run notes 700 writes to a place since the clock has come to where it was asked to; the place is
// written to at each tick until the last write.
func TestLastWrites(t *testing.T) {
	t.Parallel()
	const end, noted = 1_000_000, 700
	for name, c := range map[string]struct {
		last int64
		most int // runs
	}{"at the end": {end, 1}, "a little before": {end - 300, 2}, "long before": {600_000, 14}, "at the beginning": {40, 5}, "never": {0, 5}} {
		l, runs, found := LastWrites{Ticks: 32}, 0, int64(0)
		for clock := "c"; ; runs++ {
			next := l.Next(clock, end, found == 0)
			if next == nil {
				break
			}
			found, clock = max(0, c.last-next.From), ""
			if found > noted {
				clock = "c"
			}
		}
		if runs > c.most || found > noted || (found == 0) != (c.last == 0) {
			t.Errorf("%s: the last of %d runs saw %d writes", name, runs, found)
		}
	}
}

// What the first run has counted may be less than what the next one does, which counts from the start.
func TestClockThatNeverComes(t *testing.T) {
	t.Parallel()
	l := LastWrites{Ticks: 32}
	l.Next("c", 5000, false)
	if next := l.Next("c", 100, false); next == nil || next.From != 1 {
		t.Errorf("the next run is asked for %+v", next)
	}
}
