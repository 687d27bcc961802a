package debugpy

import (
	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
)

// Advertise says what the installed version of debugpy can do; it tells it
// itself only when it runs.
func (*adapter) Advertise() (adapters.Advertised, error) {
	d := &dialect{base: plainBase()}
	caps := godap.Capabilities{
		SupportsCompletionsRequest:        true,
		SupportsConditionalBreakpoints:    true,
		SupportsConfigurationDoneRequest:  true,
		SupportsDelayedStackTraceLoading:  true,
		SupportsEvaluateForHovers:         true,
		SupportsExceptionInfoRequest:      true,
		SupportsExceptionOptions:          true,
		SupportsGotoTargetsRequest:        true,
		SupportsHitConditionalBreakpoints: true,
		SupportsLogPoints:                 true,
		SupportsModulesRequest:            true,
		SupportsSetExpression:             true,
		SupportsSetVariable:               true,
		SupportsStepInTargetsRequest:      true,
		SupportsTerminateRequest:          true,
		ExceptionBreakpointFilters: []godap.ExceptionBreakpointsFilter{
			{Filter: "raised", Label: "Raised Exceptions"},
			{Filter: "uncaught", Label: "Uncaught Exceptions", Default: true},
			{Filter: "userUnhandled", Label: "User Uncaught Exceptions"},
		},
	}
	d.Correct(&caps)
	return adapters.Advertised{Protocol: caps, Capabilities: d.Capabilities()}, nil
}
