package diagnose

import (
	"slices"

	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/session"
)

// unfoldMacro moves the frame that failed to the line that the runtime itself names: to a
// debugger what a macro of the user's wrote there stands in the macro, which does not say
// where that was used.
func (o *outcome) unfoldMacro(stop judge.Stop) {
	f := o.v.Frame
	if f == nil {
		return
	}
	line := judge.RaisedAt(stop, f.File, o.v.Output.Stderr.Text)
	if line == 0 || line == f.Line {
		return
	}
	for _, other := range o.v.Stack {
		if other.File == f.File && other.Line == line { // that is a frame of its own
			return
		}
	}
	moved := *f
	moved.Line, moved.Column = line, 0
	if o.statementAt(&moved, o.v.Locals).text == o.statementAt(f, o.v.Locals).text { // only another of its lines
		return
	}
	v := *o.v
	v.Frame, v.Stack = &moved, slices.Clone(v.Stack)
	for i := range v.Stack {
		if v.Stack[i].Index == f.Index {
			v.Stack[i].Line, v.Stack[i].Column = line, 0
		}
	}
	o.stood = f.Line
	o.setView(&v)
}

// setView replaces the view.
func (o *outcome) setView(v *session.View) {
	if o.r.View == o.v {
		o.r.View = v
	}
	o.v = v
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
func (o *outcome) showRecursiveCall() {
	call, over := o.r.recursiveCall()
	i := slices.IndexFunc(o.v.Stack, func(f session.Frame) bool { return f.File == call.File && f.Line == call.Line })
	if !over || i < 0 {
		return
	}
	v, moved := *o.v, o.v.Stack[i]
	v.Frame = &moved
	o.setView(&v)
	o.r.showAt(o.userCode, call, moved.Column)
}
