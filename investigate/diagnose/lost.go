package diagnose

import (
	"cmp"
	"fmt"

	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/investigate/evidence"
)

// mostLost exceptions are told of a program that has ended well.
const mostLost = 5

// lostExceptions finds exceptions that were lost in a program which ended as if nothing
// had happened; only its runtime has reported them. It returns their messages.
func (o *outcome) lostExceptions() (messages []string) {
	r := o.r
	if r.Verdict != judge.OK || o.s == nil {
		return nil
	}
	reported := judge.LostIn(o.syntax, cmp.Or(o.wholeStderr(&o.v.Output), o.v.Output.Stderr.Text))
	if len(reported) == 0 {
		return nil
	}
	for i, l := range reported {
		messages = append(messages, l.Message)
		if i < mostLost {
			r.Warnings = append(r.Warnings, fmt.Sprintf("an exception was lost, which ended nothing: %s%s, of %s", l.Message, o.innermostOwn(l.Frames), l.Of))
		}
	}
	if more := len(reported) - mostLost; more > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d more were lost", more))
	}
	r.Lost = evidence.On(messages[0], o.stopSeen("the runtime's report in stderr", messages[0]))
	return messages
}
