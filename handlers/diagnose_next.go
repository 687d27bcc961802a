package handlers

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"aidb-mcp/internal/pattern"
	"aidb-mcp/internal/recording"
	"aidb-mcp/responses"
	"aidb-mcp/session/diagnosis"
	"aidb-mcp/session/table"
)

// How many of the last calls are shown, and how long a run may take that notes them.
const (
	lastCalls   = 8
	callsLimit  = 15 * time.Second
	longestCall = 120 // bytes of a cell
)

// calls adds the last calls of the user's code that led to the failure, by a run under
// a recorder, where the language has one and there is time for it. What that run shows
// is only told when it fails too.
func (x *examination) calls(ctx context.Context) error {
	if !slices.Contains([]diagnosis.Verdict{diagnosis.TestFailure, diagnosis.Exception, diagnosis.Panic, diagnosis.ExitCode}, x.verdict) {
		return nil
	}
	over := time.Now().Add(min(callsLimit, time.Until(x.over)))
	if time.Until(over) < shortestRun || x.request.Program.Attaches() || x.request.Program.CoreFile != "" {
		return nil
	}
	wish := recording.Wish{Text: longestTraced, Calls: &recording.Calls{Names: []string{"*"}}}
	run, err := x.h.Sessions.Record(ctx, x.request, wish, over, func(doing string) { x.c.tell(doing, 0, 0) })
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil || refusal(run.Log) != nil || run.Exit != nil && run.Exit.Code == 0 && run.Exit.Signal == "" {
		return nil
	}
	t := table.Calls(run.Log, x.s.RelAt)
	rows := slices.DeleteFunc(t.Rows, func(row []string) bool { return filepath.IsAbs(row[0]) }) // of libraries
	if len(rows) > lastCalls {
		rows = rows[len(rows)-lastCalls:]
	}
	if len(rows) == 0 {
		return nil
	}
	for _, row := range rows {
		for i := range row {
			row[i] = responses.Shorten(row[i], longestCall)
		}
	}
	x.data.Calls = &responses.CallRows{Columns: t.Columns, Rows: rows}
	return nil
}

// nextSteps are the questions that follow from the verdict.
func (x *examination) nextSteps(kept bool) []responses.NextStep {
	culprit := x.data.Culprit
	switch {
	case x.s == nil:
		return nil
	case culprit != nil && x.s.OnlyReads(culprit.Expression):
		return []responses.NextStep{x.why(culprit.Expression, kept).Why("where " + culprit.Expression + " came from")}
	case culprit != nil && calledName(culprit.Expression) != "":
		name := calledName(culprit.Expression)
		call := responses.NewCall("trace", append(startFields(x.start), "what", "calls", "functions", []string{name})...)
		return []responses.NextStep{call.Why("all calls of " + name + ", with arguments and results")}
	case x.verdict == diagnosis.BusyLoop:
		return x.moving()
	case x.verdict.Hangs() && kept:
		return []responses.NextStep{x.h.show(x.s).call("inspect", "target", "threads").Why("who waits for what")}
	}
	return nil
}

// why asks where a value of the failed statement came from: in the session that stands
// there, else of a new run.
func (x *examination) why(expression string, kept bool) responses.Call {
	if kept {
		return x.h.show(x.s).call("why", "expression", expression).With("frame", x.v.Frame.Index)
	}
	return responses.NewCall("why", append(startFields(x.start), "expression", expression, "location", x.data.Location)...)
}

var called = pattern.New(`([\pL_][\pL\pN_]*)\([^()]*\)$`)

// calledName is the function that an expression ends in a call of.
func calledName(expression string) string {
	if m := called.FindStringSubmatch(expression); m != nil {
		return m[1]
	}
	return ""
}
