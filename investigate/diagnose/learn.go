package diagnose

import (
	"aidb-mcp/internal/recording"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/session"
)

// learn takes from a recorded run what the run before it could not show: the result of
// the call that is to blame, arguments that the debugger does not list, where the program
// ended itself.
func (x *examination) learn(events []recording.Event) {
	r := x.r
	if c, blamed := r.Culprit.Get(); blamed && c.Value == "" {
		x.complement(c, events)
	}
	if f := x.v.Frame; !r.Culprit.Is() && f != nil {
		if i, value := judge.GaveNothing(x.stop, x.parts, events, at(f.File, f.Line)); i >= 0 {
			x.parts[i].Value, x.parts[i].Missing = value, ""
			r.Parts = x.telling(i)
			x.blame(Culprit{Expression: x.parts[i].Text, Value: value})
		}
	}
	if r.Overflow {
		x.nested(events)
	}
	for i := range r.Frames {
		if f := &r.Frames[i]; len(f.Arguments) == 0 && i < 3 {
			f.Arguments = entered(events, f.Function)
		}
	}
	if r.Verdict == judge.ExitCode {
		x.exited(judge.ExitOf(events))
	}
}

// complement gives the culprit, a call, the result that a recorded run has seen.
func (x *examination) complement(c Culprit, events []recording.Event) {
	name, f := judge.CalledName(c.Expression), x.v.Frame
	if name == "" {
		return
	}
	c.Value = judge.Returned(events, name, at(f.File, f.Line))
	if c.Value == "" {
		return
	}
	if judge.IsNone(c.Value) {
		c.Why = ""
	}
	x.blame(c)
	for i := range x.r.Parts {
		if p := &x.r.Parts[i]; p.Bad {
			p.Value, p.Missing = c.Value, ""
		}
	}
}

// entered are the arguments with which a function was called last.
func entered(events []recording.Event, function string) []Argument {
	if function == "(anonymous)" {
		return nil // it may be any
	}
	var given []Argument
	for _, e := range events {
		if e.Kind != recording.Enter || e.Function != function || len(e.Names) == 0 {
			continue
		}
		given = nil
		for i, name := range e.Names[:min(len(e.Names), len(e.Values), mostArguments)] {
			given = append(given, Argument{Name: name, Value: e.Values[i].Text})
		}
	}
	return given
}

// exited tells where a program has ended itself, and the last exception before that.
func (x *examination) exited(exit judge.Exit) {
	r := x.r
	if exit.At.File != "" && r.Place.File == "" {
		r.Place = Place(exit.At)
		x.excerpt(exit.At.File, exit.At.Line, 0)
	}
	if exit.Caught != "" && !x.inLibrary(exit.Raised.File) {
		r.Causes = append(r.Causes, Cause{Exception: &session.Exception{Message: exit.Caught}, Caught: true, Raised: Place(exit.Raised)})
	}
}

// nested shows the calls that were open when the stack was full.
func (x *examination) nested(events []recording.Event) {
	if list := judge.Nested(events); len(list) > 1 {
		x.frames(list)
	}
}
