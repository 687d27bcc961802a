package diagnose

import (
	"context"
	"time"

	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/investigate/evidence"
	"aidb-mcp/session"
)

// finishing is how long a failed run may go on, for its framework to count.
const finishing = 5 * time.Second

// runToEndOutput is what the program has printed when it is let run to its end: for a test's
// framework to count, or for a runtime to say what it could not read.
func (o *outcome) runToEndOutput(ctx context.Context) string {
	out := &o.v.Output
	if o.drained || o.v.State.Status != session.StoppedException || !o.isTest && o.r.Verdict != judge.BuildFailed {
		return out.Stdout.Text + out.Stderr.Text
	}
	if _, err := o.s.SetExceptions(ctx, []string{"none"}); err != nil {
		return out.Stdout.Text + out.Stderr.Text
	}
	if err := o.s.Continue(ctx, 0); err != nil {
		return out.Stdout.Text + out.Stderr.Text
	}
	o.drained = true
	if _, err := o.s.Wait(ctx, min(finishing, max(time.Until(o.run.over), shortestRun))); err != nil {
		o.run.log.Debug("let a failed program go on to its end", "error", err)
	}
	rest := o.s.TakeOutput(2000)
	out.Stdout.Text += rest.Stdout.Text
	out.Stderr.Text += rest.Stderr.Text
	return out.Stdout.Text + out.Stderr.Text
}

// showUnmet shows the expectation that a framework has reported which only prints.
func (o *outcome) showUnmet() {
	u, r := o.v.Unmet, o.r
	if u == nil {
		return
	}
	at := placeText(u.File, u.Line)
	if u.Sides.AreKnown() {
		r.Sides = evidence.On(u.Sides, evidence.Observation{Run: o.run.number, At: at, What: u.Sides.From, Value: u.Message})
	}
	if file, line, err := o.s.LineAt(at); err == nil {
		r.showAt(o.userCode, Place{File: file, Line: line, Function: u.Test}, 0)
	}
}
