package handlers

import (
	"encoding/json"
	"fmt"

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
	more, err := merge(d.start.More)
	if err != nil {
		return step, false
	}
	options, err := merge(more["adapter_options"], json.RawMessage(by))
	if err != nil {
		return step, false
	}
	if more["adapter_options"], err = json.Marshal(options); err != nil {
		return step, false
	}
	start := *d.start
	if start.More, err = json.Marshal(more); err != nil {
		return step, false
	}
	return responses.NewCall("diagnose", startFields(&start)...).Why("follow the child process, and find what failed in it"), true
}

// merge is the members of JSON objects, of which those that are empty count for none. The later
// ones count where several have one.
func merge(objects ...json.RawMessage) (map[string]json.RawMessage, error) {
	all := map[string]json.RawMessage{}
	for _, object := range objects {
		if len(object) == 0 || string(object) == "null" {
			continue
		}
		if err := json.Unmarshal(object, &all); err != nil {
			return nil, err
		}
	}
	return all, nil
}
