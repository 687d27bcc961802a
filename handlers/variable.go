package handlers

import (
	"cmp"
	"context"
	"fmt"

	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// variable reads one value, or sets one and reads it back, or replaces a function.
func (h *Handlers) variable() Tool[*tools.VariableParams] {
	return Tool[*tools.VariableParams]{
		Definition: tools.Variable(),
		Action:     func(p *tools.VariableParams) string { return p.Action },
		Actions: Actions[*tools.VariableParams]{
			"get":   {Rule: atStop, Handle: h.getVariable},
			"set":   {Drives: true, Rule: atStop, Effect: "setting a variable", Handle: h.setVariable},
			"patch": {Drives: true, Rule: atStop, Effect: "replacing code", Handle: h.patch},
		},
	}
}

func (h *Handlers) getVariable(ctx context.Context, c *Call, p *tools.VariableParams) (*responses.Envelope, error) {
	expression := cmp.Or(p.Expression, p.Name)
	if expression == "" {
		return nil, missingParam("expression", "variable(get) needs expression, what to read", `for example {"expression":"user.Name"}`)
	}
	c.What = "get " + expression
	q := h.question(c, &tools.InspectParams{Target: "expression", Expression: expression, Frame: p.Frame})
	said, err := q.expression(ctx)
	if err != nil {
		return nil, err
	}
	return &responses.Envelope{Success: true, Summary: said, Data: q.data}, nil
}

func (h *Handlers) setVariable(ctx context.Context, c *Call, p *tools.VariableParams) (*responses.Envelope, error) {
	name := cmp.Or(p.Name, p.Expression)
	const example = `for example {"action":"set","name":"cfg.Retries","value":"3"}`
	switch {
	case name == "":
		return nil, missingParam("name", "variable(set) needs name, the variable to set", example)
	case p.Value == "":
		return nil, missingParam("value", "variable(set) needs value, what to set it to", example+`; an empty string is "\"\""`)
	}
	c.What = fmt.Sprintf("set %s = %s", name, responses.Shorten(p.Value, summarized))
	old, now, err := c.Session.Stopped().Assign(ctx, name, p.Value, 0, p.Frame)
	if err != nil {
		return nil, err
	}
	data := h.show(c.Session).assignment(old, now)
	return &responses.Envelope{
		Success: true, Data: data,
		Summary: fmt.Sprintf("%s is now %s", name, responses.Shorten(data.Result.Value, summarized)),
	}, nil
}

// assignment shows the value read back, and what it was.
func (w show) assignment(old, now session.Variable) *responses.Inspection {
	result := w.variable(now)
	return &responses.Inspection{Result: &result, Was: responses.Shorten(old.Untyped(), 200)}
}
