package handlers

import (
	"context"

	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// execute resumes, restarts, pauses or waits for the program and answers at its
// next stop.
func (h *Handlers) execute(ctx context.Context, c *Call) (*responses.Envelope, error) {
	p := c.Params.(*tools.ExecuteParams)
	if !p.WaitForStop {
		p.TimeoutMS = 0
	}
	if p.Action == "continue" && p.Until != "" {
		return h.reach(ctx, c, []string{p.Until}, "", p.Wait)
	}
	if err := h.move(ctx, c, p); err != nil {
		return nil, err
	}
	if _, err := c.Session.Wait(ctx, p.Timeout()); err != nil {
		return nil, err
	}
	return h.view(ctx, c, arrival{quiet: !p.CollectOutput})
}

// move does what the action says, without waiting for what comes of it.
func (h *Handlers) move(ctx context.Context, c *Call, p *tools.ExecuteParams) error {
	switch p.Action {
	case "run":
		return c.Session.Restart(ctx, true)
	case "pause":
		return c.Session.Pause(ctx, p.ThreadID)
	case "wait":
		return nil
	case "jump":
		return h.jump(ctx, c, p)
	}
	return c.Session.Continue(ctx, p.ThreadID)
}

func (h *Handlers) jump(ctx context.Context, c *Call, p *tools.ExecuteParams) error {
	if p.JumpTarget == "" {
		return missing("jump_target", "execute(jump) needs jump_target, the line to go on from",
			`for example {"action":"jump","jump_target":"calc.go:12"}`)
	}
	c.What = "jump to " + p.JumpTarget
	return c.Session.Jump(ctx, p.JumpTarget, p.ThreadID)
}
