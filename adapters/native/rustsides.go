package native

import (
	"context"

	"aidb-mcp/adapters"
)

// Sides are the arguments of what a failed assert_eq! or assert_ne! of Rust calls.
func (d *common) Sides(ctx context.Context, c adapters.Caller, thread int) (adapters.Sides, error) {
	var told struct{ Left, Right string }
	if err := d.ask(ctx, c, &told, "sides", thread); err != nil || told.Left == "" {
		return adapters.Sides{}, err
	}
	return adapters.Sides{Left: told.Left, Right: told.Right, From: "the arguments of the assertion's function"}, nil
}
