package handlers

import (
	"fmt"
	"slices"
	"strings"

	"aidb-mcp/investigate/recorded"
	"aidb-mcp/investigate/trace"
	"aidb-mcp/investigate/trace/table"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// traceReply is the reply to a trace.
func traceReply(p *tools.TraceParams, r *trace.Result) *responses.Envelope {
	data := tableReply(r.Table, r.Run)
	data.Notes = append(data.Notes, r.Effects...)
	env := &responses.Envelope{Success: true, Data: data}
	if r.Second != nil {
		data.Notes = append(data.Notes, notesOfSecond(r.Second, r.Run)...)
		env.Summary = againstReply(p, r, data)
		return env
	}
	env.Summary = traceSummary(p, r.Run, r.Table)
	if r.Table.Hits == 0 && p.Condition != "" {
		env.NextSteps = []responses.NextStep{unconditional(p).Why("the same without the condition")}
	}
	return env
}

func tableReply(t *table.Table, run *session.Recording) *responses.Trace {
	data := &responses.Trace{
		Columns: t.Columns, Rows: t.Rows, Hits: t.Hits, Dropped: t.Dropped, How: run.How,
		Notes: run.Warnings, Ended: recorded.Ended(run),
	}
	if t.Dropped > 0 {
		data.Gap = t.Gap
	}
	if data.Ended != "" {
		data.Output = &responses.Output{Stdout: stream(run.Stdout), Stderr: stream(run.Stderr)}
		if data.Output.Empty() {
			data.Output = nil
		}
	}
	data.Notes = append(data.Notes, recorded.Remarks(run.Log)...)
	return data
}

// againstReply puts into the data where two runs part, and says it in a sentence.
func againstReply(p *tools.TraceParams, r *trace.Result, data *responses.Trace) string {
	switch d := r.Parting; {
	case d == nil && r.Whole:
		return fmt.Sprintf("both runs are the same in all %d hits of %s", r.Table.Hits, p.What)
	case d == nil:
		return fmt.Sprintf("both runs are the same in the first %d rows of %s; what came after was not kept of both", len(r.Table.Rows), p.What)
	default:
		data.Columns = d.Columns
		data.Rows, data.Gap, data.Dropped = d.Before, 0, r.Table.Hits-int64(len(d.Before))
		data.First = &responses.Parting{Row: d.Row + 1, Ours: d.Ours, Theirs: d.Theirs}
		return fmt.Sprintf("the runs part at row %d of %s, after %d that are the same", d.Row+1, p.What, d.Row)
	}
}

// notesOfSecond are what is to be known of the second run, and was not said of the first.
func notesOfSecond(second, first *session.Recording) []string {
	var list []string
	if why := recorded.Ended(second); why != "" {
		list = append(list, "the second run: "+why)
	}
	for _, warning := range second.Warnings {
		if !slices.Contains(first.Warnings, warning) {
			list = append(list, "the second run: "+warning)
		}
	}
	return list
}

func traceSummary(p *tools.TraceParams, run *session.Recording, t *table.Table) string {
	summary := fmt.Sprintf("%d hits of %s in a run of %s", t.Hits, p.What, run.Target)
	switch t.Hits {
	case 0:
		summary = fmt.Sprintf("%s in a run of %s", nothing(p), run.Target)
	case 1:
		summary = fmt.Sprintf("1 hit of %s in a run of %s", p.What, run.Target)
	}
	if why := recorded.Ended(run); why != "" {
		summary += ": " + why
	}
	return summary
}

// nothing says what it means that there is no row.
func nothing(p *tools.TraceParams) string {
	switch {
	case p.What == "values" && p.Condition != "":
		return fmt.Sprintf("%s was never reached, or never with %s,", p.Location, p.Condition)
	case p.What == "values":
		return fmt.Sprintf("%s was never reached", p.Location)
	case p.What == "calls":
		return fmt.Sprintf("nothing that is called %s was called (functions are named as in stacks)", strings.Join(p.Functions, " or "))
	case p.What == "writes":
		return fmt.Sprintf("no write to %s was seen", p.Expression)
	case len(p.Expressions) > 0:
		return fmt.Sprintf("none of the expressions changed in that call of %s, or there was none,", p.Function)
	case p.Call > 1:
		return fmt.Sprintf("%s was not called %d times", p.Function, p.Call)
	case p.Condition != "":
		return fmt.Sprintf("%s was never called, or never with %s,", p.Function, p.Condition)
	}
	return fmt.Sprintf("%s was never called (functions are named as in stacks)", p.Function)
}
