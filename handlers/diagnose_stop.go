package handlers

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/internal/pattern"
	"aidb-mcp/internal/reading"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/session/diagnosis"
)

// How much of a failure is shown.
const (
	mostParts     = 12
	mostFrames    = 5
	mostArguments = 8
	mostLocals    = 12
	longestPart   = 160 // bytes
	linesAbove    = 40  // of the failed statement, that may have put something into what it uses
)

// stopped judges a failure that has stopped the program, and shows the statement that
// failed with the values of its parts.
func (x *examination) stopped(ctx context.Context) error {
	d, w := &x.data, x.h.show(x.s)
	stop := diagnosis.Stop{Testing: x.testing(), Signal: x.v.State.Reason == "signal"}
	if e := x.v.Exception; e != nil {
		told := *e
		told.Message = diagnosis.Told(e.Message, x.v.Output.Stdout.Text)
		if gave := diagnosis.Fatal(x.v.Output.Stderr.Text); stop.Signal && strings.HasPrefix(gave, "memory allocation") {
			told.Message += ": " + gave
		}
		e, x.v.Exception = &told, &told
		stop.Type, stop.Message = e.Type, e.Message
		stop.Qualified = diagnosis.Qualified(e.Stack)
		for inner := e.Inner; inner != nil; inner = inner.Inner {
			if !diagnosis.SameFailure(inner.Message, e.Message) {
				d.Causes = append(d.Causes, reason(inner))
			}
		}
	}
	f := x.v.Frame
	var failed statement
	if f != nil {
		failed = x.statement(f)
		stop.Statement, stop.Library = strings.TrimSpace(failed.text), x.v.Top != nil
	}
	x.verdict = stop.Verdict()
	if x.v.Exception != nil {
		x.v.Exception.Message = diagnosis.Flat(x.v.Exception.Message)
	}
	d.Message = message(x.v.Exception)
	sides := diagnosis.SidesOf(stop.Message)
	if x.verdict == diagnosis.TestFailure && sides == (diagnosis.Sides{}) && !diagnosis.Threw(stop.Message) {
		sides = diagnosis.SidesOf(x.v.Output.Stdout.Text)
	}
	d.Expected, d.Actual, d.Left, d.Right = sides.Expected, sides.Actual, sides.Left, sides.Right
	d.Signal = x.v.State.Signal
	if f == nil {
		return nil
	}
	d.Location, d.Function, d.Snapshot = w.at(f.File, f.Line), f.Function, w.snapshot(f, snapshotContext)
	if diagnosis.Unread(stop.Type, stop.Message, f.Function) {
		x.verdict = diagnosis.BuildFailed
		if x.unreadAt(diagnosis.UnreadIn(x.printedInAll(ctx))) { // which is told
			x.v.Output.Stderr.Text = diagnosis.PrintedIn(x.v.Output.Stderr.Text).Before
		}
		return nil
	}
	if err := x.callers(ctx); err != nil || x.overflown() {
		return err
	}
	if x.verdict == diagnosis.Deadlock {
		return x.asleep(ctx)
	}
	if x.unread() {
		return nil
	}
	if err := x.dissect(ctx, stop, f, failed); err != nil || d.Culprit != nil {
		return err
	}
	return x.recursion(ctx)
}

// unread says that a module which the program loads cannot be read, and shows where.
func (x *examination) unread() bool {
	if x.v.Exception == nil || !diagnosis.Unreadable(x.data.Message) {
		return false
	}
	return x.unreadAt(diagnosis.UnreadAt(x.v.Exception.Stack, x.data.Message))
}

// unreadAt shows the place of a file that cannot be read, where it is known.
func (x *examination) unreadAt(place diagnosis.Place) bool {
	if place.File == "" {
		return false
	}
	if !filepath.IsAbs(place.File) {
		place.File = filepath.Join(x.h.Workspace, place.File)
	}
	here := at(place.File, place.Line)
	x.verdict, x.data.Location, x.data.Function = diagnosis.BuildFailed, x.s.RelAt(here), ""
	x.snapshotAt(here)
	return true
}

func (x *examination) testing() bool { return x.s.Mode() == "test" }

// message is what an exception says, with its type.
func message(e *session.Exception) string {
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

// dissect shows the parts of the statement that failed, and those locals on which it
// depends.
func (x *examination) dissect(ctx context.Context, stop diagnosis.Stop, f *session.Frame, failed statement) error {
	read := x.s.Parts(failed.text)
	if len(read) == 0 {
		x.locals(x.v.Locals)
		return nil
	}
	parts, err := x.evaluated(ctx, f, read)
	if err != nil {
		return err
	}
	x.stop, x.parts = stop, parts
	at, why := diagnosis.Culprit(stop, parts)
	x.data.Parts = x.shownParts(parts, at)
	if at >= 0 {
		x.data.Culprit = &responses.Culprit{Expression: parts[at].Text, Value: x.actual(parts[at]), Why: why}
	}
	names := diagnosis.Depends(read, failed.above, x.s.Parts)
	var kept []session.Variable
	for _, v := range x.v.Locals {
		if names[v.Name] && !x.isPart(v.Name) && !hidden(untyped(v.Value, v.Type)) {
			kept = append(kept, v)
		}
	}
	x.locals(kept)
	return nil
}

// hidden says that a value tells nothing of the program's own: a module, a function, what
// a debugger cannot read.
func hidden(value string) bool {
	for _, begins := range []string{"<module ", "<function ", "<built-in ", "<class ", "<unittest.", "ƒ ", "class ", "{...}", "(unreadable "} {
		if strings.HasPrefix(value, begins) {
			return true
		}
	}
	return functions.MatchString(value)
}

// functions is an object of them, as JavaScript's own are.
var functions = pattern.New(`^\{\w+: ƒ`)

// actual is the value of the culprit: that of an expectation's call is told by its
// message only.
func (x *examination) actual(p diagnosis.Part) string {
	if p.Missing == "" {
		return p.Value
	}
	if x.verdict == diagnosis.TestFailure {
		d := &x.data
		return diagnosis.Sides{Expected: d.Expected, Actual: d.Actual, Left: d.Left, Right: d.Right}.Of(x.stop.Statement, p.Text)
	}
	return ""
}

// isPart says that a variable is shown already: as a part of the statement, or as an
// argument of the function.
func (x *examination) isPart(name string) bool {
	if len(x.data.Frames) > 0 && slices.ContainsFunc(x.data.Frames[0].Arguments, func(m responses.Member) bool { return m.Name == name }) {
		return true
	}
	for _, p := range x.data.Parts {
		if p.Expression == name {
			return true
		}
	}
	return false
}

func (x *examination) locals(list []session.Variable) {
	total := len(list)
	frame := 0
	if x.v.Frame != nil {
		frame = x.v.Frame.Index
	}
	x.data.Locals = x.h.show(x.s).scope(session.Locals, list[:min(total, mostLocals)], 0, total, frame)
}

// surely is TypeScript's word that a value is something, which is no part of what runs.
var surely = pattern.New(`!(\.|$)`)

// evaluated gives the parts the values that they have in a frame. What would make a
// call again has none, and what the frame does not know is no part.
func (x *examination) evaluated(ctx context.Context, f *session.Frame, read []reading.Part) ([]diagnosis.Part, error) {
	var parts []diagnosis.Part
	for _, p := range read[:min(len(read), 2*mostParts)] {
		p.Text = surely.ReplaceAllString(p.Text, "$1")
		part := diagnosis.Part{Part: p, Missing: "it is a call, and is not made again"}
		if !p.Calls && x.s.OnlyReads(p.Text) {
			v, err := x.s.Evaluate(ctx, p.Text, 0, f.Index, session.Page{})
			if err != nil && ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if err != nil && p.Use != reading.Plain || err == nil && v.Value == "" {
				continue
			}
			part.Value, part.Missing = untyped(v.Value, v.Type), ""
			part.Count, part.Counted = x.count(ctx, p, v, f.Index)
			if err != nil {
				part.Value, part.Missing = "", "it has none"
			}
		}
		parts = append(parts, part)
	}
	return parts, nil
}

// count is how many elements a value has of which one is taken. Some debuggers tell it
// only with the first of them.
func (x *examination) count(ctx context.Context, p reading.Part, v session.Variable, frame int) (n int, known bool) {
	if p.Use != reading.Indexed || v.Count > 0 || v.Ref == 0 {
		return v.Count, v.Count > 0 || v.Ref != 0
	}
	opened, err := x.s.Evaluate(ctx, p.Text, 0, frame, session.Page{Count: 1})
	if err != nil {
		return 0, false
	}
	return opened.ChildTotal, true
}

// shownParts are those parts that say something: what has a value, and the call that is
// to blame.
func (x *examination) shownParts(parts []diagnosis.Part, bad int) []responses.PartValue {
	var list []responses.PartValue
	for i, p := range parts {
		if i != bad && (p.Use == reading.Called || p.Missing != "" || hidden(p.Value)) {
			continue
		}
		shown := responses.PartValue{Expression: p.Text, Value: responses.Shorten(x.h.Mask.Variable(p.Text, p.Value), longestPart), Bad: i == bad}
		if p.Missing != "" {
			shown.Value = "(" + p.Missing + ")"
		}
		if i == bad && x.actual(p) != "" {
			shown.Value = x.actual(p)
		}
		if len(list) < mostParts || i == bad {
			list = append(list, shown)
		}
	}
	return list
}

// callers shows the nearest frames of the user's code with their arguments.
func (x *examination) callers(ctx context.Context) error {
	w := x.h.show(x.s)
	if e := x.v.Exception; e != nil && len(x.v.Stack) == 1 && e.Stack != "" { // it is over: there is no stack but what it says
		if x.frames(diagnosis.StackOf(e.Stack)); len(x.data.Frames) > 0 {
			return nil
		}
	}
	var at []int // the frames that are shown
	for _, f := range x.v.Stack {
		if f.Internal || f.File == "" {
			continue
		}
		shown := responses.UserFrame{At: w.at(f.File, f.Line), Function: f.Function}
		if last := len(x.data.Frames) - 1; last >= 0 && x.data.Frames[last].At == shown.At && x.data.Frames[last].Function == shown.Function {
			x.data.Frames[last].Times = max(x.data.Frames[last].Times, 1) + 1
			continue
		}
		x.data.Frames, at = append(x.data.Frames, shown), append(at, f.Index)
	}
	if n := len(at); n > mostFrames { // the outermost says what was begun
		x.data.Frames = append(x.data.Frames[:mostFrames-1], x.data.Frames[n-1])
		at = append(at[:mostFrames-1], at[n-1])
	}
	for i := range at {
		var err error
		if x.data.Frames[i].Arguments, err = x.arguments(ctx, at[i]); err != nil {
			return err
		}
	}
	return nil
}

// arguments are those of the function at a frame.
func (x *examination) arguments(ctx context.Context, frame int) (responses.Object, error) {
	list, _, err := x.s.Variables(ctx, session.Arguments, 0, frame, session.Page{Count: mostArguments})
	if err != nil && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	var given responses.Object
	for _, v := range list {
		if hidden(untyped(v.Value, v.Type)) {
			continue
		}
		value := responses.Shorten(x.h.Mask.Variable(v.Name, untyped(v.Value, v.Type)), longestOperand)
		given = append(given, responses.Member{Name: v.Name, Value: value})
	}
	return given, nil
}
