package diagnose

import (
	"context"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/session"
)

// outcome is what one run has come to: where the program stands, and what went wrong there. What
// is told of it goes into the result.
type outcome struct {
	userCode  // its session is nil where it did not start, and once it was ended
	run       *run
	workspace string // against which the sources' errors name files
	strict    bool   // what was left running is a failure
	keep      bool   // the session of a failure is kept
	isTest    bool   // tests are run
	v         *session.View
	r         *Result
	statement failedStatement
	// stood is the line of the debugger's, where the runtime knows better; 0: it is the same.
	stood int
	// drained: the session was let run on after the failure, and stands there no more.
	drained bool
	// printed is the output before an exception was taken out of it, of which only the output
	// tells. A recorded run may show that the program has printed it and exited by itself: then
	// exitsByItself is set.
	printed       *session.Output
	exitsByItself bool
}

// read reads where the program has come to.
func (o *outcome) read(ctx context.Context) error {
	v, unread, err := o.run.view(ctx)
	if err != nil {
		return err
	}
	o.v, o.r.View, o.r.Warnings = v, v, append(o.r.Warnings, unread...)
	return nil
}

// judge is the verdict on where the run has come to, with what shows it.
func (o *outcome) judge(ctx context.Context) error {
	st := o.v.State
	if o.r.Verdict == judge.Cut && st.Status == session.Terminated && st.Signal == "" && st.ExitCode == nil {
		o.r.Message = o.run.cutText() + ", and was lost while it was looked at"
		return nil
	}
	if !o.r.Verdict.Hangs() || !isRunning(st.Status) && !isHalted(st.Status) {
		o.r.Verdict = ""
	}
	switch {
	case o.run.isOverBefore(st):
		o.judgeAfterEnd()
		return nil
	case st.Status == session.StoppedException:
		return o.judgeStop(ctx)
	case st.Failed: // late: what never ran has not ended well
		return fault.New(fault.SessionStart, "%s", st.Note)
	case st.Status == session.Terminated:
		o.judgeEnd()
		o.judgeLeftover()
		return nil
	case o.v.AwaitsInput:
		o.r.Verdict = judge.Input
		return o.showInputWait(ctx)
	case o.r.Verdict == "":
		return fault.New(fault.Internal, "the program is %s, which no verdict is known for", st.Status)
	}
	o.addLeftBehind()
	return o.diagnoseHang(ctx)
}

// judgeEnd judges a program that has ended by itself.
func (o *outcome) judgeEnd() {
	st, r := o.v.State, o.r
	r.Verdict = judge.End{ExitCode: st.ExitCode, Signal: st.Signal, NoTestRan: o.v.NoTestRan, TestFailed: o.v.TestFailed}.Verdict()
	r.ExitCode, r.Signal, r.Message = st.ExitCode, st.Signal, o.v.TestFailed
	switch r.Verdict {
	case judge.ExitCode:
		if !o.exitsByItself {
			o.readPrintedFailure()
		}
	case judge.Signal:
		r.Message = judge.Fatal(o.syntax, o.v.Output.Stderr.Text)
	case judge.TestFailure:
		o.showUnmet()
	}
	if o.v.NoTestRan && len(o.v.NearTests) > 0 {
		r.Message = "did you mean " + strings.Join(o.v.NearTests, " or ") + "?"
	}
}
