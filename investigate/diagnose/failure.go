package diagnose

import (
	"cmp"
	"strings"

	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/investigate/recorded"
	"aidb-mcp/session"
)

// failure is what a run has shown of what went wrong: with that another run of the program is
// compared.
type failure struct {
	judge.Failing
	verdict   judge.Verdict
	exitCode  *int
	overflow  bool   // the stack was too small
	isTest    bool   // tests are run
	unhandled bool   // its debugger knows that nothing handles it
	final     bool   // its runtime says so
	unmet     bool   // a framework that only prints has reported it
	printed   string // to stdout
}

// failure is what the run that was stopped has shown of what went wrong.
func (o *outcome) failure() failure {
	r := o.r
	f := judge.Failing{Syntax: o.syntax, Type: o.statement.stop.Type, Message: r.Message, File: r.Place.File, Line: cmp.Or(o.stood, r.Place.Line), Function: r.Place.Function}
	if r.Verdict == judge.ExitCode {
		f.ExitCode = r.ExitCode
	}
	if len(o.statement.parts) > 0 {
		f.Values = map[string]string{}
	}
	for _, p := range o.statement.parts {
		f.Values[p.Text] = p.Value
	}
	for _, frame := range r.Frames {
		f.Through = append(f.Through, judge.Place{File: frame.File, Line: frame.Line, Function: frame.Function})
	}
	if o.v.Exception != nil {
		if made := o.stackPlaces(o.v.Exception.Stack); len(made) > 0 {
			f.Made = made[0]
		}
	}
	shown := failure{
		Failing: f, verdict: r.Verdict, exitCode: r.ExitCode, overflow: r.Overflow, isTest: o.isTest,
		printed: o.v.Output.Stdout.Text, unmet: o.v.Unmet != nil,
	}
	if e := o.v.Exception; e != nil {
		shown.unhandled, shown.final = e.Unhandled, e.Origin.Final
	}
	return shown
}

// find finds the moment at which a recorded run has failed as the one did that was seen. The
// run that failed itself stands at it, or ended by it.
func (f failure) find(w *witness) {
	w.moment, w.fails = judge.MomentOf(w.Log.Events, f.Failing)
	if w.number > 0 || w.moment.Event != nil {
		return
	}
	w.fails = false
	if (!w.Stops || f.verdict == judge.Signal) && f.verdict != judge.ExitCode {
		w.moment, w.fails = judge.Standing(w.Log.Events, f.Failing), true
	}
}

// unlikeReason is why a recorded run cannot be the one that was seen; empty where it
// can.
func (f failure) unlikeReason(run *witness) string {
	events := run.Log.Events
	ends := f.overflow || judge.EndsIn(events, f.Function)
	switch {
	case run.fails:
		return ""
	case run.Exit == nil:
		return "its time was over before it came to the failure, and nothing of that run is told"
	case recorded.EndingOf(run.Recording).Plain() && judge.MayHandle(events, f.Failing, run.Stderr.Text): // and no thread has died of it
		return "it did not fail again, and nothing of that run is told"
	case f.verdict == judge.ExitCode && f.exitCode != nil && (run.Exit.Signal != "" || run.Exit.Code != *f.exitCode):
		return "it failed in another way, and nothing of that run is told"
	case judge.Tells(events) && (f.verdict != judge.ExitCode || !judge.OnlyExits(events)):
		return "it failed in another way, and nothing of that run is told"
	case f.verdict != judge.ExitCode && !judge.Recurs(events, f.Message) && !ends, len(run.thinnedCalls()) > 0, len(run.left) > 0:
		return "which of them led to the failure is not known"
	}
	return ""
}

// unlikeCountedReason is unlikeReason for a run that was made to note the last calls of
// functions whose calls another run has counted.
func (f failure) unlikeCountedReason(run *witness, often judge.Thinned) string {
	if why := f.unlikeReason(run); why != "" {
		return why
	}
	if how := often.Differs(run.thinnedCalls()); how != "" {
		return "it did not go the same way each time, and nothing of that is told: " + how
	}
	return ""
}

// printsAlike says that a recorded run has printed what the run did that was seen, where nothing but
// an exit code tells how that failed: as far as both are known, and but for what differs from run
// to run by itself.
func (f failure) printsAlike(run *witness) bool {
	if f.verdict != judge.ExitCode && !f.unmet {
		return true
	}
	same := func(a, b string) bool {
		a, b = judge.Alike(strings.TrimSpace(a)), judge.Alike(strings.TrimSpace(b))
		return strings.HasSuffix(a, b) || strings.HasSuffix(b, a)
	}
	return same(f.printed, run.Stdout.Text)
}

// mayHandle says that a program may handle what has stopped it, by another run of it.
func (f failure) mayHandle(run *session.Recording) bool {
	if f.verdict != judge.Exception && f.verdict != judge.Signal && f.verdict != judge.Panic || f.isTest || f.final {
		return false
	}
	return recorded.EndingOf(run).Plain() && judge.MayHandle(run.Log.Events, f.Failing, run.Stderr.Text)
}

// isHandleable says that the program may handle what has stopped it, as far as its debugger
// knows: another run shows it.
func (f failure) isHandleable() bool {
	return !f.isTest && (f.verdict == judge.Exception && !f.unhandled || f.mayEndThread())
}

// mayEndThread says that the program has panicked in a language where that ends perhaps no more
// than a thread.
func (f failure) mayEndThread() bool { return f.verdict == judge.Panic && f.Syntax.EndsThread }

// endsElsewhere says that another run went on after what has stopped this one, as far as can be
// told, and that its recorder names something else that ended it.
// A thread's panic stays what went wrong where another panic has ended the program, which may have
// come of it.
func (f failure) endsElsewhere(run *witness) bool {
	return !f.isTest && (f.verdict == judge.Exception || f.mayEndThread() && judge.OnlyExits(run.Log.Events)) &&
		run.Exit != nil && run.Exit.Signal == "" && judge.EndsElsewhere(run.Log.Events, f.Failing, run.Exit.Code)
}
