package handlers

import (
	"context"
	"time"

	"aidb-mcp/responses"
	"aidb-mcp/session"
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
	stuck := p.Action == "pause" && c.Session.ShowsRunning()
	limit := p.Timeout()
	if stuck {
		limit = min(limit, pausePatience)
	}
	wait := c.Session.WaitOrListen
	if p.Action == "pause" {
		wait = c.Session.Wait
	}
	st, err := wait(ctx, limit)
	if err != nil {
		return nil, err
	}
	a := arrival{quiet: !p.CollectOutput}
	if target, err := c.Session.ResolveLocation(p.JumpTarget); p.Action == "jump" && err == nil {
		a.line = target.Line
	}
	if stuck = stuck && st.Status == session.Running && limit > 0; stuck {
		a.note = "it pauses as soon as one of its threads comes back from the call that it is in; inspect(threads) tells which"
	}
	env, err := h.view(ctx, c, a)
	if err == nil && stuck {
		threads := h.show(c.Session).call("inspect", "target", "threads").Why("where each thread is, and what it waits for")
		env.NextSteps = before(threads, env.NextSteps)
	}
	return env, err
}

// before puts a step in front of the first that a view suggests; where it suggests
// none, the program has come to a stop meanwhile.
func before(step responses.NextStep, suggested []responses.NextStep) []responses.NextStep {
	if len(suggested) == 0 {
		return nil
	}
	return []responses.NextStep{step, suggested[0]}
}

// pausePatience bounds the wait for a pause where the adapter can tell what
// keeps the program from it.
const pausePatience = 3 * time.Second

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
