package native

import (
	"context"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/native/build"
)

var _ adapters.WaitTeller = (*common)(nil)

// Waits asks our script, which reads the locks of the C library.
func (c *common) Waits(ctx context.Context, caller adapters.Caller) (map[int]adapters.ThreadState, error) {
	if c.lang != build.CPP {
		return nil, nil
	}
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
