package diagnose

import (
	"slices"

	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/session"
)

// unfold moves the frame that failed to the line that the runtime itself names: to a
// debugger what a macro of the user's wrote there stands in the macro, which does not say
// where that was used.
func (x *examination) unfold(stop judge.Stop) {
	f := x.v.Frame
	if f == nil {
		return
	}
	line := judge.RaisedAt(stop, f.File, x.v.Output.Stderr.Text)
	if line == 0 || line == f.Line {
		return
	}
	for _, other := range x.v.Stack {
		if other.File == f.File && other.Line == line { // that is a frame of its own
			return
		}
	}
	moved := *f
	moved.Line, moved.Column = line, 0
	if x.statement(&moved).text == x.statement(f).text { // only another of its lines
		return
	}
	v := *x.v
	v.Frame, v.Stack = &moved, slices.Clone(v.Stack)
	for i := range v.Stack {
		if v.Stack[i].Index == f.Index {
			v.Stack[i].Line, v.Stack[i].Column = line, 0
		}
	}
	x.stood = f.Line
	x.see(&v)
}

// see has a view take the place of the one that was there.
func (x *examination) see(v *session.View) {
	if x.r.View == x.v {
		x.r.View = v
	}
	x.v = v
}

// callsAgain is the call that is made over and over, of a stack that is full; over says that
// its innermost frame stands elsewhere: it had only been entered.
func (r *Result) callsAgain() (call Place, over bool) {
	if len(r.Frames) < 2 {
		return call, false
	}
	entered, calls := r.Frames[0], r.Frames[1]
	over = entered.Times < calls.Times && entered.File == calls.File && entered.Function == calls.Function
	return calls.Place, over
}

// again moves the frame that failed, of a stack that is full, to the call that is made over
// and over.
func (x *examination) again() {
	call, over := x.r.callsAgain()
	i := slices.IndexFunc(x.v.Stack, func(f session.Frame) bool { return f.File == call.File && f.Line == call.Line })
	if !over || i < 0 {
		return
	}
	v, moved := *x.v, x.v.Stack[i]
	v.Frame = &moved
	x.see(&v)
	x.r.Place = call
	x.excerpt(call.File, call.Line, moved.Column)
}
