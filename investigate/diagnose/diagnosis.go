package diagnose

import (
	"cmp"
	"context"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/telemetry"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/session"
)

// diagnosis is one under way: it runs the program until a run fails.
type diagnosis struct {
	Host
	question Question
	request  session.StartRequest
	before   *session.Session // the current one, when it was asked
	runs     Runs
	hits     int      // of the place where the runs are changed
	ahead    func()   // ends what is built beside the run for one that notes its calls; nil: nothing is
	last     *outcome // of the last run; nil: there was none
}

// run makes one run and judges it. What does not build is a verdict too; what cannot
// be started is an error.
func (d *diagnosis) run(ctx context.Context) error {
	d.endSession(ctx)
	d.request.Program.Seed = cmp.Or(d.question.Seed, session.NewSeed())
	d.question.Seed = 0 // the next run is another
	d.request.Call = telemetry.CallOf(ctx)
	d.buildAhead(ctx)
	s, err := d.Sessions.Open(d.request)
	if err != nil {
		return err
	}
	if err := d.Adopt(ctx, s); err != nil {
		return err
	}
	d.runs.Made++
	n := &run{
		userCode: userCode{s: s, syntax: s.Failures()}, log: d.Log, request: d.request, over: d.question.Over,
		number: d.runs.Made, begun: time.Now(),
	}
	o := &outcome{
		userCode: n.userCode, run: n, workspace: d.Workspace, strict: d.question.Strict, keep: d.question.Keep,
		r: &Result{Session: s, Workspace: s.Workspace(), Seed: d.request.Program.Seed, before: d.before},
	}
	d.last = o
	st, err := n.await(ctx)
	if !n.ran.IsZero() {
		n.lasted = time.Since(n.ran)
	}
	d.Started(s)
	o.r.Target = s.Target()
	if err == nil && st.Status == session.Starting {
		st, err = s.WaitFirst(ctx, time.Until(n.over))
	}
	if err != nil {
		return d.judgeStartError(err)
	}
	if st.Status == session.Starting {
		return fault.New(fault.SessionStart, "the time was over before the program ran: it is still %s", cmp.Or(st.Doing, "starting")).
			WithField("timeout_ms").WithHint("raise timeout_ms: what was built until now is kept, so the next call is faster")
	}
	if d.question.Change != nil {
		st, err = n.intervene(ctx, *d.question.Change, st)
		if d.hits += n.hits; err != nil {
			return err
		}
	}
	if isUnended(st.Status) && !n.hang.verdict.Hangs() && !s.AwaitsInput() {
		if err := n.watch(ctx); err != nil {
			return err
		}
	}
	o.r.Verdict, o.r.Samples, o.r.Changed, o.r.Still = n.hang.verdict, n.hang.seen, n.hang.changed, n.hang.still
	o.isTest = s.Mode() == adapters.Test // which is known since the start is over
	if err := o.read(ctx); err != nil {
		return err
	}
	return o.judge(ctx)
}

// judgeStartError judges a start that failed.
func (d *diagnosis) judgeStartError(err error) error {
	d.Abandon()
	if err := d.last.r.takeStartError(err, d.last.userCode, d.Workspace); err != nil {
		return err
	}
	d.last.s, d.last.v = nil, nil
	return nil
}

// buildAhead has what a recorded run needs be built while the program runs that may fail. What is to be
// done before a start may change the sources.
func (d *diagnosis) buildAhead(ctx context.Context) {
	if d.ahead == nil && d.request.Program.Record != nil && d.request.Before == nil {
		d.ahead = d.Sessions.Ahead(ctx, d.request)
	}
}

// complete adds to the result of the last run what its verdict calls for.
func (d *diagnosis) complete(ctx context.Context) error {
	o := d.last
	if o.r.Verdict != judge.OK {
		d.runs.Failed = 1
	}
	o.r.Runs, o.r.Hits = d.runs, d.hits
	if o.s == nil {
		return nil
	}
	if d.question.Count {
		if counts := o.syntax.Counts; counts != nil {
			o.r.Passed, o.r.Failed = counts(o.runToEndOutput(ctx))
		}
	}
	o.lostExceptions()
	o.addOutput()
	if o.v != nil {
		o.r.Children = o.v.Children
	}
	if (o.r.Verdict == judge.OK || len(o.r.Children) > 0) && o.v.Unfollowed != "" {
		o.r.warn(o.v.Unfollowed)
	}
	if d.question.Calls {
		if err := d.newCallSearch().addCalls(ctx); err != nil {
			return err
		}
	}
	if o.r.SessionOpen = o.keep && o.r.Verdict != judge.OK; !o.r.SessionOpen {
		d.endSession(ctx)
	}
	return nil
}

// endSession ends the session of the last run, where there is one.
func (d *diagnosis) endSession(ctx context.Context) {
	if d.last == nil || d.last.s == nil {
		return
	}
	d.discardSession(ctx, d.last.s, d.before)
	d.last.s, d.last.v = nil, nil
}

// End ends the session that a diagnosis has kept.
func (h Host) End(ctx context.Context, r *Result) {
	if r.SessionOpen {
		r.SessionOpen = false
		h.discardSession(ctx, r.Session, r.before)
	}
}

// discardSession ends a session, and makes the one current that was current before it.
func (h Host) discardSession(ctx context.Context, s, before *session.Session) {
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), shortestRun+watchTime)
	defer cancel()
	if err := h.Sessions.Remove(ending, s.ID()); err != nil {
		h.Log.Debug("end the session of a diagnosis", "error", err)
	}
	if before != nil {
		if _, err := h.Sessions.Switch(before.ID()); err != nil {
			h.Log.Debug("go back to the session before a diagnosis", "error", err)
		}
	}
	h.Abandon()
}
