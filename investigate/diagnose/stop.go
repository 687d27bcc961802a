package diagnose

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/investigate/evidence"
	"aidb-mcp/session"
)

// linesAbove of the failed statement may have put something into what it uses.
const linesAbove = 40

// judgeStop judges a failure that has stopped the program, and shows the statement that
// failed with the values of its parts.
func (x *examination) judgeStop(ctx context.Context) error {
	stop := x.raisedFailure()
	x.unfoldMacro(stop)
	r, f := x.r, x.v.Frame
	var failed statement
	if f != nil {
		failed = x.statementAt(f, x.v.Locals)
		failed = failed.withoutComments(x.s.Comment())
		stop.Statement, stop.Library = strings.TrimSpace(failed.text), x.v.Top != nil
		stop.Comparison = judge.ComparisonOf(stop, failed.above)
	}
	r.Verdict = stop.Verdict()
	if x.v.Exception != nil {
		x.v.Exception.Message = judge.Flat(stop.Syntax, x.v.Exception.Message)
	}
	r.Message, r.Signal = exceptionText(x.v.Exception), x.v.State.Signal
	r.Overflow = stop.Overflows(r.Message)
	x.stop = stop
	x.findSides(stop)
	if f == nil {
		return nil
	}
	r.Place = Place{File: f.File, Line: f.Line, Function: f.Function}
	unread := stop.IsUnread(f.Function)
	if !unread && x.unreadablePlace().File == "" && !r.Overflow && x.showFirstThrow() {
		return nil
	}
	x.addRethrows()
	x.r.Excerpt = x.excerpt(f.File, f.Line, f.Column)
	if unread {
		r.Verdict = judge.BuildFailed
		if x.showUnreadableAt(judge.UnreadIn(stop.Syntax, x.runToEndOutput(ctx))) { // which is told
			x.v.Output.Stderr.Text = judge.PrintedIn(x.syntax, x.v.Output.Stderr.Text).Before
		}
		return nil
	}
	if err := x.addCallers(ctx); err != nil {
		return err
	}
	if r.Overflow {
		x.showRecursiveCall()
		return nil
	}
	if r.Verdict == judge.Deadlock {
		return x.showDeadlock(ctx)
	}
	if x.showUnreadable() {
		return nil
	}
	if err := x.addParts(ctx, stop, f, failed); err != nil || r.Culprit.Is() {
		return err
	}
	return x.addRecursion(ctx)
}

// raisedFailure is the failure that has stopped the program, with what the program has printed
// of it in place of words that only say so, and the exceptions within it.
func (x *examination) raisedFailure() judge.Stop {
	stop := judge.Stop{Testing: x.isTest, Signal: x.v.State.Reason == "signal", Syntax: x.syntax}
	if x.v.Exception == nil {
		return stop
	}
	e := *x.v.Exception
	x.v.Exception = &e
	e.Message = judge.Message(stop.Syntax, e.Message, x.v.Output.Stdout.Text)
	if gave := judge.Fatal(stop.Syntax, x.v.Output.Stderr.Text); stop.Signal && strings.HasPrefix(gave, "memory allocation") {
		e.Message += ": " + gave
	}
	stop.Type, stop.Message, stop.Qualified = e.Type, e.Message, judge.Qualified(e.Stack)
	x.addCauses(&e)
	return stop
}

// addCauses tells the exceptions within one. Who only hands one on has its words, and not its place.
func (x *examination) addCauses(e *session.Exception) {
	told := []Place{{}, x.innermostPlace(e.Stack)}
	for inner := e.Inner; inner != nil; inner = inner.Inner {
		raised := x.innermostPlace(inner.Stack)
		if !judge.SameFailure(inner.Message, e.Message) || !slices.Contains(told, raised) {
			x.r.Causes = append(x.r.Causes, Cause{Exception: inner, Raised: raised})
		}
		told = append(told, raised)
	}
}

// findSides finds the two sides of an expectation that was not met: in the framework's own
// objects, else in the exact report of a framework.
func (x *examination) findSides(stop judge.Stop) {
	if e := x.v.Exception; e != nil && e.Sides.AreKnown() && !stop.Comparison.Asks {
		sides := e.Sides
		x.r.Sides = evidence.On(sides, x.stopSeen(cmp.Or(sides.From, "the framework's own objects"), e.Message))
		return
	}
	if sides := judge.Reported(stop, stop.Comparison, stop.Message); sides.AreKnown() {
		x.r.Sides = evidence.On(sides, x.stopSeen(sides.From, stop.Message))
	}
}

// stopSeen is something that was read where the failure has stopped the program.
func (x *examination) stopSeen(what, value string) evidence.Observation {
	o := evidence.Observation{Run: x.runs.Made, What: what, Value: value}
	if f := x.v.Frame; f != nil {
		o.At = placeText(f.File, f.Line)
	}
	return o
}

// unreadablePlace is the place of a file that the program loads and that cannot be read, where
// the failure tells of one.
func (x *examination) unreadablePlace() judge.Place {
	if x.v.Exception == nil || !judge.IsUnreadable(x.syntax, x.r.Message) {
		return judge.Place{}
	}
	return judge.UnreadAt(x.syntax, x.v.Exception.Stack, x.r.Message)
}

// showUnreadable says whether a module which the program loads cannot be read, and
// shows where.
func (x *examination) showUnreadable() bool {
	return x.showUnreadableAt(x.unreadablePlace())
}

// showUnreadableAt shows the place of a file that cannot be read, where it is known.
func (x *examination) showUnreadableAt(place judge.Place) bool {
	if place.File == "" {
		return false
	}
	if !filepath.IsAbs(place.File) {
		place.File = filepath.Join(x.Workspace, place.File)
	}
	x.r.Verdict, x.r.Place = judge.BuildFailed, Place{File: place.File, Line: place.Line}
	x.r.Excerpt = x.excerpt(place.File, place.Line, 0)
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
