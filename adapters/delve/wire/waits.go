package wire

import "aidb-mcp/adapters"

// What goroutines wait for, as the session takes it.
type (
	WaitsBody = adapters.Waits
	Waiter    = adapters.Waiter
	Holder    = adapters.Holder
	Location  = adapters.Location
)
