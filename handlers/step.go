package handlers

import (
	"context"

	"aidb-mcp/internal/fault"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// step makes one or more steps and answers with where they led and what changed.
func (h *Handlers) step() Tool[*tools.StepParams] {
	return Tool[*tools.StepParams]{
		Definition: tools.Step(),
		Action:     func(p *tools.StepParams) string { return p.Action },
		Actions: Actions[*tools.StepParams]{
			"": {Drives: true, Rule: atStop, Handle: h.takeSteps}, // in whatever direction
		},
	}
}

func (h *Handlers) takeSteps(ctx context.Context, c *Call, p *tools.StepParams) (*responses.Envelope, error) {
	if p.IntoFunction != "" && p.Action == "out" {
		return nil, fault.New(fault.InvalidParam, "into_function and step(out) contradict each other").
			WithField("into_function").WithHint(`leave one of them out, for example {"action":"into","into_function":"parse"}`)
	}
	st, err := c.Session.Step(ctx, session.StepOptions{
		Action: p.Action, Count: p.Count, Thread: p.ThreadID,
		Granularity: p.Granularity, Into: p.IntoFunction,
	}, p.Timeout())
	if err != nil {
		return nil, err
	}
	return h.view(ctx, c, stopDetail{note: st.Note})
}
