package session

import (
	"context"
	"fmt"
	"slices"

	"aidb-mcp/dap"
	"aidb-mcp/session/breakpoints"
	"aidb-mcp/session/stopped"
)

// maxShown is how many expressions of show are evaluated at one stop.
const maxShown = 20

// fillShown evaluates the expressions that were asked for at every stop, and at
// those of the breakpoints that stopped the program. Warnings say which of them
// have no value here, and why.
func (s *Session) fillShown(ctx context.Context, p *stopped.Program, v *View) {
	for i, e := range s.toShow(s.request.Show, s.state().Hit) {
		if i == maxShown {
			v.Warnings = append(v.Warnings, fmt.Sprintf("only the first %d expressions of show are evaluated", maxShown))
			return
		}
		x, err := p.Evaluate(ctx, e.Text, 0, e.Frame, Page{})
		if err != nil {
			v.Warnings = append(v.Warnings, fmt.Sprintf("show %s: %s", e, dap.Reason(err)))
			continue
		}
		x.Name = e.String()
		v.Shown = append(v.Shown, x)
	}
}

// toShow are the expressions of a stop at breakpoints, each once.
func (pts *points) toShow(always []string, hit []int) []breakpoints.Expression {
	var all []breakpoints.Expression
	for _, text := range always {
		all = append(all, breakpoints.ParseExpression(text))
	}
	for _, id := range hit {
		if b, known := pts.breakpoints.Get(id); known {
			all = append(all, b.Show...)
		}
	}
	var once []breakpoints.Expression
	for _, e := range all {
		if e.Text != "" && !slices.Contains(once, e) {
			once = append(once, e)
		}
	}
	return once
}
