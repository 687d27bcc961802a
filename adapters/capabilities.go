package adapters

import (
	"context"

	"aidb-mcp/dap"
)

// Caller sends requests of an adapter's own kind.
type Caller interface {
	Call(ctx context.Context, command string, arguments, body any) error
	Send(command string, arguments any) *dap.Pending
}

// Capabilities are what an adapter can be asked beyond the protocol, and what is to be
// known of it, by subject. A function is nil where the debugger lacks it: the engine then
// takes the protocol's way, supplies the work itself, or says that it is impossible. The
// zero value is an adapter that keeps to the protocol and has nothing to add.
//
// What a client of DAP calls capabilities, the adapter's own answer to initialize, is
// godap.Capabilities.
type Capabilities struct {
	Start       Start
	Threads     Threads
	Stops       Stops
	Values      Values
	Breakpoints Breakpoints
	Exceptions  Exceptions
	Machine     Machine
	Output      Output
	Tests       Tests
	End         End
	Observing   Observing
	Profiling   Profiling
}
