package attempt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"aidb-mcp/internal/changes/attempts"
	"aidb-mcp/internal/changes/change"
	"aidb-mcp/internal/fault"
)

// Written is what Apply has done.
type Written struct {
	Problem string
	N       int
	Undone  bool     // it was taken back
	Changed []string // files
	Lost    error    // why it cannot be taken back by Apply; nil: it can
}

// Apply writes a change that has passed into the workspace, or takes it back. Of number 0
// is the first that passed and can be written.
func (e *Engine) Apply(ctx context.Context, p Problem, n int, undo bool) (*Written, error) {
	w := e.begin(ctx, Question{Problem: p})
	all, err := w.Memory.List(ctx, w.ID)
	if err != nil {
		return nil, unreadableError(err)
	}
	a, err := chooseAttempt(all, n)
	if err != nil {
		return nil, err
	}
	given, err := readStored(a)
	if err != nil {
		return nil, err
	}
	switch {
	case given.At != nil:
		return nil, fault.New(fault.InvalidParam, "attempt %d changed the running program only: there is nothing to write", a.N).WithField("n").
			WithHint("try an edit that does the same")
	case undo:
		return w.undo(a, given)
	case isWritten(w.Workspace, given):
		return nil, fault.New(fault.InvalidParam, "attempt %d is written already", a.N).WithField("n").WithHint("undo: true takes it back")
	}
	return w.write(ctx, a, given)
}

// write writes a change into the sources in which it has passed.
func (w *work) write(ctx context.Context, a attempts.Attempt, given storedCandidate) (*Written, error) {
	made, err := w.change(given.Candidate, 0)
	if err == nil && (made.Key() != a.Key || !w.isCurrent(a)) {
		err = w.movedError(a)
	}
	if err == nil {
		err = made.Apply(w.Workspace)
	}
	if err != nil {
		return nil, writeError(a.N, err)
	}
	given.Undo = made.Cuts()
	return &Written{Problem: w.ID, N: a.N, Changed: changedFiles(made), Lost: w.save(ctx, &a, given)}, nil
}

// storedCandidate is a candidate as it is kept in the memory of attempts.
type storedCandidate struct {
	Candidate
	Sources string       `json:"sources,omitempty"` // of the workspace in which it was tried
	On      basis        `json:"on,omitzero"`       // what else its verdict depends on
	Undo    []change.Cut `json:"undo,omitempty"`    // what takes it back, once it was written
}

// readStored reads the candidate of an attempt. Of one that was too long only the
// beginning was kept, as a text.
func readStored(a attempts.Attempt) (storedCandidate, error) {
	var given storedCandidate
	if len(a.Change) > 0 && a.Change[0] == '"' {
		return given, fault.New(fault.NotSupported, "attempt %d was too long to be kept whole: only its beginning is remembered", a.N).WithField("n").
			WithHint("make the change by hand, as it was given to attempt(try); or try smaller ones")
	}
	if err := json.Unmarshal(a.Change, &given); err != nil {
		return given, fault.New(fault.Internal, "reading attempt %d: %w", a.N, err)
	}
	return given, nil
}

// givenChange is the change of an attempt as a list has it: what was given, or its beginning.
func givenChange(a attempts.Attempt) any {
	given, err := readStored(a)
	if err != nil {
		return a.Change
	}
	given.Hypothesis = "" // which stands beside it
	return given.Candidate
}

// save writes an attempt into the memory again.
func (w *work) save(ctx context.Context, a *attempts.Attempt, given storedCandidate) error {
	text, err := json.Marshal(given)
	if err != nil {
		return fmt.Errorf("writing a candidate: %w", err)
	}
	if len(text) > attempts.LongestChange && given.On.Outside != nil { // then it is not offered again
		given.On.Outside = nil
		return w.save(ctx, a, given)
	}
	if len(text) > attempts.LongestChange && len(given.Undo) > 0 {
		return errors.New("the change is too long to be kept with what takes it back")
	}
	a.Change = text
	return w.Memory.Add(ctx, a)
}

// isWritten says that an attempt stands in the workspace as apply has left it.
func isWritten(workspace string, given storedCandidate) bool {
	if len(given.Undo) == 0 {
		return false
	}
	_, err := change.Restore(workspace, given.Undo)
	return err == nil
}

// isCurrent says whether the sources of the workspace, and what else the run has read
// as far as that is known, are as they were when the attempt was tried.
func (w *work) isCurrent(a attempts.Attempt) bool {
	given, err := readStored(a)
	return err == nil && given.Sources == w.sources.Sum && (given.On.Outside == nil || given.On.Outside.isUnchanged(w.sums))
}

// mostMoved is how many files are named that have changed.
const mostMoved = 5

// movedError says which sources have changed since an attempt, as far as that can be seen.
func (w *work) movedError(a attempts.Attempt) error {
	if names := w.sources.Since(a.At, mostMoved); len(names) > 0 {
		return fmt.Errorf("%s changed since it was tried", strings.Join(names, ", "))
	}
	if given, err := readStored(a); err == nil && given.Sources == w.sources.Sum {
		return errors.New("what the check reads outside of the workspace is not what it was when it was tried")
	}
	return errors.New("the sources of the workspace are not what they were when it was tried")
}

// warnIfChanged warns when the sources have changed under the trials, which see them.
func (w *work) warnIfChanged(ctx context.Context, r *Result) {
	now := w.Known.ReadSources(ctx, w.Workspace)
	if now.Sum == w.sources.Sum || ctx.Err() != nil {
		return
	}
	said := "the workspace was edited while this was tried"
	if names := now.Since(w.begun, mostMoved); len(names) > 0 {
		said += " (" + strings.Join(names, ", ") + ")"
	}
	r.Warnings = append(r.Warnings, said+": some trials may have seen the old text and some the new")
}

// undo takes back what apply has written: the files must still be as that left them.
func (w *work) undo(a attempts.Attempt, given storedCandidate) (*Written, error) {
	if len(given.Undo) == 0 {
		return nil, fault.New(fault.InvalidParam, "attempt %d was not written", a.N).WithField("undo").
			WithHint("n names the one that was; leave undo out to write this one")
	}
	back, err := change.Restore(w.Workspace, given.Undo)
	if err == nil {
		err = back.Apply(w.Workspace)
	}
	if err != nil {
		return nil, fault.New(fault.Patch, "attempt %d is not taken back: %w", a.N, err).WithField("undo").
			WithHint("the files were edited since: take it back by hand")
	}
	return &Written{Problem: w.ID, N: a.N, Undone: true, Changed: changedFiles(back)}, nil
}

func writeError(n int, err error) error {
	return fault.New(fault.Patch, "attempt %d is not written: %w", n, err).WithField("n").
		WithHint("try it anew: what passes then is what would be written now")
}

// chooseAttempt finds the attempt with a number, or the first that passed and can be
// written.
func chooseAttempt(all []attempts.Attempt, n int) (attempts.Attempt, error) {
	if n > 0 {
		i := slices.IndexFunc(all, func(a attempts.Attempt) bool { return a.N == n })
		switch {
		case i < 0:
			return attempts.Attempt{}, fault.New(fault.InvalidParam, "there is no attempt %d of this problem", n).WithField("n").
				WithHint("attempt(list) with the same check shows them")
		case all[i].Result != attempts.Passed:
			return all[i], fault.New(fault.InvalidParam, "attempt %d has not passed: %s", n, all[i].Result).WithField("n").
				WithHint("only what passed is written; attempt(list) shows which did")
		}
		return all[i], nil
	}
	var first *attempts.Attempt
	for i, a := range all {
		if a.Result != attempts.Passed {
			continue
		}
		given, err := readStored(a)
		if given.On.unproven() != "" {
			continue
		}
		if err != nil || given.At == nil {
			return a, nil
		}
		if first == nil {
			first = &all[i]
		}
	}
	if first != nil {
		return *first, nil
	}
	return attempts.Attempt{}, fault.New(fault.InvalidParam, "nothing that was tried has passed").WithField("n").
		WithHint("attempt(list) shows what was tried")
}

func unreadableError(err error) error {
	return fault.New(fault.Internal, "the memory of attempts cannot be read: %w", err).
		WithHint("attempt(try) works without it")
}
