package handlers

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/investigate/diagnose"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/investigate/spread"
	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// farRuns are the runs of a diagnosis that were made on several machines.
type farRuns struct {
	*spread.Found
	notes   []string // why no others were asked
	failure *farFailure
	at      string // the machine where it fell; empty: here
}

// findFailureOn makes the runs here and on the machines that hold the same workspace. The result is that
// of the run here that failed, or the last one; far is nil where nobody else was asked.
func (h *Handlers) findFailureOn(ctx context.Context, c *Call, host diagnose.Host, q diagnose.Question) (r *diagnose.Result, far *farRuns, err error) {
	var team *spread.Team
	var unasked error
	own := q.Request.Program.Workspace
	if q.Repeat > 1 && q.Sought == "" && diagnose.Starts(q.Request) && (own == "" || own == h.Workspace) {
		team, unasked = spread.Gather(ctx, c.Client, c.Tool, h.own, q.Over)
	}
	if team == nil {
		r, err = diagnose.Run(ctx, host, q)
		if unasked != nil && err == nil {
			far = &farRuns{notes: []string{"on no other machine: " + unasked.Error()}}
		}
		return r, far, err
	}
	local := &localRuns{host: host, question: q}
	search := spread.Runs{
		Most: q.Repeat, Over: q.Over, Here: local.make,
		There: func(ctx context.Context, m *spread.Machine, n int, isFirst bool) (spread.Batch, error) {
			return h.runsOn(ctx, m, q, n, isFirst)
		},
		Progress: func(made int) { c.tell("making runs", float64(made), float64(q.Repeat)) },
	}
	found, err := search.Until(ctx, team)
	if err != nil {
		if local.last != nil {
			host.End(ctx, local.last)
		}
		return nil, nil, err
	}
	if local.last == nil { // there was no time for any here
		return nil, nil, fault.New(fault.SessionStart, "the time was over before a run was made here").WithField("timeout_ms").WithHint("raise timeout_ms")
	}
	far = &farRuns{Found: found}
	switch local.last.Verdict {
	case judge.BuildFailed, judge.NoTestRan, judge.Input: // which says nothing of a run
		local.last.Runs = diagnose.Runs{Made: found.Here.Made, Failed: found.Here.Failed}
		return local.last, far, nil
	}
	if err := local.lookElsewhere(ctx, far); err != nil {
		return nil, nil, err
	}
	local.last.Runs = diagnose.Runs{Made: found.Made(), Failed: found.Failed()}
	return local.last, far, nil
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
func (l *localRuns) lookElsewhere(ctx context.Context, far *farRuns) error {
	first := far.FirstElsewhere()
	if first == nil || far.Here.Failed > 0 && l.last.Verdict != judge.Cut {
		return nil
	}
	if far.Here.Failed > 0 { // one that was not seen to its end
		l.host.End(ctx, l.last)
		far.Here.Made, far.Here.Failed = far.Here.Made-1, 0
	}
	failure, is := first.What.(*farFailure)
	if !is {
		return nil
	}
	if err := l.again(ctx, far.Found, failure.Seed); err != nil {
		return err
	}
	if far.Here.Failed == 0 {
		far.failure, far.at = failure, first.Machine.Name
	}
	return nil
}

// leastRun is the time in which a run may come to anything.
const leastRun = time.Second

// mostAgain is how many runs are made here to see what has failed elsewhere.
const mostAgain = 5

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

// runsAsk is what a machine is asked: runs until one fails.
type runsAsk struct {
	Start   json.RawMessage `json:"start"` // as arguments of session_start
	Runs    int             `json:"runs"`
	Limit   time.Duration   `json:"limit"`
	Strict  bool            `json:"strict,omitempty"`
	IsFirst bool            `json:"is_first,omitempty"` // if it fails, it is made once more
}

// runsDone is what came of them.
type runsDone struct {
	Made    int         `json:"made"`
	Failed  int         `json:"failed"`
	Unready string      `json:"unready,omitempty"` // why the program does not run there
	Failure *farFailure `json:"failure,omitempty"`
}

// runsOn has a machine make runs.
func (h *Handlers) runsOn(ctx context.Context, m *spread.Machine, q diagnose.Question, n int, isFirst bool) (spread.Batch, error) {
	limit := time.Until(q.Over) - leastRun/2
	var done runsDone
	ask := runsAsk{Start: startOf(q.Request, false), Runs: n, Limit: limit, Strict: q.Strict, IsFirst: isFirst}
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
		b.Strange = fmt.Sprintf("it fails each time there (%d of %d, not counted): %s", done.Failed, done.Made, done.Failure.Summary)
	}
	return b, nil
}

// runsPart makes runs for another machine, one after the other, under the policy of this one.
func (h *Handlers) runsPart(ctx context.Context, c *Call, original string, ask json.RawMessage) (any, error) {
	var a runsAsk
	if err := json.Unmarshal(ask, &a); err != nil {
		return nil, fault.New(fault.InvalidParam, "reading what is to be run: %w", err)
	}
	full, err := tools.StartParams(&tools.Start{More: a.Start})
	if err != nil {
		return nil, err
	}
	full.WorkspaceRoot = "" // it is this one
	b, err := h.applyLaunchConfig(ctx, unattended(), full)
	if err != nil {
		return nil, err
	}
	q := diagnose.Question{
		Request: b.with(h.relocate(full, original)), Over: time.Now().Add(a.Limit), Repeat: a.Runs, Calls: true, Leftover: true, Strict: a.Strict,
	}
	host := h.diagnosisHost(c)
	r, err := diagnose.Run(ctx, host, q)
	if err != nil {
		return nil, err
	}
	done := runsDone{Made: r.Runs.Made, Failed: r.Runs.Failed}
	switch r.Verdict {
	case judge.OK:
		return done, nil
	case judge.BuildFailed, judge.NoTestRan, judge.Input:
		return runsDone{Unready: "it does not run there: " + (&diagnosisReply{h: h, r: r}).outcome()}, nil
	case judge.Cut: // it was not seen to its end
		done.Made, done.Failed = done.Made-1, 0
		return done, nil
	}
	done.Failure = h.farFailureOf(r)
	if a.IsFirst && r.Runs.Made == 1 && time.Until(q.Over) > leastRun {
		q.Repeat, q.Calls = 1, false
		if again, err := diagnose.Run(ctx, host, q); err == nil && again.Verdict != judge.Cut {
			done.Made, done.Failed = done.Made+1, done.Failed+again.Runs.Failed
		}
	}
	return done, nil
}

// howText tells what was run where.
func (f *farRuns) howText() string {
	if f == nil {
		return ""
	}
	how := f.notes
	if f.Found != nil {
		how = append(how, "here: "+f.Here.Rate())
		for _, l := range f.There {
			how = append(how, laneText(l))
		}
	}
	return strings.Join(how, "; ")
}

func laneText(l *spread.Lane) string {
	said := fmt.Sprintf("on %s: ", l.Machine.Name)
	why := l.Machine.Aside()
	if l.Lost > 0 {
		why = fmt.Sprintf("%s given up in the middle, and not counted", responses.Plural(l.Lost, "run"))
	}
	switch {
	case why == "":
		return said + l.Rate()
	case l.Made == 0:
		return said + "none: " + why
	}
	return said + l.Rate() + ", then no more: " + why
}
