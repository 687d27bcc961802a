package native

import (
	"context"

	"aidb-mcp/adapters"
)

// Waits asks our script, which reads the locks of the C library, and knows Rust's by name.
func (c *common) Waits(ctx context.Context, caller adapters.Caller) (map[int]adapters.ThreadState, error) {
	var threads []struct {
		ID      int    `json:"id"`
		Waiting string `json:"waiting"`
		Object  string `json:"object"`
		Held    bool   `json:"held"`
	}
	if err := c.ask(ctx, caller, &threads, "waits"); err != nil {
		return nil, err
	}
	waits := make(map[int]adapters.ThreadState, len(threads))
	for _, w := range threads {
		waits[w.ID] = adapters.ThreadState{ID: w.ID, Waiting: w.Waiting, Object: w.Object, Held: w.Held}
	}
	return waits, nil
}

// Blocked asks our script who waits for what, who holds that, and where it was taken.
func (c *common) Blocked(ctx context.Context, caller adapters.Caller) (adapters.Waits, error) {
	var waits adapters.Waits
	err := c.ask(ctx, caller, &waits, "blocked")
	return waits, err
}
