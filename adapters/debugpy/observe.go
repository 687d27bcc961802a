package debugpy

import (
	"context"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
)

// planObserve refuses a session without a debugger: nothing else of ours can be put into a running
// Python program.
func (a *adapter) planObserve(_ context.Context, j *job) (*adapters.Plan, error) {
	return nil, fault.New(fault.NotSupported, "a running Python program is not observed without its debugger, by which what records is put into it").WithField("adapter_options").
		WithHint(`session_start {"mode":"attach","pid":%d} puts that in (it holds the program up for some seconds, once); then trace(arm) records while the program runs`, j.PID)
}
