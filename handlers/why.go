package handlers

import (
	"context"

	"aidb-mcp/investigate/origin"
	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// why follows a value back to where it came from.
func (h *Handlers) why(ctx context.Context, c *Call) (*responses.Envelope, error) {
	p := c.Params.(*tools.WhyParams)
	subject, err := h.subject(ctx, c, &p.Start)
	if err != nil {
		return nil, err
	}
	c.What = "why " + string(p.Expression)
	result, err := origin.Ask(ctx, h.runs(c), origin.Question{
		Subject: subject, Stands: subject == c.Session,
		Expression: string(p.Expression), Location: p.Location, Condition: string(p.Condition), Frame: p.Frame,
		Steps: p.Steps, Timeout: p.Timeout(),
	})
	if err != nil {
		return nil, err
	}
	env := whyReply(p, subject, result)
	env.Data.(*responses.Why).More = h.wider(c)
	return env, nil
}
