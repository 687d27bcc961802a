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
	if x.v.Exception != nil && x.v.Exception.Origin.Final {
		return false
	}
	if x.s.FollowsOthers() { // that run shows how the program's first process ends, and it may be another one that has failed
		return false
	}
	return recorded.EndingOf(run).Plain() && judge.MayHandle(run.Log.Events, x.toFailing(), run.Stderr.Text)
}

// isHandleable says that the program may handle what has stopped it, as far as its debugger
// knows: another run shows it.
func (x *examination) isHandleable() bool {
	return !x.isTest && (x.r.Verdict == judge.Exception && (x.v.Exception == nil || !x.v.Exception.Unhandled) || x.mayEndThread())
}

// mayEndThread says that the program has panicked in a language where that ends perhaps no more
// than a thread.
func (x *examination) mayEndThread() bool { return x.r.Verdict == judge.Panic && x.syntax.EndsThread }

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

// isEndedElsewhereIn says that another run went on after what has stopped this one, as far as can be
// told, and that its recorder names something else that ended it.
// A thread's panic stays what went wrong where another panic has ended the program, which may have
// come of it.
func (x *examination) isEndedElsewhereIn(run *witness) bool {
	return x.runs.Made == 1 && !x.isTest && !x.drained && (x.r.Verdict == judge.Exception || x.mayEndThread() && judge.OnlyExits(run.Log.Events)) &&
		run.Exit != nil && run.Exit.Signal == "" && judge.EndsElsewhere(run.Log.Events, x.toFailing(), run.Exit.Code)
}

// reconsiderPrinted judges a program anew that has printed an exception and ended by itself, if a
// recorded run shows that the exception was caught, and the program then exited. run is that
// run; nil: it is the one that failed, if that was recorded itself.
func (x *examination) reconsiderPrinted(ctx context.Context, run *witness) error {
	if x.printed == nil || x.r.Verdict != judge.Exception {
		return nil
	}
	if run == nil {
		own, err := x.s.Recorded()
		if err != nil || own == nil || x.r.ExitCode == nil || !judge.EndsElsewhere(own.Log.Events, x.toFailing(), *x.r.ExitCode) {
			return nil //nolint:nilerr // another run may show it
		}
	} else if !x.isEndedElsewhereIn(run) {
		return nil
	}
	x.exitsByItself, x.v.Output = true, *x.printed
	if err := x.judgeAgain(ctx); err != nil {
		return err
	}
	if run != nil {
		x.findFailure(run)
	}
	return nil
}

// addOwnRecording adds the calls that the failing run has noted itself. If it stands in a thread that
// the failure may end alone, another run shows whether the program goes on, and what ends it then.
func (x *examination) addOwnRecording(ctx context.Context, own *witness) error {
	if x.runs.Made > 1 || x.isTest || x.r.Verdict != judge.Exception || !own.moment.InThreadOfItsOwn(own.Log.Events) || !x.hasTime() {
		return x.addWitness(ctx, own, "")
	}
	x.hot = true // only how it ends is asked for
	run, err := x.record(ctx, nil)
	if err != nil {
		return err
	}
	if run == nil {
		return x.addWitness(ctx, own, "")
	}
	if x.isEndedElsewhereIn(run) {
		if err := x.continueToFailure(ctx, run); err != nil {
			return err
		}
		if run.fails {
			return x.addWitness(ctx, run, "the program was run a second time, to note what ends it")
		}
	}
	if run.fails && recorded.EndingOf(run.Recording).Plain() {
		x.r.Warnings = append(x.r.Warnings, "that has ended its thread and not the program: another run went on and ended with exit code 0")
	}
	return x.addWitness(ctx, own, "")
}

// continueToFailure lets such a program go on until it fails as the other run did, which is what
// went wrong then. Where it comes to that no more, the first stop is told, which is gone.
func (x *examination) continueToFailure(ctx context.Context, run *witness) error {
	first := x.r
	for range mostHandled {
		if err := x.s.Continue(ctx, 0); err != nil {
			return context.Cause(ctx)
		}
		st, err := x.s.Wait(ctx, min(finishing, max(time.Until(x.question.Over), shortestRun)))
		if err != nil {
			return context.Cause(ctx)
		}
		if st.Status != session.StoppedException && st.Status != session.Terminated {
			break
		}
		if err := x.judgeAgain(ctx); err != nil {
			return err
		}
		if x.findFailure(run); run.fails {
			x.r.Warnings = append([]string{"it was stopped before by " + first.Message + placeOf(x, first) + ", which has not ended it"}, x.r.Warnings...)
			return nil
		}
		if st.Status == session.Terminated {
			break
		}
	}
	x.r, x.drained, x.question.Keep = first, true, false
	x.r.Warnings = append(x.r.Warnings, "another run was ended by something else, so the program was let go on after the failure: its session has ended")
	return nil
}

// placeOf is where a result says that it went wrong, as text.
func placeOf(x *examination, r *Result) string {
	if r.Place.File == "" {
		return ""
	}
	return " at " + x.s.RelAt(placeText(r.Place.File, r.Place.Line))
}

// judgeAgain judges where the program has come to since it was judged.
func (x *examination) judgeAgain(ctx context.Context) error {
	old := x.r
	x.r = &Result{Session: old.Session, Workspace: old.Workspace, before: old.before, Target: old.Target, Runs: old.Runs}
	x.stop, x.parts, x.callee, x.stood = judge.Stop{}, nil, "", 0
	printed := x.v.Output
	if err := x.readView(ctx); err != nil {
		return err
	}
	x.v.Output.Stdout.Text = printed.Stdout.Text + x.v.Output.Stdout.Text
	x.v.Output.Stderr.Text = printed.Stderr.Text + x.v.Output.Stderr.Text
	x.r.View = x.v
	if err := x.judge(ctx); err != nil {
		return err
	}
	x.addOutput()
	return nil
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
