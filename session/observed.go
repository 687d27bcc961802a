package session

import (
	"encoding/json"
	"fmt"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/session/breakpoints"
)

// checkObserved refuses breakpoints in a session that only observes, with the recorder that tells what
// they would: a row for each hit in place of a message or a stop.
func (pts *points) checkObserved(can adapters.Observing, list ...breakpoints.Wish) error {
	if can.Arm == nil || len(list) == 0 {
		return nil
	}
	w := list[0]
	what, field := "has no breakpoints", "location"
	if w.LogMessage != "" {
		what, field = "has no log messages of breakpoints", "log_message"
	}
	hint := "record it while the program runs on: trace " + pts.armingFor(w)
	if w.HitCondition != "" {
		hint += "; hits are not counted there, so that a hit_condition is left out"
	}
	return fault.New(fault.NotSupported, "this session only observes: nothing stops its program, and it %s", what).WithField(field).
		WithHint("%s; then trace(read). A session_start(attach) without observe has breakpoints, which stop the program", hint)
}

// armingFor are the arguments of the trace that records what a breakpoint would tell.
func (pts *points) armingFor(w breakpoints.Wish) string {
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
		call.Expressions = toldBy(w)
	}
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false) // it is read as it stands
	if err := e.Encode(call); err != nil {
		return "(arm)" // texts can always be written
	}
	return strings.TrimSpace(text.String())
}

// toldBy are the expressions that a breakpoint tells at a hit.
func toldBy(w breakpoints.Wish) (list []string) {
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
