package diagnose

import (
	"context"
	"slices"
	"time"

	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/investigate/evidence"
	"aidb-mcp/session"
)

// mostHandled are the failures that a program may handle until it is believed to go on.
const mostHandled = 20

// continuesToEnd lets a program go on that a failure has stopped, where another run of it has
// ended well, and says whether this one has come to its end so, too: then it handles what
// has stopped it, and nothing went wrong.
func (o *outcome) continuesToEnd(ctx context.Context) (handled bool, err error) {
	if o.drained {
		return false, nil
	}
	if _, err := o.s.SetExceptions(ctx, []string{"none"}); err != nil {
		o.run.log.Debug("let a failed program go on", "error", err)
	}
	o.drained = true
	st := o.v.State
	for n := 0; n < mostHandled && st.Status == session.StoppedException; n++ {
		if err := o.s.Continue(ctx, 0); err != nil {
			return false, context.Cause(ctx)
		}
		if st, err = o.s.Wait(ctx, min(finishing, max(time.Until(o.run.over), shortestRun))); err != nil {
			return false, context.Cause(ctx)
		}
	}
	if st.Status != session.Terminated || st.Signal != "" || st.ExitCode == nil || *st.ExitCode != 0 {
		o.keep = false
		o.r.warn("another run ended well, so the program was let go on after the failure: its session has ended")
		return false, nil
	}
	o.succeed(ctx)
	return true, nil
}

// isEndedElsewhereIn says that another run went on after what has stopped this one, which was the first,
// and still stands there.
func (o *outcome) isEndedElsewhereIn(run *witness) bool {
	return o.run.number == 1 && !o.drained && o.failure().endsElsewhere(run)
}

// reconsiderPrinted judges a program anew that has printed an exception and ended by itself, if a
// recorded run shows that the exception was caught, and the program then exited. run is that
// run; nil: it is the one that failed, if that was recorded itself.
func (o *outcome) reconsiderPrinted(ctx context.Context, run *witness) error {
	if o.printed == nil || o.r.Verdict != judge.Exception {
		return nil
	}
	if run == nil {
		own, err := o.s.Recorded()
		if err != nil || own == nil || o.r.ExitCode == nil || !judge.EndsElsewhere(own.Log.Events, o.failure().Failing, *o.r.ExitCode) {
			return nil //nolint:nilerr // another run may show it
		}
	} else if !o.isEndedElsewhereIn(run) {
		return nil
	}
	o.exitsByItself, o.v.Output = true, *o.printed
	if err := o.judgeAgain(ctx); err != nil {
		return err
	}
	if run != nil {
		o.failure().find(run)
	}
	return nil
}

// continueToFailure lets such a program go on until it fails as the other run did, which is what
// went wrong then. Where it comes to that no more, the first stop is told, which is gone.
func (o *outcome) continueToFailure(ctx context.Context, run *witness) error {
	first := o.r
	for range mostHandled {
		if err := o.s.Continue(ctx, 0); err != nil {
			return context.Cause(ctx)
		}
		st, err := o.s.Wait(ctx, min(finishing, max(time.Until(o.run.over), shortestRun)))
		if err != nil {
			return context.Cause(ctx)
		}
		if st.Status != session.StoppedException && st.Status != session.Terminated {
			break
		}
		if err := o.judgeAgain(ctx); err != nil {
			return err
		}
		if o.failure().find(run); run.fails {
			o.r.Warnings = append([]string{"it was stopped before by " + first.Message + placeOf(o.userCode, first) + ", which has not ended it"}, o.r.Warnings...)
			return nil
		}
		if st.Status == session.Terminated {
			break
		}
	}
	o.r, o.drained, o.keep = first, true, false
	o.r.warn("another run was ended by something else, so the program was let go on after the failure: its session has ended")
	return nil
}

// judgeAgain judges where the program has come to since it was judged.
func (o *outcome) judgeAgain(ctx context.Context) error {
	o.r = o.r.anew()
	o.statement, o.stood = failedStatement{}, 0
	printed := o.v.Output
	if err := o.read(ctx); err != nil {
		return err
	}
	o.v.Output.Stdout.Text = printed.Stdout.Text + o.v.Output.Stdout.Text
	o.v.Output.Stderr.Text = printed.Stderr.Text + o.v.Output.Stderr.Text
	if err := o.judge(ctx); err != nil {
		return err
	}
	o.addOutput()
	return nil
}

// succeed makes the result that of a program which has ended as it meant to.
func (o *outcome) succeed(ctx context.Context) {
	old, code := o.r, 0
	if v, err := o.s.View(ctx); err == nil {
		v.Output.Stdout.Text = o.v.Output.Stdout.Text + v.Output.Stdout.Text
		v.Output.Stderr.Text = o.v.Output.Stderr.Text + v.Output.Stderr.Text
		o.v = v
	}
	o.r = old.anew()
	o.r.Verdict, o.r.View, o.r.ExitCode, o.r.Output, o.r.Runs.Failed = judge.OK, o.v, &code, o.v.Output, 0
	if !slices.Contains(o.lostExceptions(), old.Message) { // else nobody has handled it
		o.r.Warnings = append([]string{"it was stopped by " + old.Message + ", which it handles"}, o.r.Warnings...)
		o.r.Handled = evidence.On(old.Message, o.stopSeen("exit code, after it went on", "0"))
	}
}

// placeOf is where a result says that it went wrong, as text.
func placeOf(c userCode, r *Result) string {
	if r.Place.File == "" {
		return ""
	}
	return " at " + c.s.RelAt(placeText(r.Place.File, r.Place.Line))
}
