package ruby

import (
	"context"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
)

// Detect says that Ruby has no detectors, and what there is in place of them.
func (a *adapter) Detect(_ context.Context, _ adapters.Request, s adapters.Check, _ func(string)) (*adapters.Detected, error) {
	if s == adapters.Races {
		return nil, fault.New(fault.NotSupported, "Ruby has no race detector: nothing here sees two threads that use an object without a lock").WithField("check").
			WithHint(`{"repeat":20} runs it until it fails; trace(what: writes) of the shared variable shows who writes it`)
	}
	return nil, fault.New(fault.NotSupported, "Ruby code cannot misuse memory and has no undefined behavior; there is no detector for native extensions here").WithField("check").
		WithHint("ask without check")
}
