package diagnose

import (
	"slices"

	"aidb-mcp/investigate/diagnose/judge"
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
	if x.r.View == x.v {
		x.r.View = &v
	}
	x.v, x.stood = &v, f.Line
}
