package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"time"

	"aidb-mcp/internal/text/brief"
	"aidb-mcp/session"
)

// run is one run of the program under its debugger: how long it has taken, and what looks at it
// have shown.
type run struct {
	userCode
	log     *slog.Logger
	request session.StartRequest
	over    time.Time // when there must be a result
	number  int       // of the runs that were made, from 1
	begun   time.Time
	ran     time.Time     // when it was seen to run; zero where it was over at once
	lasted  time.Duration // so long it has run until it stopped
	queued  time.Duration // of that, it has waited for a processor, as far as the system tells
	readied time.Duration // so long it had waited for one when it was seen to run
	hits    int           // of the place where it is changed
	hang    hang          // of one that does not end
}

// Of the time that there is, what is kept for watchTime a program that does not end.
const (
	watchTime   = 3 * time.Second
	shortestRun = time.Second
)

// watchTime is how much of a run's time is kept to look at it, in case it does not end,
// and to see whether it makes progress.
func (n *run) watchTime() time.Duration {
	return watchTime + min(progressTime, n.over.Sub(n.begun)/4)
}

// cutText says what became of a run that was still computing when its time was over.
func (n *run) cutText() string {
	return "cut after " + brief.Duration(time.Since(n.begun)) + ", under the debugger: it was still computing"
}

// worked is how long the run has taken that failed, but for the time in which the machine had no processor
// for it: so long it takes on a machine with nothing else to do.
func (n *run) worked() time.Duration { return max(n.lasted-n.queued, 0) }

// hasTime says that the time allows what has been seen to run once more.
func (n *run) hasTime() bool {
	return time.Until(n.over) >= max(shortestRun, n.lasted)
}

// view is where the program has come to. What a busy debugger did not give in time it is asked for
// once more; unread says what it has not given then either.
func (n *run) view(ctx context.Context) (v *session.View, unread []string, err error) {
	v, err = n.s.View(ctx)
	if err != nil || v.Unread.What == "" || time.Now().After(n.over) {
		return v, nil, err
	}
	again, err := n.s.ViewWithoutOutput(ctx)
	if err != nil {
		return v, nil, err
	}
	again.Output, again.Warnings = v.Output, append(v.Warnings, again.Warnings...)
	again.Unfollowed = cmp.Or(v.Unfollowed, again.Unfollowed)
	if len(again.Children) == 0 {
		again.Children = v.Children
	}
	if again.Unread.What != "" {
		unread = []string{fmt.Sprintf("the %s could not be read: %s", again.Unread.What, again.Unread.Why)}
	}
	return again, unread, nil
}

func isRunning(s session.Status) bool { return s == session.Running || s == session.Starting }

// isUnended says whether a program would go on: it runs, or was stopped only to be
// looked at.
func isUnended(s session.Status) bool { return isRunning(s) || s == session.Paused }

// isHalted says whether a program was stopped in order to look at it.
func isHalted(s session.Status) bool {
	return s == session.Paused || s == session.StoppedStep || s == session.StoppedBreakpoint
}
