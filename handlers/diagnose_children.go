package handlers

import (
	"encoding/json"
	"fmt"
	"maps"

	"aidb-mcp/investigate/diagnose"
	"aidb-mcp/responses"
)

// failedChildren is the part of the summary about child processes that failed.
func (d *diagnosisReply) failedChildren() string {
	switch n := len(d.r.Children); n {
	case 0:
		return ""
	case 1:
		return "; its child process " + d.r.Children[0]
	default:
		return fmt.Sprintf("; %d of its child processes failed, the first: %s", n, d.r.Children[0])
	}
}

// childStep is the call that runs the program again and follows such a process. hasFailed is false if
// none has failed, or the debugger cannot follow any.
func (d *diagnosisReply) childStep() (step responses.NextStep, hasFailed bool) {
	r := d.r
	if len(r.Children) == 0 || r.Session == nil || !diagnose.Starts(r.Session.StartRequest()) || !d.start.Given() {
		return step, false
	}
	by := r.Session.FollowedBy()
	if by == "" {
		return step, false
	}
	start := *d.start
	var more, options map[string]json.RawMessage
	if len(start.More) > 0 && json.Unmarshal(start.More, &more) != nil {
		return step, false
	}
	if given := more["adapter_options"]; len(given) > 0 && json.Unmarshal(given, &options) != nil {
		return step, false
	}
	var follow map[string]json.RawMessage
	if json.Unmarshal([]byte(by), &follow) != nil {
		return step, false
	}
	all := map[string]json.RawMessage{}
	maps.Copy(all, options)
	maps.Copy(all, follow)
	merged, err := json.Marshal(all)
	if err != nil {
		return step, false
	}
	with := map[string]json.RawMessage{}
	maps.Copy(with, more)
	with["adapter_options"] = merged
	if start.More, err = json.Marshal(with); err != nil {
		return step, false
	}
	return responses.NewCall("diagnose", startFields(&start)...).Why("follow the child process, and find what failed in it"), true
}
