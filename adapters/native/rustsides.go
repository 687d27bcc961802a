package native

import (
	"context"

	"aidb-mcp/adapters"
)

// Sides are the arguments of what a failed assert_eq! or assert_ne! of Rust calls.
func (d *common) Sides(ctx context.Context, c adapters.Caller, thread int) (adapters.Sides, error) {
	var sides struct{ Left, Right string }
	if err := d.ask(ctx, c, &sides, "sides", thread); err != nil || sides.Left == "" {
		return adapters.Sides{}, err
	}
	return adapters.Sides{Left: sides.Left, Right: sides.Right, From: "the arguments of the assertion's function"}, nil
}
