package session

import (
	"encoding/json"
	"fmt"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/session/breakpoints"
)

// checkObserved refuses breakpoints in a session that only observes. The hint is the call of trace that
// records the same: a row for each hit in place of a message or a stop.
func (pts *points) checkObserved(can adapters.Observing, list ...breakpoints.Spec) error {
	if !can.IsAlone() || len(list) == 0 {
		return nil
	}
	w := list[0]
	what, field := "has no breakpoints", "location"
	if w.LogMessage != "" {
		what, field = "has no log messages of breakpoints", "log_message"
	}
	if can.Arm == nil {
		return fault.New(fault.NotSupported, "this session has no debugger, and so it %s", what).WithField(field).WithHint("%s", can.Why)
	}
	hint := "record it while the program runs on: trace " + pts.armArguments(w)
	if w.HitCondition != "" {
		hint += "; hits are not counted there, so that a hit_condition is left out"
	}
	return fault.New(fault.NotSupported, "this session only observes: nothing stops its program, and it %s", what).WithField(field).
		WithHint("%s; then trace(read). A session_start(attach) without observe has breakpoints, which stop the program", hint)
}

// armArguments are the arguments of the trace call that records what the breakpoint would have shown.
func (pts *points) armArguments(w breakpoints.Spec) string {
	call := struct {
		Action      string   `json:"action"`
		What        string   `json:"what"`
		Functions   []string `json:"functions,omitempty"`
		Location    string   `json:"location,omitempty"`
		Expressions []string `json:"expressions,omitempty"`
		Condition   string   `json:"condition,omitempty"`
	}{Action: "arm", What: "values", Condition: w.Condition.Text}
	if w.Kind == FunctionBreakpoint {
		call.What, call.Functions = "calls", []string{w.Function}
	} else {
		call.Location = fmt.Sprintf("%s:%d", pts.session.Rel(w.File), w.Line)
		call.Expressions = loggedExpressions(w)
	}
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false) // it is read as it stands
	if err := e.Encode(call); err != nil {
		return "(arm)" // not reached: texts can always be written
	}
	return strings.TrimSpace(text.String())
}

// loggedExpressions are the expressions whose values a breakpoint shows at a hit; VARIABLE, for the
// caller to replace, where it has none.
func loggedExpressions(w breakpoints.Spec) (list []string) {
	for _, part := range breakpoints.MessageParts(w.LogMessage) {
		if part.Expression.Text != "" {
			list = append(list, part.Expression.Text)
		}
	}
	for _, e := range w.Show {
		list = append(list, e.Text)
	}
	if len(list) == 0 {
		return []string{"VARIABLE"}
	}
	return list
}
