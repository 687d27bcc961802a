package diagnose

import (
	"context"
	"slices"
	"time"

	"aidb-mcp/investigate/diagnose/judge"
)

// addWaits asks who waits for what of a program that does not end. Those who are seen to wait for each
// other are a deadlock, whatever else of the program may go on.
func (x *examination) addWaits(ctx context.Context) {
	if x.r.Verdict != judge.Deadlock && x.r.Verdict != judge.Blocked {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, max(time.Until(x.question.Over), waitsTime))
	defer cancel()
	waits, err := x.s.Waits(ctx, "")
	if err != nil {
		return // the samples tell what is known without it
	}
	x.r.Waits = waits
	if len(waits.Deadlock()) > 0 {
		x.r.Verdict = judge.Deadlock
	}
}

// waitsTime is how long it may take to ask for waits where the time is over.
const waitsTime = 10 * time.Second

// ringThreads are the threads of a ring that was found, those of the last look first that are in it.
func (x *examination) ringThreads() []judge.Thread {
	ring := x.r.Waits.Deadlock()
	if len(ring) == 0 || len(x.seen) == 0 {
		return nil
	}
	var found []judge.Thread
	for _, w := range ring {
		for _, t := range x.seen[len(x.seen)-1] {
			if slices.ContainsFunc(w.Threads, func(id int) bool { return slices.Contains(t.IDs, id) }) {
				found = append(found, t)
			}
		}
	}
	return found
}
