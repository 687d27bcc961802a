package stopped

import (
	"context"

	godap "github.com/google/go-dap"

	"aidb-mcp/dap"
	"aidb-mcp/session/inspect"
)

// refresh asks for the values of a frame's locals anew where the adapter's
// scopes still hold those of the stop.
func (p *Program) refresh(ctx context.Context, frame int, vars []godap.Variable) []godap.Variable {
	if !p.facts.Can.Values.SnapshotScopes || !p.evaluated.Load() {
		return vars
	}
	return p.reevaluate(ctx, frame, vars, func(godap.Variable) bool { return true })
}

// reevaluate asks for the values of those of a frame's locals by their names that are wanted.
func (p *Program) reevaluate(ctx context.Context, frame int, vars []godap.Variable, wanted func(godap.Variable) bool) []godap.Variable {
	pending, can := make([]*dap.Pending, min(len(vars), p.facts.Limits.Locals)), p.facts.Can.Values
	for i := range pending {
		if name := vars[i].EvaluateName; name != "" && wanted(vars[i]) {
			text, kind, err := expressionIn(ctx, p.connection, can, 0, name)
			if err != nil {
				continue
			}
			pending[i] = p.connection.Send("evaluate", evaluateArguments{Expression: text, FrameID: frame, Context: kind})
		}
	}
	for i, asked := range pending {
		if asked == nil {
			continue
		}
		var body godap.EvaluateResponseBody
		if err := asked.Wait(ctx, &body); err != nil {
			continue // not yet in scope: as the adapter showed it
		}
		now := inspect.Evaluated(vars[i].Name, body)
		now.EvaluateName, now.PresentationHint = vars[i].EvaluateName, vars[i].PresentationHint
		if tidy := p.facts.Dialect.Variables("", []godap.Variable{now}); len(tidy) == 1 {
			vars[i] = tidy[0]
		}
	}
	return vars
}
