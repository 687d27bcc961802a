package attempt

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"aidb-mcp/internal/changes/attempts"
	"aidb-mcp/internal/changes/change"
	"aidb-mcp/investigate/attempt/trial"
	"aidb-mcp/investigate/spread"
)

// Check is what the process in a box is asked: to make one run.
type Check struct {
	Start   json.RawMessage `json:"start"` // arguments of session_start
	At      *At             `json:"at,omitempty"`
	Calls   bool            `json:"calls,omitempty"` // of a failing test are told, where they show
	Timeout time.Duration   `json:"timeout"`
}

const (
	shortestRun   = time.Second      // in which a program may come to anything
	shortestCheck = 10 * time.Second // the least that a check is given, where there is that much
)

// runTrials makes the trials, so many at once. The first is that of the check as it stands; where
// something was tried before they wait for it, since that counts only if it goes as then.
func (w *work) runTrials(ctx context.Context, list []*candidateTrial, r *Result, over time.Time, parallel int) error {
	known, total := 0, 1
	for _, t := range list {
		if t.mustRun() {
			total++
		}
		if t.old != nil {
			known++
		}
	}
	if total == 1 {
		return nil // nothing is to be held against the check as it stands
	}
	l := newTrialPool(over, total, parallel, func(done int) { w.report("trying candidates", float64(done), float64(total)) })
	based := make(chan struct{})
	l.start(func(_ Helper, limit time.Duration) error {
		defer close(based)
		return w.runBaseline(ctx, r, limit)
	})
	dismiss := w.callHelpers(ctx, l, r, based, total-parallel)
	defer dismiss(list)
	if known > 0 {
		if err := l.wait(); err != nil {
			return err
		}
		for _, t := range list {
			t.setRecalled(r.Before)
		}
	}
	for _, t := range list {
		if t.mustRun() {
			l.start(func(helper Helper, limit time.Duration) error { return w.runTrial(ctx, helper, t, limit) })
		}
	}
	if err := l.wait(); err != nil {
		return err
	}
	for _, t := range list {
		r.Copied = cmp.Or(r.Copied, t.copied)
		if !t.again {
			t.row.compare(r.Before)
		}
	}
	return nil
}

// runTrial makes the trial of one candidate, here or on a machine that helps.
func (w *work) runTrial(ctx context.Context, helper Helper, t *candidateTrial, limit time.Duration) error {
	if limit < shortestRun {
		t.row.Result, t.row.Why, t.untried = attempts.TimedOut, "the time was over before it was tried: raise timeout_ms", true
		return nil
	}
	result, checked, err := w.runCheck(ctx, helper, t.made, Check{At: t.given.At}, limit)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case helper != nil && err == nil && result.Error != nil:
		return &spread.NotDone{Why: result.Error.Message} // here it may be otherwise
	case helper != nil && err != nil:
		return err
	case err != nil:
		t.row.Result, t.row.Why = attempts.Refused, err.Error()
		return nil
	case result.Error != nil && result.Error.Field == untimely:
		t.row.Result, t.row.Why, t.untried = attempts.TimedOut, result.Error.Message+" ("+moreTime+")", true
		return nil
	case result.Error != nil:
		t.row.Result, t.row.Why = attempts.Refused, strings.TrimSpace(result.Error.Message+" "+inParentheses(result.Error.Hint))
		return nil
	}
	t.copied = result.Copied
	t.outside, t.blind = outsideOf(result.Reads, w.sums), result.Reads == nil
	if helper != nil {
		t.row.Machine = helper.Name()
	}
	t.row.MS = result.Took.Milliseconds()
	t.setOutcome(checked)
	return nil
}

// setOutcome takes from a check what it says of the candidate.
func (t *candidateTrial) setOutcome(checked *Checked) {
	t.row.TestsPassed, t.row.TestsFailed, t.row.Hits = checked.TestsPassed, checked.TestsFailed, checked.Hits
	missed := t.given.At != nil && checked.Hits == 0
	if missed {
		t.row.Why = t.given.At.Location + " was never reached: nothing was changed"
	}
	switch {
	case checked.Passed() && missed:
		t.row.Result = attempts.Failed
		return
	case checked.Passed():
		t.row.Result = attempts.Passed
		return
	case checked.isUnbuilt():
		t.row.Result = attempts.BuildFailed
	case checked.Late:
		t.row.Result = attempts.TimedOut
	default:
		t.row.Result = attempts.Failed
	}
	t.row.Failure = &checked.Failure
}

// runCheck makes a check with a change, or none, here or on a machine that helps.
func (w *work) runCheck(ctx context.Context, helper Helper, made *change.Change, check Check, limit time.Duration) (*trial.Result, *Checked, error) {
	check.Start, check.Timeout = w.Start, limit
	var trials Trials = helper
	if helper == nil {
		trials = w.Trials
	}
	result, err := trials.Run(ctx, trial.Place{Workspace: w.Workspace}, made, check, limit)
	if err != nil || result.Error != nil {
		return result, nil, err
	}
	checked := &Checked{}
	if err := json.Unmarshal(result.Checked, checked); err != nil {
		return nil, nil, fmt.Errorf("reading what came of a check: %w", err)
	}
	checked.setCut(limit)
	return result, checked, nil
}

func inParentheses(hint string) string {
	if hint == "" {
		return ""
	}
	return "(" + hint + ")"
}
