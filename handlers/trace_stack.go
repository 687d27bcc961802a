package handlers

import (
	"fmt"
	"slices"
	"strings"

	"aidb-mcp/internal/recording/live"
)

// shownCalls is how many calls of a stack a row shows.
const shownCalls = 10

// stackColumn adds the column of the callers, where they are asked for.
func (w show) stackColumn(columns []string) []string {
	if !w.stacks {
		return columns
	}
	return append(columns, "stack")
}

// withStack adds the callers to a row.
func (w show) withStack(row []string, r live.Row) []string {
	if !w.stacks {
		return row
	}
	return append(row, w.stackOf(r))
}

// stackOf are the calls that a hit is in, the innermost first: those in the workspace by themselves,
// others between them as a count. Where none is in the workspace all are shown.
func (w show) stackOf(r live.Row) string {
	if r.Kind == live.Leave {
		return ""
	}
	var list []string
	folded, isAny := 0, slices.ContainsFunc(r.Stack, w.isOwn)
	fold := func() {
		if folded > 0 {
			list = append(list, fmt.Sprintf("(%d of libraries)", folded))
		}
		folded = 0
	}
	shown := 0
	for i, f := range r.Stack {
		if shown == shownCalls {
			folded = 0
			list = append(list, fmt.Sprintf("(%d more)", len(r.Stack)-i))
			break
		}
		if isAny && !w.isOwn(f) {
			folded++
			continue
		}
		fold()
		shown++
		list = append(list, strings.TrimSpace(f.Function+" "+w.at(f.File, f.Line)))
	}
	fold()
	if r.Rest != "" {
		list = append(list, "("+r.Rest+")")
	}
	return strings.Join(list, " < ")
}

// isOwn says that a call is in the workspace.
func (w show) isOwn(f live.Frame) bool { return f.File != "" && w.s.Rel(f.File) != f.File }
