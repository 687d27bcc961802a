package handlers

import (
	"cmp"
	"context"
	"fmt"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// patch replaces a function in the running program and, where an expression is
// given, evaluates it afterwards: the proof that the new code is what runs.
func (h *Handlers) patch(ctx context.Context, c *Call, p *tools.VariableParams) (*responses.Envelope, error) {
	if p.Code == "" {
		return nil, missingParam("code", "variable(patch) needs code, the function anew and whole",
			`for example {"action":"patch","name":"discount","code":"def discount(x):\n    return x * 0.9","expression":"discount(100)"}`)
	}
	c.What = "patch " + cmp.Or(p.Name, "code")
	done, err := c.Session.Stopped().Patch(ctx, adapters.Patch{Name: p.Name, Code: p.Code, File: p.File}, 0, p.Frame)
	if err != nil {
		return nil, err
	}
	said := done.Name + " is replaced in the running program"
	data := &responses.Inspection{Notes: done.Notes}
	if p.Expression != "" {
		q := h.question(c, &tools.InspectParams{Target: "expression", Expression: p.Expression, Frame: p.Frame})
		if _, err := q.expression(ctx); err != nil {
			return nil, fault.New(fault.Evaluation, "%s; only the evaluation of %q after it failed: %w", said, p.Expression, err).
				WithHint("the new code is in force: ask again with variable(action: get), or patch anew")
		}
		data.Result = q.data.Result
		said += fmt.Sprintf("; %s is now %s", p.Expression, responses.Shorten(data.Result.Value, summarized))
	}
	return &responses.Envelope{Success: true, Summary: said, Data: data}, nil
}
