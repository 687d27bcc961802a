package handlers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"aidb-mcp/investigate/recorded"
	"aidb-mcp/investigate/trace"
	"aidb-mcp/investigate/trace/table"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// traceReply is the reply to a trace. More asks for it again, in a larger reply.
func traceReply(p *tools.TraceParams, r *trace.Result, more responses.Call) *responses.Envelope {
	data := tableReply(r.Table, r.Run)
	data.More = more
	data.Notes = append(data.Notes, r.Effects...)
	if p.What == trace.Writes && len(r.Table.Rows) > 0 && strings.HasSuffix(string(p.Expression), "]") {
		others := "elements of other objects may be among the rows, not only those of " + cmp.Or(holder(string(p.Expression)), "the one that is meant") + ": "
		switch {
		case slices.Contains(r.Table.Columns, table.Object):
			data.Notes = append(data.Notes, others+"object tells one place from another, and the statement at it what it writes to")
		case !r.Named:
			data.Notes = append(data.Notes, others+"a location at which it can be read says which of them is meant")
		}
	}
	env := &responses.Envelope{Success: true, Data: data}
	if r.Against != nil {
		env.Summary = againstReply(p, r, data)
		return env
	}
	env.Summary = traceSummary(p, r)
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
	if t.Dropped > 0 || t.Leaps {
		data.Gap = t.Gap
	}
	if data.Ended != "" {
		data.Output = &responses.Output{Stdout: stream(run.Stdout), Stderr: stream(run.Stderr)}
		if data.Output.Empty() {
			data.Output = nil
		}
	}
	data.Notes = append(data.Notes, recorded.Remarks(run.Log)...)
	if run.Log.Torn {
		data.Notes = append(data.Notes, recorded.TornWords)
	}
	if t.Uncounted > 0 && !t.Leaps {
		data.Notes = append(data.Notes, fmt.Sprintf("%d more events of the run were not kept, reads among them: how many of them were hits is not known", t.Uncounted))
	}
	if t.Alike > 0 {
		data.Notes = append(data.Notes, fmt.Sprintf("%d rows look like the one before and were not folded into it: what is cut of their values differs, or was not compared", t.Alike))
	}
	if t.Shares {
		data.Notes = append(data.Notes, "the rows begin alike: what all of them share stands in the first")
	}
	return data
}

// againstReply puts into the data where two runs part, and says it in a sentence.
func againstReply(p *tools.TraceParams, r *trace.Result, data *responses.Trace) string {
	pair := r.Against
	data.Notes = append(data.Notes, notesOfSecond(pair.Second, r.Run)...)
	for _, gap := range pair.Gaps {
		data.Notes = append(data.Notes, "not compared: "+gap)
	}
	data.Same = responses.NotInFull
	for _, e := range pair.Endings {
		data.Endings = append(data.Endings, endingReply(e))
	}
	if p.Verbose {
		data.Evidence = evidenceRows(append(pair.Parts.Stands(), pair.Same.Stands()...), func(at string) string { return at })
	}
	if d, parts := pair.Parts.Get(); parts {
		data.Columns = d.Columns
		data.Rows, data.Gap, data.Dropped = d.Before, 0, r.Table.Hits-int64(len(d.Before))
		data.First = &responses.Parting{Row: d.Row + 1, Ours: d.Ours, Theirs: d.Theirs}
	}
	if pair.Differs {
		data.Same = responses.NotSame
	} else if pair.Same.Is() {
		data.Same = responses.Same
	}
	return againstSummary(p, r)
}

func againstSummary(p *tools.TraceParams, r *trace.Result) string {
	pair := r.Against
	look := "are the same"
	if len(pair.Gaps) > 0 {
		look = "look the same, and were not compared in full"
	}
	endings := fmt.Sprintf("the first: %s; the second: %s", pair.Endings[0], pair.Endings[1])
	switch d, parts := pair.Parts.Get(); {
	case parts:
		within := ""
		if d.Threads != [2]string{} {
			within = " in one thread (each is compared by itself)"
		}
		return fmt.Sprintf("the runs part at row %d of %s%s, after %d that %s; %s", d.Row+1, p.What, within, d.Row, look, endings)
	case pair.Same.Is():
		return fmt.Sprintf("both runs are the same in all %d hits of %s, and end alike: %s", r.Table.Hits, p.What, pair.Endings[0])
	case pair.Differs:
		return fmt.Sprintf("the runs end differently, and %d rows of %s %s: %s", pair.Compared, p.What, look, endings)
	case pair.Compared == 0:
		return fmt.Sprintf("nothing could be compared of %s: %s", p.What, strings.Join(pair.Gaps, "; "))
	}
	return fmt.Sprintf("no difference was seen in %d rows of %s, and not all of the runs was compared: %s", pair.Compared, p.What, strings.Join(pair.Gaps, "; "))
}

func endingReply(e recorded.Ending) responses.Ending {
	switch {
	case e.Cut:
		return responses.Ending{Verdict: "cut", Cut: true}
	case e.Signal != "":
		return responses.Ending{Verdict: "signal", Signal: e.Signal}
	case e.Code != 0:
		return responses.Ending{Verdict: "exit_code", Code: &e.Code}
	}
	return responses.Ending{Verdict: "ok", Code: &e.Code}
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

func traceSummary(p *tools.TraceParams, r *trace.Result) string {
	why := recorded.Ended(r.Run)
	switch {
	case r.Table.Hits == 0 && r.Unseen != "":
		return fmt.Sprintf("%s in what was noted of a run of %s, which is not all: %s", unseenText(p), r.Run.Target, r.Unseen)
	case r.Table.Hits == 0:
		return withEnding(fmt.Sprintf("%s in a run of %s", noRowsText(p, r.Run.Log.Started > 0), r.Run.Target), why)
	case r.Table.Hits == 1:
		return withEnding(fmt.Sprintf("1 hit of %s in a run of %s", p.What, r.Run.Target), why)
	}
	number := fmt.Sprint(r.Table.Hits)
	if r.Table.Uncounted > 0 {
		number = "at least " + number
	}
	return withEnding(fmt.Sprintf("%s hits of %s in a run of %s", number, p.What, r.Run.Target), why)
}

func withEnding(summary, why string) string {
	if why == "" {
		return summary
	}
	return summary + ": " + why
}

// unseenText says that there is no row, where there may have been one that was not noted.
func unseenText(p *tools.TraceParams) string {
	switch {
	case p.What == trace.Values && p.Condition != "":
		return fmt.Sprintf("%s was not seen to be reached with %s", p.Location, p.Condition)
	case p.What == trace.Values:
		return fmt.Sprintf("%s was not seen to be reached", p.Location)
	case p.What == trace.Calls:
		return fmt.Sprintf("no call of %s was seen", strings.Join(p.Functions, " or "))
	case p.What == trace.Writes:
		return fmt.Sprintf("no write to %s was seen", p.Expression)
	case len(p.Expressions) > 0:
		return fmt.Sprintf("no change of the expressions was seen in that call of %s", p.Function)
	}
	return fmt.Sprintf("that call of %s was not seen", p.Function)
}

// noRowsText says what it means that there is no row in a run of which all was noted; several, that it
// had more processes or threads, in each of which calls are counted by themselves.
func noRowsText(p *tools.TraceParams, several bool) string {
	switch {
	case p.What == "values" && p.Condition != "":
		return fmt.Sprintf("%s was never reached, or never with %s,", p.Location, p.Condition)
	case p.What == "values":
		return fmt.Sprintf("%s was never reached", p.Location)
	case p.What == "calls":
		return fmt.Sprintf("nothing that is called %s was called (functions are named as in stacks)", strings.Join(p.Functions, " or "))
	case p.What == "writes" && isName(string(p.Expression)):
		return fmt.Sprintf("no write to a variable %s was seen (a field is asked for by what has it: x.%s)", p.Expression, p.Expression)
	case p.What == "writes":
		return fmt.Sprintf("no write to %s was seen", p.Expression)
	case len(p.Expressions) > 0:
		return fmt.Sprintf("none of the expressions changed in that call of %s, or there was none,", p.Function)
	case p.Call > 1:
		if several {
			return fmt.Sprintf("%s was not called %d times in any one process or thread", p.Function, p.Call)
		}
		return fmt.Sprintf("%s was not called %d times", p.Function, p.Call)
	case p.Condition != "":
		return fmt.Sprintf("%s was never called, or never with %s,", p.Function, p.Condition)
	}
	return fmt.Sprintf("%s was never called (functions are named as in stacks)", p.Function)
}

// isName says that an expression is a name alone.
func isName(expression string) bool {
	return expression != "" && !strings.ContainsFunc(expression, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
