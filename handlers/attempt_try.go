package handlers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"aidb-mcp/internal/attempts"
	"aidb-mcp/internal/change"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/trial"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// tried is one candidate on its way through a trial.
type tried struct {
	given tools.Candidate
	made  *change.Change
	row   responses.Candidate
	own   attempts.Attempt
	again bool // it was tried before, and is not run
	// untried says that there was no time for it.
	untried bool
	copied  string // the copy in which it was tried, if it was one
}

// won says that the candidate has passed, now or before.
func (t *tried) won() bool { return t.row.Result == attempts.Passed || t.row.Was == attempts.Passed }

// runs says that the candidate is tried now.
func (t *tried) runs() bool { return !t.again && t.row.Result == "" }

// try tries candidates against the check, several at once, and beside them the check
// without any change, where nobody knows yet how that fails.
func (m *matter) try(ctx context.Context, c *Call, p *tools.AttemptParams) (*responses.Envelope, error) {
	if len(p.Candidates) == 0 {
		return nil, fault.New(fault.MissingParam, "attempt(try) needs candidates").WithField("candidates").
			WithHint(`for example [{"hypothesis":"off by one","edits":[{"file":"calc.py","old":"i < n","new":"i <= n"}]}]; attempt(list) shows what was tried`)
	}
	before, err := m.h.Memory.List(ctx, m.problem)
	data := &responses.Attempts{Problem: m.problem}
	if err != nil {
		data.Warnings = append(data.Warnings, "what was tried before is not known: "+err.Error())
	}
	list, err := m.prepare(p.Candidates, before)
	if err != nil {
		return nil, err
	}
	over := time.Now().Add(p.Timeout())
	if err := m.run(ctx, c, list, data, over, m.parallel(p.Parallel, len(list)+1)); err != nil {
		return nil, err
	}
	m.remember(ctx, list, data)
	m.watched(ctx, data)
	for _, t := range list {
		data.Candidates = append(data.Candidates, t.row)
		if t.won() {
			data.Win(t.row.N, t.given.At != nil)
		}
	}
	return m.told(ctx, data), nil
}

// prepare works out each candidate's change, and finds those that were tried before. A
// candidate that cannot be made is a row like the others.
func (m *matter) prepare(given []tools.Candidate, before []attempts.Attempt) ([]*tried, error) {
	var list []*tried
	for i, cand := range given {
		cand.Hypothesis = cmp.Or(strings.TrimSpace(cand.Hypothesis), m.described(cand))
		t := &tried{given: cand, row: responses.Candidate{Hypothesis: responses.Shorten(cand.Hypothesis, attempts.LongestHypothesis)}}
		list = append(list, t)
		made, err := m.change(cand, i)
		var f *fault.Error
		switch {
		case errors.As(err, &f) && f.Code == fault.PolicyDenied:
			return nil, err
		case err != nil:
			t.row.Result, t.row.Why = attempts.Refused, unmade(err)
			continue
		}
		t.made = made
		if cand.Patch != "" && cand.Hypothesis == "" {
			cand.Hypothesis = "patch of " + strings.Join(names(made), ", ")
			t.row.Hypothesis = responses.Shorten(cand.Hypothesis, attempts.LongestHypothesis)
		}
		text, err := json.Marshal(kept{Candidate: cand, Sources: m.sources.Sum})
		if err != nil {
			return nil, fmt.Errorf("writing a candidate: %w", err)
		}
		t.own = attempts.Attempt{Problem: m.problem, Key: keyOf(cand, made), At: time.Now(), Hypothesis: cand.Hypothesis, Change: text}
		for _, old := range before {
			if old.Key == t.own.Key && old.Result != attempts.TimedOut && m.stands(old) {
				t.repeat(old)
			}
		}
		for n, other := range list[:i] {
			if other.own.Key == t.own.Key && !t.again {
				t.again, t.row.Result, t.row.Why = true, attempts.SameAs, fmt.Sprintf("candidate %d of this call", n+1)
			}
		}
	}
	return list, nil
}

// unmade is why a candidate could not be made, with the field that is at fault.
func unmade(err error) string {
	var f *fault.Error
	if errors.As(err, &f) && f.Field != "" {
		return f.Field + ": " + f.Message
	}
	return err.Error()
}

// keyOf names what a candidate does.
func keyOf(cand tools.Candidate, made *change.Change) string {
	if made != nil {
		return made.Key()
	}
	text, err := json.Marshal(cand.At)
	if err != nil {
		return ""
	}
	return "at " + string(text)
}

// repeat answers a candidate with what came of it before.
func (t *tried) repeat(old attempts.Attempt) {
	t.again = true
	t.row.N, t.row.Result, t.row.SameAs = old.N, attempts.SameAs, old.N
	t.row.Was = old.Result
	t.row.Failure = cardOf(old.Failure)
	t.row.SameFailure = t.row.Failure != nil && signature(t.row.Failure) == old.Signature
}

func cardOf(text json.RawMessage) *responses.FailureCard {
	card := &responses.FailureCard{}
	if len(text) == 0 || json.Unmarshal(text, card) != nil || card.Verdict == "" {
		return nil
	}
	return card
}

// run makes the trials, so many at once; the first is that of the check as it stands.
func (m *matter) run(ctx context.Context, c *Call, list []*tried, data *responses.Attempts, over time.Time, parallel int) error {
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
			c.tell("trying candidates", float64(done), float64(total))
		})
	}
	start(func(limit time.Duration) error { return m.baseline(ctx, data, limit) })
	for _, t := range list {
		if t.runs() {
			start(func(limit time.Duration) error { return m.trial(ctx, t, limit) })
		}
	}
	trials.Wait()
	if failed != nil {
		return failed
	}
	for _, t := range list {
		data.Workspace = cmp.Or(data.Workspace, t.copied)
		if !t.again && t.row.Failure != nil {
			t.row.SameFailure = signature(t.row.Failure) == signature(data.Before)
		}
	}
	return nil
}

// shortestCheck is the least time that a check is given, where there is that much.
const shortestCheck = 10 * time.Second

// share is the time that a trial may take of that until over: so many wait for it, and
// one that hangs must not take what the others need.
func share(over time.Time, waiting, parallel int) time.Duration {
	left := time.Until(over)
	turns := (waiting + parallel - 1) / parallel
	return min(left, max(left/time.Duration(max(turns, 1)), shortestCheck))
}

// trial is that of one candidate.
func (m *matter) trial(ctx context.Context, t *tried, limit time.Duration) error {
	if limit < shortestRun {
		t.row.Result, t.row.Why, t.untried = attempts.TimedOut, "the time was over before it was tried: raise timeout_ms", true
		return nil
	}
	result, checked, err := m.checked(ctx, t.made, Check{At: t.given.At}, limit)
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
	t.row.MS, t.row.Passed, t.row.Failed, t.row.Hits = result.Took.Milliseconds(), checked.Passed, checked.Failed, checked.Hits
	card := checked.FailureCard
	verdict := judge.Verdict(card.Verdict)
	missed := t.given.At != nil && checked.Hits == 0
	if missed {
		t.row.Why = t.given.At.Location + " was never reached: nothing was changed"
	}
	switch {
	case verdict == judge.OK && missed:
		t.row.Result = attempts.Failed
		return nil
	case verdict == judge.OK:
		t.row.Result = attempts.Passed
		return nil
	case verdict == judge.BuildFailed, judge.Unreadable(card.Message):
		t.row.Result = attempts.BuildFailed
	case checked.Late:
		t.row.Result = attempts.TimedOut
	default:
		t.row.Result = attempts.Failed
	}
	t.row.Failure = &card
	return nil
}

func (m *matter) checked(ctx context.Context, made *change.Change, check Check, limit time.Duration) (*trial.Result, *Checked, error) {
	check.Start, check.Timeout = m.start, limit
	result, err := m.h.Trials.Run(ctx, m.workspace, made, check, limit)
	if err != nil || result.Error != nil {
		return result, nil, err
	}
	checked := &Checked{}
	if err := json.Unmarshal(result.Checked, checked); err != nil {
		return nil, nil, fmt.Errorf("reading what came of a check: %w", err)
	}
	return result, checked, nil
}

// signature is what two failures that are the same have in common: their place may move
// by lines, and their message may name addresses. What was compared counts also where it
// stands in the message's later lines, as in JavaScript and Rust.
func signature(f *responses.FailureCard) string {
	parts := []string{f.Verdict, f.Function, firstLine(f.Message)}
	if compared := f.Actual + f.Left; compared != "" && !strings.Contains(parts[2], compared) {
		parts = append(parts, f.Expected, f.Actual, f.Left, f.Right)
	}
	return judge.Alike(strings.Join(parts, "|"))
}

func parenthesised(hint string) string {
	if hint == "" {
		return ""
	}
	return "(" + hint + ")"
}

// remember keeps what was tried, with the failure that it was to mend.
func (m *matter) remember(ctx context.Context, list []*tried, data *responses.Attempts) {
	for _, t := range list {
		if t.again || t.untried || t.row.Result == attempts.Refused {
			continue
		}
		t.own.Result = t.row.Result
		if t.row.Failure != nil {
			t.own.Failure, _ = json.Marshal(t.row.Failure) // plain structs always marshal
		}
		if data.Before != nil {
			t.own.Signature = signature(data.Before)
		}
		if err := m.h.Memory.Add(ctx, &t.own); err != nil {
			data.Warnings = append(data.Warnings, "it is not remembered: "+err.Error())
			return
		}
		t.row.N = t.own.N
	}
}
