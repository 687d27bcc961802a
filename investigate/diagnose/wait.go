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
func (x *examination) await(ctx context.Context) (session.State, error) {
	stands, patience := 0, still
	for {
		left := max(time.Until(x.question.Over)-x.watchTime(), time.Until(x.begun.Add(shortestRun)))
		st, err := x.s.WaitFirst(ctx, min(glanceEvery, max(left, 0)))
		if err == nil && st.Status == session.Paused && left > 0 { // as it was asked when it was looked at, and did so late
			if st, err = x.continueLooked(ctx); err == nil && isRunning(st.Status) {
				continue
			}
		}
		if err != nil || !isRunning(st.Status) || left <= 0 {
			return st, err
		}
		if st.Status == session.Starting {
			continue
		}
		if x.ran.IsZero() {
			x.ran, x.readied = time.Now(), process.Queued(x.s.ProgramPID())
		}
		if x.request.Program.Attaches() {
			return st, nil
		}
		x.queued = max(x.queued, process.Queued(x.s.ProgramPID())-x.readied)
		runs, known := process.Runnable(x.s.ProgramPID())
		if stands++; runs || !known {
			stands = 0
		}
		if stands >= still && x.s.AwaitsInput() {
			return st, nil
		}
		if stands < patience || !x.s.KnowsEndless() {
			continue
		}
		stands, patience = 0, patience*slower
		if over, err := x.isStuck(ctx); err != nil || over {
			return x.s.State(), err
		}
	}
}

// continueLooked resumes a program that was stopped only to be looked at.
func (x *examination) continueLooked(ctx context.Context) (session.State, error) {
	if err := x.s.Continue(ctx, 0); err != nil && x.s.State().Status == session.Paused {
		return x.s.State(), err
	}
	return x.s.State(), nil
}

// isStuck says that the program has come to a stop or its end, or that nothing can let
// any of its threads go on, at two looks; else it goes on.
func (x *examination) isStuck(ctx context.Context) (bool, error) {
	seen := samples{unpausable: x.s.ShowsRunning()}
	for n := range looks {
		if n > 0 {
			if ended, err := x.continueAndMeasure(ctx, &seen); err != nil || ended {
				return ended, err
			}
		}
		if !seen.unpausable {
			if err := x.pause(ctx); err != nil {
				return isOver(x.s.State()), err
			}
			if isOver(x.s.State()) {
				return true, nil
			}
		}
		if err := x.addSample(ctx, &seen); err != nil {
			return isOver(x.s.State()), nil //nolint:nilerr // it is looked at again when the time is over
		}
		if !judge.Endless(seen.samples[n]) {
			if x.s.State().Status == session.Paused {
				return false, x.s.Continue(ctx, 0)
			}
			return false, nil
		}
	}
	x.judgeSamples(ctx, &seen)
	return true, nil
}
