package attempt

import (
	"context"
	"fmt"
	"time"

	"aidb-mcp/internal/changes/attempts"
)

const (
	winnersRuns = 2 // that the first candidate which passed is given more
	// A check is made again only where that takes no more than this part of the time that is left.
	partOfRest = 3
)

// passedAnyway is why a pass proves nothing where the check needs no change to pass.
const passedAnyway = "the check passed without any change"

// tally counts the runs of one check.
type tally struct{ passed, runs int }

// add counts one more; of one that was cut, or could not be made, nothing is known.
func (y *tally) add(result string) {
	switch result {
	case attempts.Passed:
		y.passed++
		y.runs++
	case attempts.Failed, attempts.BuildFailed:
		y.runs++
	}
}

func (y *tally) String() string { return fmt.Sprintf("%d of %d runs", y.passed, y.runs) }

// confirm makes the check once more without any change, and again with the candidate that is called
// right: where it fails only sometimes, that one run has failed and another one passed is no proof.
// Where this shows, no candidate of the question has won.
func (w *work) confirm(ctx context.Context, list []*candidateTrial, r *Result, over time.Time) error {
	first := firstPassed(list)
	took := r.took
	if first != nil {
		took = max(took, time.Duration(first.row.MS)*time.Millisecond)
	}
	if first == nil || r.Before == nil || r.Passes() || r.Before.isCut() || took > time.Until(over)/partOfRest {
		return nil
	}
	before, after := &tally{runs: 1}, &tally{passed: 1, runs: 1}
	var failed *candidateTrial
	l := newTrialPool(over, 2, parallelTrials(w.Parallel, 2), func(int) {})
	w.report("making the check again, for it may fail only sometimes", 0, 0)
	l.start(func(_ Helper, limit time.Duration) error {
		_, err := w.runAgain(ctx, &candidateTrial{}, before, limit)
		return err
	})
	l.start(func(_ Helper, limit time.Duration) error { // one after the other: both may want the same port
		for range winnersRuns {
			again, err := w.runAgain(ctx, first, after, limit/winnersRuns)
			if err != nil {
				return err
			}
			if again.row.Result == attempts.Failed || again.row.Result == attempts.BuildFailed {
				failed = again
			}
		}
		return nil
	})
	if err := l.wait(); err != nil {
		return err
	}
	first.row.Runs = after.runs
	if before.passed > 0 || failed != nil {
		w.setUnsteady(list, r, first, failed, fmt.Sprintf("the check is not steady: without any change it passed in %s, with %q in %s", before, first.row.Hypothesis, after))
	}
	return nil
}

// firstPassed is the candidate that is called right: the first edit that has passed now, else what has
// changed the running program so that it did.
func firstPassed(list []*candidateTrial) *candidateTrial {
	var first *candidateTrial
	for _, t := range list {
		if !t.again && t.row.Result == attempts.Passed && (first == nil || first.row.Running && !t.row.Running) {
			first = t
		}
	}
	return first
}

// runAgain makes a trial once more, that of no change where the candidate has none, and counts it.
func (w *work) runAgain(ctx context.Context, t *candidateTrial, count *tally, limit time.Duration) (*candidateTrial, error) {
	again := &candidateTrial{given: t.given, made: t.made}
	result, checked, err := w.runCheck(ctx, nil, t.made, Check{At: t.given.At}, limit)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil || result.Error != nil:
		return again, nil
	}
	again.setOutcome(checked)
	count.add(again.row.Result)
	return again, nil
}

// setUnsteady notes of all that was tried that it proves nothing, and why.
func (w *work) setUnsteady(list []*candidateTrial, r *Result, first, failed *candidateTrial, why string) {
	r.Unsteady = why
	w.baselines.forget(w.ID)
	if failed != nil {
		first.row.Result, first.row.Failure = failed.row.Result, failed.row.Failure
	}
	for _, t := range list {
		if !t.again {
			t.unsteady = why
			t.row.setUnproven(why)
		}
	}
}
