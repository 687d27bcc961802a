package jsdebug

import (
	"context"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
)

// Detect says that JavaScript has no detectors, and what there is in place of them.
func (a *adapter) Detect(_ context.Context, _ adapters.Request, s adapters.Check, _ func(string)) (*adapters.Detected, error) {
	if s == adapters.Races {
		return nil, fault.New(fault.NotSupported, "JavaScript runs one statement at a time, and V8 has no race detector for what workers share in a SharedArrayBuffer").WithField("check").
			WithHint(`where the order of awaited calls matters: {"repeat":20} runs it until it fails, trace(what: writes) of the shared variable shows the order`)
	}
	return nil, fault.New(fault.NotSupported, "JavaScript code cannot misuse memory and has no undefined behavior; there is no detector for native addons here").WithField("check").
		WithHint("ask without check")
}
