package handlers

import (
	"fmt"
	"strings"

	"aidb-mcp/responses"
	"aidb-mcp/session"
)

// manySteps in a row are a sign that a breakpoint or a count would be quicker.
const manySteps = 5

// suggestions are what is worth trying next in this state, after this history.
func (t *historyRenderer) suggestions() []responses.NextStep {
	steps := t.nextSteps(&session.View{State: t.state, Breakpoints: t.s.Breakpoints()})
	switch st := t.state; {
	case st.Status == session.Terminated:
		steps = append(steps, t.call("session", "action", "restart").Why("build and run it again with the same breakpoints"))
	case st.Status == session.StoppedException:
		steps = append(steps, t.call("inspect", "target", "stack").Why("who called with these values"))
	case t.isStepping():
		steps = append(steps,
			t.call("step", "action", "over", "count", 10).Why(fmt.Sprintf("the last %d operations were single steps", manySteps)),
			t.call("step", "action", "out").Why("see what this function returns"))
	case st.Status.Stopped():
		steps = append(steps, t.call("inspect", "target", "locals", "depth", 1).Why("what the values are here"))
	}
	return steps[:min(len(steps), 3)]
}

// isStepping says whether the last operations were all steps.
func (t *historyRenderer) isStepping() bool {
	history := t.s.History()
	if len(history) < manySteps {
		return false
	}
	for _, op := range history[len(history)-manySteps:] {
		if !strings.HasPrefix(op.What, "step") {
			return false
		}
	}
	return true
}
