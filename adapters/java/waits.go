package java

import (
	"context"

	"aidb-mcp/adapters"
)

// Blocked asks the bridge who waits for what: see its Waits.java.
func (*dialect) Blocked(ctx context.Context, c adapters.Caller) (adapters.Waits, error) {
	var waits adapters.Waits
	err := c.Call(ctx, "aidb/waits", struct{}{}, &waits)
	return waits, err
}
