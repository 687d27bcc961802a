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
func (x *examination) runToEndOutput(ctx context.Context) string {
	out := &x.v.Output
	if x.drained || x.v.State.Status != session.StoppedException || !x.isTest && x.r.Verdict != judge.BuildFailed {
		return out.Stdout.Text + out.Stderr.Text
	}
	if _, err := x.s.SetExceptions(ctx, []string{"none"}); err != nil {
		return out.Stdout.Text + out.Stderr.Text
	}
	if err := x.s.Continue(ctx, 0); err != nil {
		return out.Stdout.Text + out.Stderr.Text
	}
	x.drained = true
	if _, err := x.s.Wait(ctx, min(finishing, max(time.Until(x.question.Over), shortestRun))); err != nil {
		x.Log.Debug("let a failed program go on to its end", "error", err)
	}
	rest := x.s.TakeOutput(2000)
	out.Stdout.Text += rest.Stdout.Text
	out.Stderr.Text += rest.Stderr.Text
	return out.Stdout.Text + out.Stderr.Text
}

// showUnmet shows the expectation that a framework has reported which only prints.
func (x *examination) showUnmet() {
	u, r := x.v.Unmet, x.r
	if u == nil {
		return
	}
	at := placeText(u.File, u.Line)
	if u.Sides.AreKnown() {
		r.Sides = evidence.On(u.Sides, evidence.Observation{Run: x.runs.Made, At: at, What: u.Sides.From, Value: u.Message})
	}
	if file, line, err := x.s.LineAt(at); err == nil {
		r.Place = Place{File: file, Line: line, Function: u.Test}
		x.r.Excerpt = x.excerpt(file, line, 0)
	}
}
