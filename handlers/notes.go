package handlers

import (
	"fmt"

	"aidb-mcp/session"
)

// notes are the explanations of a reply, when the call asked for them.
func (c *Call) notes(explain func() []string) []string {
	if c.request.IsVerbose() {
		return explain()
	}
	return nil
}

// viewNotes explain what a stop view holds here.
func (w show) viewNotes(v *session.View) []string {
	var notes []string
	add := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	switch st := v.State.Status; {
	case mayStop(st):
		add("the program goes on by itself between calls; execute(wait) answers at its next stop, or at once if it has stopped meanwhile")
	case st == session.Terminated:
		add("output, source and breakpoints can still be looked at; session(restart) runs the program again")
	default:
		add("the program stands still until execute, step or run_until; frame 0 is %s", w.in(v.Frame))
	}
	if v.Top != nil {
		add("the program stopped in %s; the library frames above frame 0 are not shown", v.Top.Function)
	}
	if v.SameFrame && v.State.Status == session.StoppedStep {
		add("what has changed is compared with the last stop in this frame; unchanged locals are left out, inspect(locals) has them")
	}
	if hasRefs(v.Locals) {
		add("ref opens a value with inspect(object) until the program resumes; an expression such as a.b[2] works after that too")
	}
	if v.Output.Stdout.Text != "" || v.Output.Stderr.Text != "" || v.Output.Log.Text != "" {
		add("output is what was printed since the last reply; inspect(output) reads all that is kept")
	}
	return notes
}

// hasRefs says whether one of the values can be opened.
func hasRefs(list []session.Variable) bool {
	for _, v := range list {
		if v.Ref != 0 {
			return true
		}
	}
	return false
}

// inspectNotes explain the answers of inspect, by what was asked.
var inspectNotes = map[string][]string{
	"locals":     {"n is the number of a value's children, len the length of its whole text; ref opens it until the program resumes"},
	"stack":      {"the number of a frame is its place in the list, counted from the first frame that is named, else 0; give it as frame to look at its variables"},
	"threads":    {"threads with the same stack that wait for the same are one row: count says how many, id and others name some; give an id as thread_id to inspect(stack)"},
	"waits":      {"held_by names only who was seen to hold it: taken_at is the line that took it; who waits for the same at the same place is one row, with a count"},
	"expression": {"evaluated in the program: function calls run there, and may hit breakpoints or change it"},
	"output":     {"lines count from 0; start picks the first line, a negative one counts from the end"},
	"memory":     {"each row is an address, sixteen bytes and their text; go on with a later address"},
}

// breakpointNotes explain the answer of breakpoint(set).
var breakpointNotes = []string{
	"verified says that the program has code there; an unverified one is tried again at every restart",
	"after an edit and a restart a breakpoint follows the text of its line",
}
