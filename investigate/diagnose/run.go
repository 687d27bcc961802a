package diagnose

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/telemetry"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/session"
)

// examination is one diagnosis under way.
type examination struct {
	Host
	question Question
	request  session.StartRequest
	before   *session.Session // the current one, when it was asked
	runs     Runs

	// Of the last run:
	begun    time.Time
	ran      time.Time      // when it was seen to run; zero where it was over at once
	lasted   time.Duration  // so long it has run until it stopped
	queued   time.Duration  // of that, it has waited for a processor, as far as the system tells
	readied  time.Duration  // so long it had waited for one when it was seen to run
	userCode                // its session is nil where it did not start
	v        *session.View  // where that has come to
	isTest   bool           // tests are run
	seen     []judge.Sample // of a program that does not end
	took     map[int]int64  // of the processor, by its threads meanwhile
	stop     judge.Stop     // of one that a failure has stopped
	parts    []judge.Part   // of its statement
	stood    int            // the line of the debugger's, where the runtime knows better; 0: it is the same
	callee   string         // what the part to blame calls, as it was read there
	hits     int            // of the place where it is changed
	// witnessed is how many runs were recorded.
	witnessed int
	other     bool // what a recorded run tells need not be so in the one that failed
	// hot: the run that failed has noted its calls but for those of functions that are
	// called too often for that.
	hot bool
	// ahead ends what is built beside the run for one that notes its calls; nil: nothing is.
	ahead func()
	// told is the number of the one that is told of.
	told int
	// drained: the session was let run on after the failure, and stands there no more.
	drained bool
	// printed is the output before an exception was taken out of it, of which only the output
	// tells. A recorded run may show that the program has printed it and exited by itself: then
	// exitsByItself is set.
	printed       *session.Output
	exitsByItself bool
	r             *Result
}

// Of the time that there is, what is kept for watchTime a program that does not end.
const (
	watchTime   = 3 * time.Second
	shortestRun = time.Second
)

// watchTime is how much of a run's time is kept to look at it, in case it does not end,
// and to see whether it makes progress.
func (x *examination) watchTime() time.Duration {
	return watchTime + min(progressTime, x.question.Over.Sub(x.begun)/4)
}

// run makes one run and judges it. What does not build is a verdict too; what cannot
// be started is an error.
func (x *examination) run(ctx context.Context) error {
	x.endSession(ctx)
	x.request.Program.Seed = cmp.Or(x.question.Seed, session.NewSeed())
	x.question.Seed = 0 // the next run is another
	x.request.Call = telemetry.CallOf(ctx)
	x.buildAhead(ctx)
	s, err := x.Sessions.Open(x.request)
	if err != nil {
		return err
	}
	if err := x.Adopt(ctx, s); err != nil {
		return err
	}
	x.userCode, x.isTest = userCode{s: s, syntax: s.Failures()}, false
	x.seen, x.begun, x.ran, x.lasted, x.queued, x.readied, x.hot = nil, time.Now(), time.Time{}, 0, 0, 0, false
	x.stop, x.parts, x.callee, x.stood, x.drained = judge.Stop{}, nil, "", 0, false
	x.printed, x.exitsByItself, x.other = nil, false, false
	x.r = &Result{Session: s, Workspace: s.Workspace(), Seed: x.request.Program.Seed, before: x.before}
	x.runs.Made++
	st, err := x.await(ctx)
	if !x.ran.IsZero() {
		x.lasted = time.Since(x.ran)
	}
	x.Started(s)
	x.r.Target = s.Target()
	if err == nil && st.Status == session.Starting {
		st, err = s.WaitFirst(ctx, time.Until(x.question.Over))
	}
	if err != nil {
		return x.judgeStartError(err)
	}
	if st.Status == session.Starting {
		return fault.New(fault.SessionStart, "the time was over before the program ran: it is still %s", cmp.Or(st.Doing, "starting")).
			WithField("timeout_ms").WithHint("raise timeout_ms: what was built until now is kept, so the next call is faster")
	}
	if x.question.Change != nil {
		if st, err = x.intervene(ctx, st); err != nil {
			return err
		}
	}
	if isUnended(st.Status) && !x.r.Verdict.Hangs() && !s.AwaitsInput() {
		if err := x.watch(ctx); err != nil {
			return err
		}
	}
	x.isTest = s.Mode() == adapters.Test // which is known since the start is over
	if err := x.readView(ctx); err != nil {
		return err
	}
	x.r.View = x.v
	return x.judge(ctx)
}

// readView reads where the program has come to. What a busy debugger did not give in time it is
// asked for once more.
func (x *examination) readView(ctx context.Context) (err error) {
	if x.v, err = x.s.View(ctx); err != nil || x.v.Unread.What == "" || time.Now().After(x.question.Over) {
		return err
	}
	again, err := x.s.ViewWithoutOutput(ctx)
	if err != nil {
		return err
	}
	again.Output, again.Warnings = x.v.Output, append(x.v.Warnings, again.Warnings...)
	again.Unfollowed = cmp.Or(x.v.Unfollowed, again.Unfollowed)
	if len(again.Children) == 0 {
		again.Children = x.v.Children
	}
	if x.v = again; again.Unread.What != "" {
		x.r.Warnings = append(x.r.Warnings, fmt.Sprintf("the %s could not be read: %s", again.Unread.What, again.Unread.Why))
	}
	return nil
}

func isRunning(s session.Status) bool { return s == session.Running || s == session.Starting }

// isUnended says whether a program would go on: it runs, or was stopped only to be
// looked at.
func isUnended(s session.Status) bool { return isRunning(s) || s == session.Paused }

// isHalted says whether a program was stopped in order to look at it.
func isHalted(s session.Status) bool {
	return s == session.Paused || s == session.StoppedStep || s == session.StoppedBreakpoint
}

// judgeStartError judges a start that failed.
func (x *examination) judgeStartError(err error) error {
	x.Abandon()
	var f *fault.Error
	if !errors.As(err, &f) {
		return err
	}
	switch {
	case f.Code == fault.BuildFailed:
		x.r.Verdict = judge.BuildFailed
		x.showBuildError(f)
	case f.Kind == fault.NoSuchTest:
		x.r.Verdict = judge.NoTestRan
		x.r.Message = f.Message
		if f.Hint != "" {
			x.r.Message += "; " + f.Hint
		}
	default:
		return err
	}
	x.r.Session, x.s, x.v, x.r.Unrun = nil, nil, nil, true
	return nil
}

// showBuildError shows why a program cannot be built, and where.
func (x *examination) showBuildError(f *fault.Error) {
	x.r.Message, x.r.Build = f.Message, &BuildFailure{Details: f.Details}
	told := f.SourceErrors()
	if len(told) == 0 {
		return
	}
	first := told[0]
	x.r.Message, x.r.Build.Details = first.Message, nil
	x.r.Build.Others = slices.DeleteFunc(slices.Clone(told[1:]), func(e fault.SourceError) bool { return e.Message == first.Message })
	if !filepath.IsAbs(first.File) {
		first.File = filepath.Join(x.Workspace, first.File)
	}
	x.r.Place = Place{File: first.File, Line: first.Line}
	x.r.Excerpt = x.excerpt(first.File, first.Line, 0)
}

// judge is the verdict on where the run has come to, with what shows it.
func (x *examination) judge(ctx context.Context) error {
	st := x.v.State
	if x.r.Verdict == judge.Cut && st.Status == session.Terminated && st.Signal == "" && st.ExitCode == nil {
		x.r.Message = x.cutText() + ", and was lost while it was looked at"
		return nil
	}
	if !x.r.Verdict.Hangs() || !isRunning(st.Status) && !isHalted(st.Status) {
		x.r.Verdict = ""
	}
	switch {
	case x.isOverBefore(st):
		x.judgeAfterEnd()
		return nil
	case st.Status == session.StoppedException:
		return x.judgeStop(ctx)
	case st.Failed: // late: what never ran has not ended well
		return fault.New(fault.SessionStart, "%s", st.Note)
	case st.Status == session.Terminated:
		x.judgeEnd()
		x.judgeLeftover()
		return nil
	case x.v.AwaitsInput:
		x.r.Verdict = judge.Input
		return x.showInputWait(ctx)
	case x.r.Verdict == "":
		return fault.New(fault.Internal, "the program is %s, which no verdict is known for", st.Status)
	}
	x.addLeftBehind()
	return x.diagnoseHang(ctx)
}

// judgeEnd judges a program that has ended by itself.
func (x *examination) judgeEnd() {
	st, r := x.v.State, x.r
	r.Verdict = judge.End{ExitCode: st.ExitCode, Signal: st.Signal, NoTestRan: x.v.NoTestRan, TestFailed: x.v.TestFailed}.Verdict()
	r.ExitCode, r.Signal, r.Message = st.ExitCode, st.Signal, x.v.TestFailed
	switch r.Verdict {
	case judge.ExitCode:
		if !x.exitsByItself {
			x.readPrintedFailure()
		}
	case judge.Signal:
		r.Message = judge.Fatal(x.syntax, x.v.Output.Stderr.Text)
	case judge.TestFailure:
		x.showUnmet()
	}
	if x.v.NoTestRan && len(x.v.NearTests) > 0 {
		r.Message = "did you mean " + strings.Join(x.v.NearTests, " or ") + "?"
	}
}

// complete adds to the result of the last run what its verdict calls for.
func (x *examination) complete(ctx context.Context) error {
	r := x.r
	if r.Verdict != judge.OK {
		x.runs.Failed = 1
	}
	r.Runs, r.Hits = x.runs, x.hits
	if x.s == nil {
		return nil
	}
	if x.question.Count {
		if counts := x.syntax.Counts; counts != nil {
			r.Passed, r.Failed = counts(x.runToEndOutput(ctx))
		}
	}
	x.lostExceptions()
	x.addOutput()
	if x.v != nil {
		r.Children = x.v.Children
	}
	if (r.Verdict == judge.OK || len(r.Children) > 0) && x.v.Unfollowed != "" {
		x.r.Warnings = append(x.r.Warnings, x.v.Unfollowed)
	}
	if x.question.Calls {
		if err := x.addCalls(ctx); err != nil {
			return err
		}
	}
	r = x.r
	if r.Kept = x.question.Keep && r.Verdict != judge.OK; !r.Kept {
		x.endSession(ctx)
	}
	return nil
}

// endSession ends the session of a run, where there is one.
func (x *examination) endSession(ctx context.Context) {
	if x.s == nil {
		return
	}
	x.discardSession(ctx, x.s, x.before)
	x.s, x.v = nil, nil
}

// End ends the session that a diagnosis has kept.
func (h Host) End(ctx context.Context, r *Result) {
	if r.Kept {
		r.Kept = false
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
