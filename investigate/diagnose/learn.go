package diagnose

import (
	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/text/exprsyntax"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/investigate/evidence"
	"aidb-mcp/session"
)

// learn takes from a recorded run what the run before it could not show: the result of
// the call that is to blame, arguments that the debugger does not list, where the program
// ended itself. Whole says that all calls were noted: else the last exception of which that
// is known need not be the last one.
func (x *examination) learn(events []recording.Event, moment judge.Moment, whole bool) {
	r := x.r
	if c, blamed := r.Culprit.Get(); blamed && c.Value == "" {
		x.addResult(c, events)
	}
	if f := x.v.Frame; !r.Culprit.Is() && f != nil {
		if i, gave := judge.GaveNothing(x.stop, x.parts, events, placeText(f.File, f.Line)); i >= 0 {
			value := gave.Values[0].Text
			x.parts[i].Value, x.parts[i].Missing = value, ""
			r.Parts = x.tellingParts(i)
			r.Culprit = evidence.On(Culprit{Expression: x.parts[i].Text, Value: value}, x.notedSeen(*gave, x.parts[i].Text))
		}
	}
	if r.Overflow {
		x.showOpenCalls(events)
	}
	x.fillArguments(events)
	if r.Verdict == judge.ExitCode {
		exit := judge.ExitOf(events)
		if !whole {
			exit.Caught = ""
		}
		x.showExit(exit, moment.Event == nil || exit.Thread == moment.Event.Thread)
	}
}

// addResult gives the culprit, a call, the result that a recorded run has seen.
func (x *examination) addResult(c Culprit, events []recording.Event) {
	_, name := judge.Callee(c.Expression)
	if name == "" {
		return
	}
	place := placeText(x.v.Frame.File, x.v.Frame.Line)
	gave := judge.Returned(events, name, place)
	if gave == nil {
		gave = judge.GaveUnder(x.syntax, events, x.callee, place)
	}
	if gave == nil || gave.Values[0].Text == "" {
		return
	}
	c.Value = gave.Values[0].Text
	if x.stop.IsNone(c.Value) {
		c.Why = ""
	}
	x.r.Culprit = evidence.On(c, x.notedSeen(*gave, c.Expression))
	for i := range x.r.Parts {
		if p := &x.r.Parts[i]; p.Bad {
			p.Value, p.Missing = c.Value, ""
		}
	}
}

// notedSeen is something that the last recorded run has noted: those come after the ones that
// were made.
func (x *examination) notedSeen(e recording.Event, what string) evidence.Observation {
	o := evidence.Observation{Run: x.runs.Made + x.told, Event: e.Seq, At: e.At, What: what}
	if len(e.Values) > 0 {
		o.Value = e.Values[0].Text
	}
	return o
}

// fillArguments gives the nearest frames the arguments that a recorded run has seen, where the
// debugger tells none: the calls of one function that stood are those of its frames, in
// their order.
func (x *examination) fillArguments(events []recording.Event) {
	above := map[string]int{}
	for i := range x.r.Frames[:min(3, len(x.r.Frames))] {
		f := &x.r.Frames[i]
		from := ""
		switch {
		case f.Times > 1:
			from = placeText(f.File, f.Line)
		case i+1 < len(x.r.Frames):
			from = placeText(x.r.Frames[i+1].File, x.r.Frames[i+1].Line)
		}
		if len(f.Arguments) == 0 {
			f.Arguments = x.callArguments(events, f.Function, above[f.Function], from)
		}
		above[f.Function] += max(f.Times, 1)
	}
}

// callArguments are the arguments of a call of a function that the failure has stopped: the last
// one, or that before so many of them.
func (x *examination) callArguments(events []recording.Event, function string, before int, from string) []Argument {
	if function == "(anonymous)" {
		return nil // it may be any
	}
	e := judge.Entered(events, function, x.r.Message, before, from)
	if e == nil {
		return nil
	}
	var given []Argument
	for i, name := range e.Names[:min(len(e.Names), len(e.Values), mostArguments)] {
		given = append(given, Argument{Name: name, Value: e.Values[i].Text})
	}
	return given
}

// exitEvent is where the user's code has ended the program, or a test, and what it read there.
func (x *examination) exitEvent(e *recording.Event) {
	in := judge.WhereOf(e.Function, e.At)
	if in.File == "" || x.isInLibrary(in.File) {
		return
	}
	if x.r.Place.File == "" {
		x.r.Place = Place(in)
		x.r.Excerpt = x.excerpt(in.File, in.Line, 0)
	}
	if x.r.Place.File != in.File || x.r.Place.Line != in.Line {
		return
	}
	if len(x.r.Frames) == 0 {
		x.r.Frames = x.framesOf(placesThrough(e))
	}
	if x.other {
		return
	}
	for i, name := range e.Names[:min(len(e.Names), max(len(e.Values)-1, 0), mostParts)] { // the first value is the failure's
		x.r.Parts = append(x.r.Parts, judge.Part{Part: exprsyntax.Part{Text: name}, Value: e.Values[i+1].Text})
	}
}

// placesThrough are the places of the user's code at which a failure stood, the innermost first.
func placesThrough(e *recording.Event) []judge.Place {
	at := judge.WhereOf(e.Function, e.At)
	list := []judge.Place{{File: at.File, Line: at.Line, Function: at.Function}}
	for _, caller := range e.Stack {
		in := judge.WhereOf(recording.Caller(caller))
		list = append(list, judge.Place{File: in.File, Line: in.Line, Function: in.Function})
	}
	return list
}

// showExit tells where a program has ended itself, and the last exception before that. What was
// raised in the same thread it has caught; what another thread has made of it is not known.
func (x *examination) showExit(exit judge.Exit, same bool) {
	r := x.r
	if exit.At.File != "" && r.Place.File == "" {
		r.Place = Place(exit.At)
		x.r.Excerpt = x.excerpt(exit.At.File, exit.At.Line, 0)
	}
	if exit.Caught != "" && !x.isInLibrary(exit.Raised.File) {
		r.Causes = append(r.Causes, Cause{Exception: &session.Exception{Message: exit.Caught}, Caught: same, Apart: !same, Raised: Place(exit.Raised)})
	}
}

// showOpenCalls shows the calls that were open when the stack was full.
func (x *examination) showOpenCalls(events []recording.Event) {
	if list := judge.Nested(events, x.r.Message); len(list) > 1 {
		x.r.Frames = x.framesOf(list)
	}
}
