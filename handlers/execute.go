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
	s := c.Session
	if p.Action == "continue" && p.Until != "" {
		return h.reach(ctx, c, []string{p.Until}, "", p.Wait)
	}
	var err error
	switch p.Action {
	case "run":
		err = s.Restart(ctx, true)
	case "pause":
		err = s.Pause(ctx, p.ThreadID)
	case "wait":
	case "jump":
		err = h.jump(ctx, c, p)
	default:
		err = s.Continue(ctx, p.ThreadID)
	}
	if err != nil {
		return nil, err
	}
	wait := p.Timeout()
	if !p.WaitForStop {
		wait = 0
	}
	if _, err := s.Wait(ctx, wait); err != nil {
		return nil, err
	}
	return h.view(ctx, c, "")
}

func (h *Handlers) jump(ctx context.Context, c *Call, p *tools.ExecuteParams) error {
	if p.JumpTarget == "" {
		return missing("jump_target", "execute(jump) needs jump_target, the line to go on from",
			`for example {"action":"jump","jump_target":"calc.go:12"}`)
	}
	c.What = "jump to " + p.JumpTarget
	return c.Session.Jump(ctx, p.JumpTarget, p.ThreadID)
}
