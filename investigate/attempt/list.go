package attempt

import (
	"context"

	"aidb-mcp/internal/changes/attempts"
)

// List is what was tried against a problem, what came of it, and what once mended the same
// failure.
func (e *Engine) List(ctx context.Context, p Problem) (*Result, error) {
	all, err := e.Memory.List(ctx, p.ID)
	if err != nil {
		return nil, unreadableError(err)
	}
	r := listResult(p.ID, all)
	if len(all) > 0 && !r.Won() {
		r.Solved = e.solvedBy(ctx, all[len(all)-1].Signature, p.ID)
	}
	for i, a := range all {
		if given, err := readStored(a); err == nil && isWritten(p.Workspace, given) {
			r.Rows[i].Written = true
			break
		}
	}
	return r, nil
}

// Remembered is List for one who only looks: nothing is compared with the workspace.
func (e *Engine) Remembered(ctx context.Context, problem string) (*Result, error) {
	all, err := e.Memory.List(ctx, problem)
	if err != nil {
		return nil, unreadableError(err)
	}
	return listResult(problem, all), nil
}

// listResult are the attempts of a problem as rows.
func listResult(problem string, all []attempts.Attempt) *Result {
	r := &Result{Problem: problem, Rows: []Row{}}
	for _, a := range all {
		row := Row{N: a.N, Hypothesis: a.Hypothesis, Result: a.Result, Failure: readFailure(a.Failure), Change: givenChange(a)}
		given, err := readStored(a)
		row.Running = err == nil && given.At != nil
		if own := beforeOf(row.Failure); own.isEqual(given.On.Before) {
			row.SameFailure = own.isSame(given.On.Before)
			row.SamePlace = !row.SameFailure && row.Failure.Location != ""
		}
		row.Runs = given.On.Runs
		row.setUnproven(given.On.unproven())
		r.Rows = append(r.Rows, row)
	}
	return r
}

// Forget forgets what was tried against a problem, and says how much it was.
func (e *Engine) Forget(ctx context.Context, p Problem) (int, error) {
	n, err := e.Memory.Forget(ctx, p.ID)
	if err != nil {
		return 0, unreadableError(err)
	}
	e.baselines.forget(p.ID)
	return n, nil
}

// addSolved adds the change that has mended the same failure elsewhere, where nothing
// has here.
func (w *work) addSolved(ctx context.Context, r *Result) {
	if r.Before != nil && !r.Passes() && !r.Won() {
		r.Solved = w.solvedBy(ctx, w.signatureOf(r.Before), w.ID)
	}
}

// Elsewhere is what has mended such a failure in another check of the project; nil: nothing
// that is known.
func (e *Engine) Elsewhere(ctx context.Context, p Problem, f *Failure) *Solved {
	return e.solvedBy(ctx, p.signatureOf(f), p.ID)
}

// solvedBy is the newest attempt of another problem that has mended such a failure. What
// cannot be read is left out: List says why.
func (e *Engine) solvedBy(ctx context.Context, signature, except string) *Solved {
	found, err := e.Memory.Solved(ctx, signature, except)
	if err != nil || found == nil {
		return nil
	}
	return &Solved{Problem: found.Problem, N: found.N, Hypothesis: found.Hypothesis, Change: givenChange(*found)}
}
