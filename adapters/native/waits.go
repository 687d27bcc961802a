package native

import (
	"context"

	"aidb-mcp/adapters"
)

// Waits asks our script, which reads the locks of the C library, and knows Rust's by name.
func (c *common) Waits(ctx context.Context, caller adapters.Caller) (map[int]adapters.ThreadState, error) {
	var told []struct {
		ID      int    `json:"id"`
		Waiting string `json:"waiting"`
		Object  string `json:"object"`
		Held    bool   `json:"held"`
	}
	if err := c.ask(ctx, caller, &told, "waits"); err != nil {
		return nil, err
	}
	waits := make(map[int]adapters.ThreadState, len(told))
	for _, w := range told {
		waits[w.ID] = adapters.ThreadState{ID: w.ID, Waiting: w.Waiting, Object: w.Object, Held: w.Held}
	}
	return waits, nil
}

// Blocked asks our script who waits for what, who holds that, and where it was taken.
func (c *common) Blocked(ctx context.Context, caller adapters.Caller) (adapters.Waits, error) {
	var told adapters.Waits
	err := c.ask(ctx, caller, &told, "blocked")
	return told, err
}
