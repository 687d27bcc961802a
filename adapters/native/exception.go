package native

import (
	"context"

	"aidb-mcp/adapters"
)

// ReadStop finds out whether a stop is about an exception that was thrown.
func (d *lldbDialect) ReadStop(_ context.Context, _ adapters.Caller, stop adapters.Stop) adapters.Stop {
	return stop
}

// ReadStop finds out the signal or the exception of a stop.
func (d *gdbDialect) ReadStop(_ context.Context, _ adapters.Caller, stop adapters.Stop) adapters.Stop {
	return stop
}
