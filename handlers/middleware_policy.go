package handlers

import (
	"context"

	"aidb-mcp/internal/fault"
)

// permit refuses what the policy forbids whatever the state of a session, before
// the call waits for one. One who looks may have nothing but what only shows something.
func (ch *callChain) permit(next Handler) Handler {
	return func(ctx context.Context, c *Call) (Result, error) {
		if c.isLook && !c.request.shows {
			return Result{}, fault.New(fault.Internal, "%s %s does more than look", c.Tool, c.Args)
		}
		if what := c.request.effect; what != "" {
			if err := ch.Policy.Change(what, "action"); err != nil {
				return Result{}, err
			}
		}
		return next(ctx, c)
	}
}
