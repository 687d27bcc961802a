package diagnose

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"

	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/investigate/evidence"
	"aidb-mcp/session"
)

// linesAbove of the failed statement may have put something into what it uses.
const linesAbove = 40

// judgeStop judges a failure that has stopped the program, and shows the statement that
// failed with the values of its parts.
func (o *outcome) judgeStop(ctx context.Context) error {
	stop := o.raisedFailure()
	o.unfoldMacro(stop)
	r, f := o.r, o.v.Frame
	var failed statement
	if f != nil {
		failed = o.statementAt(f, o.v.Locals)
		failed = failed.withoutComments(o.s.Comment())
		stop.Statement, stop.Library = strings.TrimSpace(failed.text), o.v.Top != nil
		stop.Comparison = judge.ComparisonOf(stop, failed.above)
	}
	r.Verdict = stop.Verdict()
	if o.v.Exception != nil {
		o.v.Exception.Message = judge.Flat(stop.Syntax, o.v.Exception.Message)
	}
	r.Message, r.Signal = exceptionText(o.v.Exception), o.v.State.Signal
	r.Overflow = stop.Overflows(r.Message)
	o.statement = failedStatement{userCode: o.userCode, stop: stop, bad: -1}
	o.findSides(stop)
	if f == nil {
		return nil
	}
	r.showAt(o.userCode, Place{File: f.File, Line: f.Line, Function: f.Function}, f.Column)
	unread := stop.IsUnread(f.Function)
	if !unread && o.unreadablePlace().File == "" && !r.Overflow && o.showFirstThrow() {
		return nil
	}
	o.addRethrows()
	if unread {
		r.Verdict = judge.BuildFailed
		if o.showUnreadableAt(judge.UnreadIn(stop.Syntax, o.runToEndOutput(ctx))) { // which is told
			o.v.Output.Stderr.Text = judge.PrintedIn(o.syntax, o.v.Output.Stderr.Text).Before
		}
		return nil
	}
	if err := o.addCallers(ctx); err != nil {
		return err
	}
	if r.Overflow {
		o.showRecursiveCall()
		return nil
	}
	if r.Verdict == judge.Deadlock {
		return o.showDeadlock(ctx)
	}
	if o.showUnreadableAt(o.unreadablePlace()) {
		return nil
	}
	if err := o.addStatement(ctx, stop, f, failed); err != nil || r.Culprit.Is() {
		return err
	}
	return o.addRecursion(ctx)
}

// raisedFailure is the failure that has stopped the program, with what the program has printed
// of it in place of words that only say so, and the exceptions within it.
func (o *outcome) raisedFailure() judge.Stop {
	stop := judge.Stop{Testing: o.isTest, Signal: o.v.State.Reason == "signal", Syntax: o.syntax}
	if o.v.Exception == nil {
		return stop
	}
	e := *o.v.Exception
	o.v.Exception = &e
	e.Message = judge.Message(stop.Syntax, e.Message, o.v.Output.Stdout.Text)
	if gave := judge.Fatal(stop.Syntax, o.v.Output.Stderr.Text); stop.Signal && strings.HasPrefix(gave, "memory allocation") {
		e.Message += ": " + gave
	}
	stop.Type, stop.Message, stop.Qualified, stop.Sides = e.Type, e.Message, judge.Qualified(e.Stack), e.Sides
	o.r.Causes = append(o.r.Causes, o.causesOf(&e)...)
	return stop
}

// findSides finds the two sides of an expectation that was not met: in the framework's own
// objects, else in the exact report of a framework.
func (o *outcome) findSides(stop judge.Stop) {
	if sides := stop.Sides; sides.AreKnown() && !stop.Comparison.Asks {
		o.r.Sides = evidence.On(sides, o.stopSeen(cmp.Or(sides.From, "the framework's own objects"), stop.Message))
		return
	}
	if sides := judge.Reported(stop, stop.Comparison, stop.Message); sides.AreKnown() {
		o.r.Sides = evidence.On(sides, o.stopSeen(sides.From, stop.Message))
	}
}

// stopSeen is something that was read where the failure has stopped the program.
func (o *outcome) stopSeen(what, value string) evidence.Observation {
	return seenAt(o.run.number, o.v.Frame, what, value)
}

// seenAt is something that was read in a run, where it stands at a frame; nil: at none.
func seenAt(run int, f *session.Frame, what, value string) evidence.Observation {
	seen := evidence.Observation{Run: run, What: what, Value: value}
	if f != nil {
		seen.At = placeText(f.File, f.Line)
	}
	return seen
}

// unreadablePlace is the place of a file that the program loads and that cannot be read, where
// the failure tells of one.
func (o *outcome) unreadablePlace() judge.Place {
	if o.v.Exception == nil || !judge.IsUnreadable(o.syntax, o.r.Message) {
		return judge.Place{}
	}
	return judge.UnreadAt(o.syntax, o.v.Exception.Stack, o.r.Message)
}

// showUnreadableAt shows the place of a module that the program loads and that cannot be read, where it
// is known.
func (o *outcome) showUnreadableAt(place judge.Place) bool {
	if place.File == "" {
		return false
	}
	if !filepath.IsAbs(place.File) {
		place.File = filepath.Join(o.workspace, place.File)
	}
	o.r.Verdict = judge.BuildFailed
	o.r.showAt(o.userCode, Place{File: place.File, Line: place.Line}, 0)
	return true
}

// exceptionText is what an exception says, with its type.
func exceptionText(e *session.Exception) string {
	switch {
	case e == nil:
		return ""
	case e.Message == "":
		return e.Type
	case e.Type == "" || strings.HasPrefix(e.Message, e.Type) || e.Type == "test failure":
		return e.Message
	}
	return e.Type + ": " + e.Message
}
