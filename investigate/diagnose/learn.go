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
func (c *callSearch) learn(events []recording.Event, moment judge.Moment, whole bool) {
	r := c.failed.r
	if culprit, blamed := r.Culprit.Get(); blamed && culprit.Value == "" {
		c.addResult(culprit, events)
	}
	if f := c.failed.v.Frame; !r.Culprit.Is() && f != nil {
		st := &c.failed.statement
		if i, gave := judge.GaveNothing(st.stop, st.parts, events, placeText(f.File, f.Line)); i >= 0 {
			st.parts[i].Value, st.parts[i].Missing = gave.Values[0].Text, ""
			r.Parts = st.telling(i)
			r.Culprit = evidence.On(Culprit{Expression: st.parts[i].Text, Value: st.parts[i].Value}, c.notedSeen(*gave, st.parts[i].Text))
		}
	}
	if r.Overflow {
		c.showOpenCalls(events)
	}
	c.fillArguments(events)
	if r.Verdict == judge.ExitCode {
		exit := judge.ExitOf(events)
		if !whole {
			exit.Caught = ""
		}
		c.showExit(exit, moment.Event == nil || exit.Thread == moment.Event.Thread)
	}
}

// addResult gives the culprit, a call, the result that a recorded run has seen.
func (c *callSearch) addResult(culprit Culprit, events []recording.Event) {
	_, name := judge.Callee(culprit.Expression)
	if name == "" {
		return
	}
	place := placeText(c.failed.v.Frame.File, c.failed.v.Frame.Line)
	gave := judge.Returned(events, name, place)
	if gave == nil {
		gave = judge.GaveUnder(c.failed.syntax, events, c.failed.statement.callee, place)
	}
	if gave == nil || gave.Values[0].Text == "" {
		return
	}
	culprit.Value = gave.Values[0].Text
	if c.failed.statement.stop.IsNone(culprit.Value) {
		culprit.Why = ""
	}
	c.failed.r.Culprit = evidence.On(culprit, c.notedSeen(*gave, culprit.Expression))
	for i := range c.failed.r.Parts {
		if p := &c.failed.r.Parts[i]; p.Bad {
			p.Value, p.Missing = culprit.Value, ""
		}
	}
}

// notedSeen is something that the last recorded run has noted: those come after the ones that
// were made.
func (c *callSearch) notedSeen(e recording.Event, what string) evidence.Observation {
	seen := evidence.Observation{Run: c.failed.run.number + c.shown, Event: e.Seq, At: e.At, What: what}
	if len(e.Values) > 0 {
		seen.Value = e.Values[0].Text
	}
	return seen
}

// fillArguments gives the nearest frames the arguments that a recorded run has seen, where the
// debugger tells none: the calls of one function that stood are those of its frames, in
// their order.
func (c *callSearch) fillArguments(events []recording.Event) {
	above := map[string]int{}
	for i := range c.failed.r.Frames[:min(3, len(c.failed.r.Frames))] {
		f := &c.failed.r.Frames[i]
		from := ""
		switch {
		case f.Times > 1:
			from = placeText(f.File, f.Line)
		case i+1 < len(c.failed.r.Frames):
			from = placeText(c.failed.r.Frames[i+1].File, c.failed.r.Frames[i+1].Line)
		}
		if len(f.Arguments) == 0 {
			f.Arguments = c.callArguments(events, f.Function, above[f.Function], from)
		}
		above[f.Function] += max(f.Times, 1)
	}
}

// callArguments are the arguments of a call of a function that the failure has stopped: the last
// one, or that before so many of them.
func (c *callSearch) callArguments(events []recording.Event, function string, before int, from string) []Argument {
	if function == "(anonymous)" {
		return nil // it may be any
	}
	e := judge.Entered(events, function, c.failed.r.Message, before, from)
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
func (c *callSearch) exitEvent(e *recording.Event) {
	in := judge.WhereOf(e.Function, e.At)
	if in.File == "" || c.failed.isInLibrary(in.File) {
		return
	}
	if c.failed.r.Place.File == "" {
		c.failed.r.showAt(c.failed.userCode, Place(in), 0)
	}
	if c.failed.r.Place.File != in.File || c.failed.r.Place.Line != in.Line {
		return
	}
	if len(c.failed.r.Frames) == 0 {
		c.failed.r.Frames = c.failed.framesOf(placesThrough(e))
	}
	if c.other {
		return
	}
	for i, name := range e.Names[:min(len(e.Names), max(len(e.Values)-1, 0), mostParts)] { // the first value is the failure's
		c.failed.r.Parts = append(c.failed.r.Parts, judge.Part{Part: exprsyntax.Part{Text: name}, Value: e.Values[i+1].Text})
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
func (c *callSearch) showExit(exit judge.Exit, same bool) {
	r := c.failed.r
	if exit.At.File != "" && r.Place.File == "" {
		r.showAt(c.failed.userCode, Place(exit.At), 0)
	}
	if exit.Caught != "" && !c.failed.isInLibrary(exit.Raised.File) {
		r.Causes = append(r.Causes, Cause{Exception: &session.Exception{Message: exit.Caught}, Caught: same, Apart: !same, Raised: Place(exit.Raised)})
	}
}

// showOpenCalls shows the calls that were open when the stack was full.
func (c *callSearch) showOpenCalls(events []recording.Event) {
	if list := judge.Nested(events, c.failed.r.Message); len(list) > 1 {
		c.failed.r.Frames = c.failed.framesOf(list)
	}
}
