package diagnose

import (
	"context"
	"time"

	"aidb-mcp/investigate/diagnose/judge"
)

// addWaits asks who waits for what of a program that does not end. Those who are seen to wait for each
// other are a deadlock, whatever else of the program may go on.
func (o *outcome) addWaits(ctx context.Context) {
	if o.r.Verdict != judge.Deadlock && o.r.Verdict != judge.Blocked {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, max(time.Until(o.run.over), waitsTime))
	defer cancel()
	waits, err := o.s.Waits(ctx, "")
	if err != nil {
		return // the samples tell what is known without it
	}
	o.r.Waits = waits
	if len(waits.Deadlock()) > 0 {
		o.r.Verdict = judge.Deadlock
	}
}

// waitsTime is how long it may take to ask for waits where the time is over.
const waitsTime = 10 * time.Second
