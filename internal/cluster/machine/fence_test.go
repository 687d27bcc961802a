package machine

import (
	"testing"
	"time"
)

// The clock goes on while the machine sleeps, when the steady one stands still, and never
// goes back when somebody sets the time.
func TestTheClockOfWhoSleeps(t *testing.T) {
	begun := time.Now()
	w := suspendClock{began: begun}
	wall := begun.Round(0)
	for i, s := range []struct {
		steady, set, want time.Duration
	}{
		{time.Second, 0, time.Second},
		{2 * time.Second, time.Hour, time.Hour + 2*time.Second},
		{3 * time.Second, time.Hour, time.Hour + 3*time.Second},
		{2 * time.Second, time.Hour, time.Hour + 3*time.Second}, // read before, and asked after
		{4 * time.Second, 0, time.Hour + 4*time.Second},         // set back
		{5 * time.Second, 0, time.Hour + 5*time.Second},
		{6 * time.Second, time.Hour, 2*time.Hour + 6*time.Second}, // and on again, which looks like sleep
	} {
		if got := w.at(s.steady, wall.Add(s.steady+s.set)); got != s.want {
			t.Errorf("step %d: %s, want %s", i, got, s.want)
		}
	}
}
