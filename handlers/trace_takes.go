package handlers

import (
	"fmt"
	"slices"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/investigate/trace"
	"aidb-mcp/tools"
)

// takes are the parameters that a kind of trace makes something of; armed says that it is
// put into a program that runs.
func takes(what string, armed bool) []string {
	switch {
	case what == trace.Values:
		return []string{"location", "expressions", "condition"}
	case what == trace.Writes && armed:
		return []string{"expression"}
	case what == trace.Writes:
		return []string{"expression", "location"}
	case what == trace.Calls && armed:
		return []string{"functions", "condition"}
	case what == trace.Calls:
		return []string{"functions"}
	case what == trace.Lines:
		return []string{"function", "call", "condition", "expressions"}
	default:
		return []string{"condition", "scope", "expressions"}
	}
}

// checkTaken refuses what a kind of trace would make nothing of: what narrows a question, and is
// passed over, has it answered as another one.
func checkTaken(p *tools.TraceParams, armed bool) error {
	taken := takes(p.What, armed)
	for _, given := range []struct {
		name string
		is   bool
	}{
		{"location", p.Location != ""}, {"condition", p.Condition != ""}, {"scope", len(p.Scope) > 0},
		{"function", p.Function != ""}, {"call", p.Call != 0}, {"functions", len(p.Functions) > 0},
		{"expression", p.Expression != ""}, {"expressions", len(p.Expressions) > 0},
	} {
		if given.is && !slices.Contains(taken, given.name) {
			return fault.New(fault.InvalidParam, "trace(%s) makes nothing of %s", p.What, given.name).WithField(given.name).WithHint("%s", insteadOf(p, given.name, taken))
		}
	}
	return nil
}

// insteadOf says what to give in the place of a parameter.
func insteadOf(p *tools.TraceParams, name string, taken []string) string {
	switch {
	case p.What == trace.First && name == "location":
		return fmt.Sprintf(`give the place as scope: "scope":[%q]; the function or file that it lies in has more of the moments`, p.Location)
	case p.What == trace.Calls && name == "condition":
		return `leave it out; {"what":"first","condition":…,"scope":[…]} finds the first call at which it holds`
	}
	return "it takes " + strings.Join(taken, ", ")
}
