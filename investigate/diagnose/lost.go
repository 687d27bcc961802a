package diagnose

import (
	"cmp"
	"fmt"

	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/investigate/evidence"
)

// mostLost exceptions are told of a program that has ended well.
const mostLost = 5

// lost finds the exceptions that a program has lost which ended as if nothing had happened:
// its runtime has reported them, for nobody else will. It answers with their messages.
func (x *examination) lost() (messages []string) {
	r := x.r
	if r.Verdict != judge.OK || x.s == nil {
		return nil
	}
	reported := judge.LostIn(x.s.Failures(), cmp.Or(x.wholeStderr(), x.v.Output.Stderr.Text))
	if len(reported) == 0 {
		return nil
	}
	for i, l := range reported {
		messages = append(messages, l.Message)
		if i < mostLost {
			r.Warnings = append(r.Warnings, fmt.Sprintf("an exception was lost, which ended nothing: %s%s, of %s", l.Message, x.innermost(l.Frames), l.Of))
		}
	}
	if more := len(reported) - mostLost; more > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d more were lost", more))
	}
	r.Lost = evidence.On(messages[0], x.observed("the runtime's report in stderr", messages[0]))
	return messages
}

// innermost is the nearest of some places that is the user's, as it is said.
func (x *examination) innermost(frames []judge.Place) string {
	for _, f := range frames {
		if !x.inLibrary(f.File) {
			return ", raised at " + x.s.RelAt(at(f.File, f.Line)) + " in " + f.Function
		}
	}
	return ""
}
