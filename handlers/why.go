package handlers

import (
	"context"

	"aidb-mcp/investigate/origin"
	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// why follows a value back to where it came from.
func (h *Handlers) why() Tool[*tools.WhyParams] {
	return Tool[*tools.WhyParams]{
		Definition: tools.Why(),
		Actions: Actions[*tools.WhyParams]{
			"": {Rule: rule{session: optional}, Handle: h.followBack},
		},
	}
}

func (h *Handlers) followBack(ctx context.Context, c *Call, p *tools.WhyParams) (*responses.Envelope, error) {
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
	return whyReply(p, subject, result, wider(h.Mask, c)), nil
}
