package attempt

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"aidb-mcp/internal/changes/attempts"
	"aidb-mcp/internal/changes/change"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/text/brief"
)

// candidateTrial is one candidate on its way through a trial.
type candidateTrial struct {
	given Candidate
	made  *change.Change
	row   Row
	own   attempts.Attempt
	again bool // it was tried before, and is not run
	// old is what came of it before, where all that it depends on is the same but for the
	// check without the change, which is not known yet.
	old     *attempts.Attempt
	outside *outsideFiles // what its run has read outside of the workspace; nil: not known
	blind   bool          // nobody could see that
	// untried says that there was no time for it.
	untried bool
	copied  string // the copy in which it was tried, if it was one
	// unsteady is why its outcome proves nothing; empty: nothing says so.
	unsteady string
}

// mustRun says whether the candidate is tried now.
func (t *candidateTrial) mustRun() bool { return !t.again && t.row.Result == "" }

// Try tries candidates against the check, several at once, and beside them the check
// without any change, where nobody knows yet how that fails.
func (e *Engine) Try(ctx context.Context, q Question) (*Result, error) {
	w := e.begin(ctx, q)
	if len(q.Candidates) == 0 {
		return nil, fault.New(fault.MissingParam, "attempt(try) needs candidates").WithField("candidates").
			WithHint(`for example [{"hypothesis":"off by one","edits":[{"file":"calc.py","old":"i < n","new":"i <= n"}]}]; attempt(list) shows what was tried`)
	}
	before, err := w.Memory.List(ctx, w.ID)
	r := &Result{Problem: w.ID}
	if err != nil {
		r.Warnings = append(r.Warnings, "what was tried before is not known: "+err.Error())
	}
	list, err := w.prepare(q.Candidates, before)
	if err != nil {
		return nil, err
	}
	over := time.Now().Add(q.Limit)
	if err := w.runTrials(ctx, list, r, over, parallelTrials(q.Parallel, len(list)+1)); err != nil {
		return nil, err
	}
	if err := w.confirm(ctx, list, r, over); err != nil {
		return nil, err
	}
	w.saveProblem(ctx, r)
	w.remember(ctx, list, r)
	w.warnIfChanged(ctx, r)
	for _, t := range list {
		r.Rows = append(r.Rows, t.row)
	}
	w.addSolved(ctx, r)
	return r, nil
}

// parallelTrials is how many candidates are tried at once.
func parallelTrials(asked, candidates int) int {
	most := max(1, runtime.NumCPU())
	if asked > 0 {
		most = min(asked, most)
	}
	return min(most, max(candidates, 1))
}

// prepare works out each candidate's change, and finds those that were tried before. A
// candidate that cannot be made is a row like the others.
func (w *work) prepare(given []Candidate, before []attempts.Attempt) ([]*candidateTrial, error) {
	var list []*candidateTrial
	for i, cand := range given {
		cand.Hypothesis = cmp.Or(strings.TrimSpace(cand.Hypothesis), w.describe(cand))
		t := &candidateTrial{given: cand, row: Row{Hypothesis: brief.Text(cand.Hypothesis, attempts.LongestHypothesis), Running: cand.At != nil}}
		list = append(list, t)
		made, err := w.change(cand, i)
		var f *fault.Error
		switch {
		case errors.As(err, &f) && f.Code == fault.PolicyDenied:
			return nil, err
		case err != nil:
			t.row.Result, t.row.Why = attempts.Refused, unmadeReason(err)
			continue
		}
		t.made = made
		if cand.Patch != "" && cand.Hypothesis == "" {
			cand.Hypothesis = "patch of " + strings.Join(changedFiles(made), ", ")
			t.row.Hypothesis = brief.Text(cand.Hypothesis, attempts.LongestHypothesis)
		}
		t.given = cand
		t.own = attempts.Attempt{Problem: w.ID, Key: keyOf(cand, made), At: time.Now(), Hypothesis: cand.Hypothesis}
		w.findKnown(t, list[:i], before)
	}
	return list, nil
}

// findKnown looks for a candidate among those that were tried before, and those of the
// same call.
func (w *work) findKnown(t *candidateTrial, others []*candidateTrial, before []attempts.Attempt) {
	for _, old := range before {
		if old.Key == t.own.Key && old.Result != attempts.TimedOut && w.isValid(old) {
			t.old = &old
		}
	}
	for n, other := range others {
		if other.own.Key == t.own.Key {
			t.again, t.row.Result, t.row.Why = true, attempts.SameAs, fmt.Sprintf("candidate %d of this call", n+1)
		}
	}
}

// unmadeReason is why a candidate could not be made, with the field that is at fault.
func unmadeReason(err error) string {
	var f *fault.Error
	if errors.As(err, &f) && f.Field != "" {
		return f.Field + ": " + f.Message
	}
	return err.Error()
}

// setRecalled answers a candidate with what came of it before, if the check fares without it as
// it did then.
func (t *candidateTrial) setRecalled(now *Failure) {
	if t.old == nil || t.again {
		return
	}
	given, err := readStored(*t.old)
	if err != nil || !given.On.Before.isEqual(beforeOf(now)) {
		return
	}
	t.again = true
	t.row.N, t.row.Result, t.row.SameAs = t.old.N, attempts.SameAs, t.old.N
	t.row.Was, t.row.Runs = t.old.Result, given.On.Runs
	t.row.Failure = readFailure(t.old.Failure)
	t.row.compare(now)
}

// remember keeps what was tried, with the failure that it was to mend.
func (w *work) remember(ctx context.Context, list []*candidateTrial, r *Result) {
	for _, t := range list {
		if t.again || t.untried || t.row.Result == attempts.Refused {
			continue
		}
		t.own.Result = t.row.Result
		if t.row.Failure != nil {
			t.own.Failure, _ = json.Marshal(t.row.Failure) // plain structs always marshal
		}
		if r.Before != nil && t.unsteady == "" {
			t.own.Signature = w.signatureOf(r.Before)
		}
		err := w.save(ctx, &t.own, storedCandidate{Candidate: t.given, Sources: w.sources.Sum, On: w.basisOf(t, r.Before)})
		if err != nil {
			r.Warnings = append(r.Warnings, "it is not remembered: "+err.Error())
			return
		}
		t.row.N = t.own.N
	}
}

// basisOf is what the verdict of a candidate depends on. Of one that was tried on another machine it is
// not known: it is never taken for true later.
func (w *work) basisOf(t *candidateTrial, now *Failure) basis {
	if t.row.Machine != "" {
		return basis{Unsteady: t.unsteady}
	}
	return basis{Environment: w.environment, Outside: t.outside, Blind: t.blind, Before: beforeOf(now), Runs: t.row.Runs, Unsteady: t.unsteady}
}

// isValid says that all on which an earlier verdict depends is as it was, but for how the
// check fares without the change. Where nobody could see what the run reads outside of the
// workspace, that has to do.
func (w *work) isValid(old attempts.Attempt) bool {
	given, err := readStored(old)
	if err != nil || given.Sources != w.sources.Sum || given.On.Environment != w.environment || given.On.Before == nil || given.On.Unsteady != "" {
		return false
	}
	return given.On.Blind || given.On.Outside != nil && given.On.Outside.isUnchanged(w.sums)
}
