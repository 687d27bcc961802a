package diagnose

import (
	"context"
	"slices"
	"time"

	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/investigate/evidence"
	"aidb-mcp/investigate/recorded"
	"aidb-mcp/session"
)

// mostHandled are the failures that a program may handle until it is believed to go on.
const mostHandled = 20

// mayHandle says that a program may handle what has stopped it, by another run of it.
func (x *examination) mayHandle(run *session.Recording) bool {
	r := x.r
	if r.Verdict != judge.Exception && r.Verdict != judge.Signal && r.Verdict != judge.Panic || x.isTest {
		return false
	}
	return recorded.EndingOf(run).Plain() && judge.MayHandle(run.Log.Events, x.toFailing(), run.Stderr.Text)
}

// isHandleable says that the program may handle what has stopped it, as far as its debugger
// knows: another run shows it.
func (x *examination) isHandleable() bool {
	return x.r.Verdict == judge.Exception && !x.isTest && (x.v.Exception == nil || !x.v.Exception.Unhandled)
}

// continuesToEnd lets a program go on that a failure has stopped, where another run of it has
// ended well, and says whether this one has come to its end so, too: then it handles what
// has stopped it, and nothing went wrong.
func (x *examination) continuesToEnd(ctx context.Context) (handled bool, err error) {
	if x.drained {
		return false, nil
	}
	if _, err := x.s.SetExceptions(ctx, []string{"none"}); err != nil {
		x.Log.Debug("let a failed program go on", "error", err)
	}
	x.drained = true
	st := x.v.State
	for n := 0; n < mostHandled && st.Status == session.StoppedException; n++ {
		if err := x.s.Continue(ctx, 0); err != nil {
			return false, context.Cause(ctx)
		}
		if st, err = x.s.Wait(ctx, min(finishing, max(time.Until(x.question.Over), shortestRun))); err != nil {
			return false, context.Cause(ctx)
		}
	}
	if st.Status != session.Terminated || st.Signal != "" || st.ExitCode == nil || *st.ExitCode != 0 {
		x.question.Keep = false
		x.r.Warnings = append(x.r.Warnings, "another run ended well, so the program was let go on after the failure: its session has ended")
		return false, nil
	}
	x.succeed(ctx)
	return true, nil
}

// succeed makes the result that of a program which has ended as it meant to.
func (x *examination) succeed(ctx context.Context) {
	old, code := x.r, 0
	if v, err := x.s.View(ctx); err == nil {
		v.Output.Stdout.Text = x.v.Output.Stdout.Text + v.Output.Stdout.Text
		v.Output.Stderr.Text = x.v.Output.Stderr.Text + v.Output.Stderr.Text
		x.v = v
	}
	x.r = &Result{
		Verdict: judge.OK, Runs: old.Runs, Target: old.Target, Workspace: old.Workspace, Session: old.Session, View: x.v, before: old.before,
		ExitCode: &code, Output: x.v.Output,
	}
	x.r.Runs.Failed = 0
	if !slices.Contains(x.lostExceptions(), old.Message) { // else nobody has handled it
		x.r.Warnings = append([]string{"it was stopped by " + old.Message + ", which it handles"}, x.r.Warnings...)
		x.r.Handled = evidence.On(old.Message, x.stopSeen("exit code, after it went on", "0"))
	}
}
