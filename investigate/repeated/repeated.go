// Package repeated looks for the failure of a program that fails now and then: by runs here and on other
// machines that hold the same workspace, until one fails.
//
// It knows neither how a program's start is written nor how a failure is told.
package repeated

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/investigate/diagnose"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/investigate/spread"
)

// Search is such runs.
type Search struct {
	Host     diagnose.Host
	Question diagnose.Question
	Start    json.RawMessage // of the question's program, as the others read it
	Progress func(made int)
}

// Found is what came of them.
type Found struct {
	*spread.Found
	// Failure is that of a run on another machine, where none has failed here; nil else.
	Failure *Failure
	At      string // that machine
}

// Failure is one that has fallen on another machine.
type Failure struct {
	Seed    uint16          `json:"seed,omitempty"` // by which its run drew at random
	Brief   string          `json:"brief"`
	Details json.RawMessage `json:"details"` // all that is known of it, in the words of whoever tells it
}

// How long a run must have to come to anything, and how many are made here to see what has failed
// elsewhere.
const (
	leastRun  = time.Second
	mostAgain = 5
)

// CanBeShared says that others can make runs of a question: it is about a program that is started, in the
// workspace.
func CanBeShared(q diagnose.Question, workspace string) bool {
	own := q.Request.Program.Workspace
	return q.Repeat > 1 && q.Check == "" && diagnose.Starts(q.Request) && (own == "" || own == workspace)
}

// Until makes the runs. The result is that of the run here that failed, or the last one.
func (s Search) Until(ctx context.Context, team *spread.Team) (*diagnose.Result, *Found, error) {
	local := &localRuns{host: s.Host, question: s.Question}
	search := spread.Runs{Most: s.Question.Repeat, Over: s.Question.Over, Here: local.make, There: s.runsOn, Progress: s.Progress}
	runs, err := search.Until(ctx, team)
	if err != nil {
		if local.last != nil {
			s.Host.End(ctx, local.last)
		}
		return nil, nil, err
	}
	if local.last == nil { // there was no time for any here
		return nil, nil, fault.New(fault.SessionStart, "the time was over before a run was made here").WithField("timeout_ms").WithHint("raise timeout_ms")
	}
	found := &Found{Found: runs}
	switch local.last.Verdict {
	case judge.BuildFailed, judge.NoTestRan, judge.Input: // which says nothing of a run
		local.last.Runs = diagnose.Runs{Made: found.Here.Made, Failed: found.Here.Failed}
		return local.last, found, nil
	}
	if err := local.lookElsewhere(ctx, found); err != nil {
		return nil, nil, err
	}
	local.last.Runs = diagnose.Runs{Made: found.Made(), Failed: found.Failed()}
	return local.last, found, nil
}

// localRuns are those that are made here.
type localRuns struct {
	host     diagnose.Host
	question diagnose.Question
	last     *diagnose.Result
}

// make makes some of them. What the time was too short for was not made, if others were.
func (l *localRuns) make(ctx context.Context, n int) (spread.Batch, error) {
	q := l.question
	q.Repeat = n
	r, err := diagnose.Run(ctx, l.host, q)
	if err != nil && l.last != nil && ctx.Err() == nil && time.Until(q.Over) <= leastRun {
		return spread.Batch{}, nil
	}
	if err != nil {
		return spread.Batch{}, err
	}
	l.last = r
	return spread.Batch{Made: r.Runs.Made, Failed: r.Runs.Failed}, nil
}

// lookElsewhere takes what has failed on another machine for the failure, where none here does so.
func (l *localRuns) lookElsewhere(ctx context.Context, found *Found) error {
	first := found.FirstElsewhere()
	if first == nil || found.Here.Failed > 0 && l.last.Verdict != judge.Cut {
		return nil
	}
	if found.Here.Failed > 0 { // one that was not seen to its end
		l.host.End(ctx, l.last)
		found.Here.Made, found.Here.Failed = found.Here.Made-1, 0
	}
	failure, is := first.What.(*Failure)
	if !is {
		return nil
	}
	if err := l.again(ctx, found.Found, failure.Seed); err != nil {
		return err
	}
	if found.Here.Failed == 0 {
		found.Failure, found.At = failure, first.Machine.Name
	}
	return nil
}

// again makes runs here after one has failed elsewhere, of those that are left: the first draws at
// random what that one drew.
func (l *localRuns) again(ctx context.Context, found *spread.Found, seed uint16) error {
	for range min(mostAgain, l.question.Repeat-found.Made()) {
		if time.Until(l.question.Over) < leastRun {
			return nil
		}
		q := l.question
		q.Repeat, q.Seed = 1, seed
		seed = 0
		r, err := diagnose.Run(ctx, l.host, q)
		if err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return nil // what fell elsewhere is told all the same
		}
		if r.Verdict == judge.Cut { // it was not seen to its end
			l.host.End(ctx, r)
			return nil
		}
		l.last = r
		found.Here.Made, found.Here.Failed = found.Here.Made+1, found.Here.Failed+r.Runs.Failed
		if r.Verdict != judge.OK {
			return nil
		}
	}
	return nil
}

// runsOn has a machine make runs.
func (s Search) runsOn(ctx context.Context, m *spread.Machine, n int, isFirst bool) (spread.Batch, error) {
	limit := time.Until(s.Question.Over) - leastRun/2
	var done Done
	ask := Ask{Start: s.Start, Runs: n, Limit: limit, Strict: s.Question.Strict, IsFirst: isFirst}
	if err := m.Ask(ctx, limit, 1, ask, &done); err != nil {
		return spread.Batch{}, err
	}
	switch {
	case done.Unready != "":
		m.SetAside(done.Unready)
		return spread.Batch{}, &spread.NotDone{Why: done.Unready}
	case done.Failed > 0 && done.Failure == nil:
		return spread.Batch{}, &spread.NotDone{Why: "it does not say how the program failed"}
	}
	b := spread.Batch{Made: min(done.Made, n+1), Failed: done.Failed}
	if done.Failed > 0 {
		b.What = done.Failure
	}
	if isFirst && done.Failed > 1 {
		b.Strange = fmt.Sprintf("it fails each time there (%d of %d, not counted): %s", done.Failed, done.Made, done.Failure.Brief)
	}
	return b, nil
}
