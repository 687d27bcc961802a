package attempt

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"aidb-mcp/internal/attempts"
	"aidb-mcp/internal/change"
	"aidb-mcp/investigate/attempt/trial"
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

// run makes the trials, so many at once; the first is that of the check as it stands.
func (w *work) run(ctx context.Context, list []*tried, r *Result, over time.Time, parallel int) error {
	var failed error
	var mu sync.Mutex // guards failed and done
	done, total := 0, 1
	for _, t := range list {
		if t.runs() {
			total++
		}
	}
	if total == 1 {
		return nil // nothing is to be held against the check as it stands
	}
	waiting := total
	room := make(chan struct{}, parallel)
	var trials sync.WaitGroup
	start := func(do func(limit time.Duration) error) {
		room <- struct{}{}
		limit := share(over, waiting, parallel)
		waiting--
		trials.Go(func() {
			err := do(limit)
			<-room
			mu.Lock()
			defer mu.Unlock()
			failed = cmp.Or(failed, err)
			done++
			w.tell("trying candidates", float64(done), float64(total))
		})
	}
	start(func(limit time.Duration) error { return w.baseline(ctx, r, limit) })
	for _, t := range list {
		if t.runs() {
			start(func(limit time.Duration) error { return w.trial(ctx, t, limit) })
		}
	}
	trials.Wait()
	if failed != nil {
		return failed
	}
	for _, t := range list {
		r.Copied = cmp.Or(r.Copied, t.copied)
		if !t.again {
			t.row.SameFailure = t.row.Failure.like(r.Before)
		}
	}
	return nil
}

// share is the time that a trial may take of that until over: so many wait for it, and
// one that hangs must not take what the others need.
func share(over time.Time, waiting, parallel int) time.Duration {
	left := time.Until(over)
	turns := (waiting + parallel - 1) / parallel
	return min(left, max(left/time.Duration(max(turns, 1)), shortestCheck))
}

// trial is that of one candidate.
func (w *work) trial(ctx context.Context, t *tried, limit time.Duration) error {
	if limit < shortestRun {
		t.row.Result, t.row.Why, t.untried = attempts.TimedOut, "the time was over before it was tried: raise timeout_ms", true
		return nil
	}
	result, checked, err := w.checked(ctx, t.made, Check{At: t.given.At}, limit)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		t.row.Result, t.row.Why = attempts.Refused, err.Error()
		return nil
	case result.Error != nil && result.Error.Field == untimely:
		t.row.Result, t.row.Why, t.untried = attempts.TimedOut, result.Error.Message+" ("+moreTime+")", true
		return nil
	case result.Error != nil:
		t.row.Result, t.row.Why = attempts.Refused, strings.TrimSpace(result.Error.Message+" "+parenthesised(result.Error.Hint))
		return nil
	}
	t.copied = result.Copied
	t.row.MS = result.Took.Milliseconds()
	t.judge(checked)
	return nil
}

// judge says what a check says of the candidate.
func (t *tried) judge(checked *Checked) {
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
	case checked.unbuilt():
		t.row.Result = attempts.BuildFailed
	case checked.Late:
		t.row.Result = attempts.TimedOut
	default:
		t.row.Result = attempts.Failed
	}
	t.row.Failure = &checked.Failure
}

// checked makes a check with a change, or none.
func (w *work) checked(ctx context.Context, made *change.Change, check Check, limit time.Duration) (*trial.Result, *Checked, error) {
	check.Start, check.Timeout = w.Start, limit
	result, err := w.Trials.Run(ctx, w.Workspace, made, check, limit)
	if err != nil || result.Error != nil {
		return result, nil, err
	}
	checked := &Checked{}
	if err := json.Unmarshal(result.Checked, checked); err != nil {
		return nil, nil, fmt.Errorf("reading what came of a check: %w", err)
	}
	return result, checked, nil
}

func parenthesised(hint string) string {
	if hint == "" {
		return ""
	}
	return "(" + hint + ")"
}
