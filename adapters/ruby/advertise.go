package ruby

import (
	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
)

// Advertise says what our server in the program can do, as it says itself (boot/server.rb).
func (*adapter) Advertise() (adapters.Advertised, error) {
	d := newDialect()
	return adapters.Advertised{
		Protocol: godap.Capabilities{
			SupportsConfigurationDoneRequest: true, SupportsConditionalBreakpoints: true, SupportsExceptionInfoRequest: true,
			SupportsEvaluateForHovers: true, SupportsDelayedStackTraceLoading: true, SupportTerminateDebuggee: true, SupportsTerminateRequest: true,
			ExceptionBreakpointFilters: []godap.ExceptionBreakpointsFilter{
				{Filter: "raised", Label: "Raised exceptions"},
				{Filter: "uncaught", Label: "Uncaught exceptions", Default: true},
			},
		},
		Capabilities: d.Capabilities(),
	}, nil
}
