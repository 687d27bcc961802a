package handlers

import (
	"context"

	"aidb-mcp/internal/fault"
	"aidb-mcp/investigate/recorded"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// subject is what is to be run: the start that was asked for, else that of the
// session.
func (h *Handlers) subject(ctx context.Context, c *Call, p *tools.Start) (*session.Session, error) {
	if !p.Given() {
		if c.Session == nil {
			return nil, fault.New(fault.MissingParam, "nothing says what is to be run").WithField("target").
				WithHint("give target or test as in session_start, or session_id of a session whose start is to be made again")
		}
		return c.Session, nil
	}
	full, err := tools.StartParams(p)
	if err != nil {
		return nil, err
	}
	b, err := h.starts().applyLaunchConfig(ctx, c, full)
	if err != nil {
		return nil, err
	}
	return h.Sessions.Prospect(b.with(h.starts().request(full)))
}

// runs makes runs under a recorder for a call.
func (h *Handlers) runs(c *Call) recorded.Runs {
	return recorded.Runs{Sessions: h.Sessions, Tell: func(doing string) { c.tell(doing, 0, 0) }}
}
