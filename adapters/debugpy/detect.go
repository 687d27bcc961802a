package debugpy

import (
	"context"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
)

// Detect says that Python has no detectors, and what there is in place of them.
func (a *adapter) Detect(_ context.Context, _ adapters.Request, s adapters.Sought, _ func(string)) (*adapters.Detected, error) {
	switch s {
	case adapters.Races:
		return nil, fault.New(fault.NotSupported, "CPython has no race detector: nothing here sees two threads that use an object without a lock").WithField("check").
			WithHint(`{"repeat":20} runs it until it fails; trace(what: writes) of the shared variable shows which thread writes it, and after whom`)
	case adapters.Memory:
		return nil, fault.New(fault.NotSupported, "Python code cannot misuse memory; for a crash in a native extension there is no detector here").WithField("check").
			WithHint(`without check, with env {"PYTHONFAULTHANDLER":"1","PYTHONMALLOC":"debug"}: the interpreter then prints the Python stack of a crash, and ends at misused memory of its own`)
	}
	return nil, fault.New(fault.NotSupported, "Python defines what its code does: there is no undefined behavior to look for").WithField("check").
		WithHint("ask without check")
}
