package diagnose

import (
	"slices"

	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/session"
)

// unfoldMacro moves the frame that failed to the line that the runtime itself names: to a
// debugger what a macro of the user's wrote there stands in the macro, which does not say
// where that was used.
func (x *examination) unfoldMacro(stop judge.Stop) {
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
	if x.statementAt(&moved, x.v.Locals).text == x.statementAt(f, x.v.Locals).text { // only another of its lines
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
	x.setView(&v)
}

// setView replaces the view.
func (x *examination) setView(v *session.View) {
	if x.r.View == x.v {
		x.r.View = v
	}
	x.v = v
}

// recursiveCall is the call that is made over and over in a stack that is full; over
// says that its innermost frame stands elsewhere: it had only been entered.
func (r *Result) recursiveCall() (call Place, over bool) {
	if len(r.Frames) < 2 {
		return call, false
	}
	entered, calls := r.Frames[0], r.Frames[1]
	over = entered.Times < calls.Times && entered.File == calls.File && entered.Function == calls.Function
	return calls.Place, over
}

// showRecursiveCall moves the failed frame of a full stack to the call that is made
// over and over.
func (x *examination) showRecursiveCall() {
	call, over := x.r.recursiveCall()
	i := slices.IndexFunc(x.v.Stack, func(f session.Frame) bool { return f.File == call.File && f.Line == call.Line })
	if !over || i < 0 {
		return
	}
	v, moved := *x.v, x.v.Stack[i]
	v.Frame = &moved
	x.setView(&v)
	x.r.Place = call
	x.r.Excerpt = x.excerpt(call.File, call.Line, moved.Column)
}
