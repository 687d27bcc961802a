package diagnose

import (
	"context"
	"time"

	"aidb-mcp/internal/system/process"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/session"
)

// While a program runs it is looked at so often, from outside. Once it has computed
// nothing for so many looks it may be told already what it waits for.
const (
	glanceEvery = 100 * time.Millisecond
	still       = 10
	slower      = 4 // times as long until it is asked again
)

// await lets the program run until it stops, ends, surely never will, or until so long
// before the end of the time that a look at it is left.
func (n *run) await(ctx context.Context) (session.State, error) {
	stands, patience := 0, still
	for {
		left := max(time.Until(n.over)-n.watchTime(), time.Until(n.begun.Add(shortestRun)))
		st, err := n.s.WaitFirst(ctx, min(glanceEvery, max(left, 0)))
		if err == nil && st.Status == session.Paused && left > 0 { // as it was asked when it was looked at, and did so late
			if st, err = n.continueLooked(ctx); err == nil && isRunning(st.Status) {
				continue
			}
		}
		if err != nil || !isRunning(st.Status) || left <= 0 {
			return st, err
		}
		if st.Status == session.Starting {
			continue
		}
		if n.ran.IsZero() {
			n.ran, n.readied = time.Now(), process.Queued(n.s.ProgramPID())
		}
		if n.request.Program.Attaches() {
			return st, nil
		}
		n.queued = max(n.queued, process.Queued(n.s.ProgramPID())-n.readied)
		runs, known := process.Runnable(n.s.ProgramPID())
		if stands++; runs || !known {
			stands = 0
		}
		if stands >= still && n.s.AwaitsInput() {
			return st, nil
		}
		if stands < patience || !n.mayBeAsked() {
			continue
		}
		stands, patience = 0, patience*slower
		if over, err := n.isStuck(ctx); err != nil || over {
			return n.s.State(), err
		}
	}
}

// mayBeAsked says that what the program waits for can be found out while there is time: a pause
// for it does no harm.
func (n *run) mayBeAsked() bool {
	return n.s.KnowsEndless() || n.s.SeesLocks() && process.Parked(n.s.ProgramPID())
}

// continueLooked resumes a program that was stopped only to be looked at.
func (n *run) continueLooked(ctx context.Context) (session.State, error) {
	if err := n.s.Continue(ctx, 0); err != nil && n.s.State().Status == session.Paused {
		return n.s.State(), err
	}
	return n.s.State(), nil
}

// isStuck says that the program has come to a stop or its end, that nothing can let any of its
// threads go on at each of several looks, or that they wait in a ring; else it goes on.
func (n *run) isStuck(ctx context.Context) (bool, error) {
	seen := samples{unpausable: n.s.ShowsRunning()}
	for i := range looks {
		if i > 0 {
			if ended, err := n.continueAndMeasure(ctx, &seen); err != nil || ended {
				return ended, err
			}
		}
		if !seen.unpausable {
			if err := n.pause(ctx); err != nil {
				return isOver(n.s.State()), err
			}
			if isOver(n.s.State()) {
				return true, nil
			}
		}
		if !n.s.KnowsEndless() {
			return n.standsInRing(ctx)
		}
		if err := n.addSample(ctx, &seen); err != nil {
			return isOver(n.s.State()), nil //nolint:nilerr // it is looked at again when the time is over
		}
		if !judge.Endless(seen.samples[i]) {
			return n.standsInRing(ctx)
		}
	}
	n.judgeSamples(ctx, &seen)
	return true, nil
}

// standsInRing says that threads wait for locks which others of them hold, as the debugger tells:
// then the program stands there, whatever else of it may go on, else it goes on.
func (n *run) standsInRing(ctx context.Context) (bool, error) {
	asked, cancel := context.WithTimeout(ctx, waitsTime)
	defer cancel()
	if waits, err := n.s.Waits(asked, ""); err == nil && len(waits.Deadlock()) > 0 {
		return true, nil
	}
	if n.s.State().Status == session.Paused {
		return false, n.s.Continue(ctx, 0)
	}
	return false, nil
}
