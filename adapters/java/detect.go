package java

import (
	"context"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
)

// Detect says that the JVM has no detectors, and what there is in place of them.
func (a *adapter) Detect(_ context.Context, _ adapters.Request, s adapters.Sought, _ func(string)) (*adapters.Detected, error) {
	switch s {
	case adapters.Races:
		return nil, fault.New(fault.NotSupported, "the JVM has no race detector: nothing here sees two threads that use a field without an order").WithField("check").
			WithHint(`{"repeat":20} runs it until it fails; trace(what: writes) of the field shows which threads write it, and in which order`)
	case adapters.Memory:
		return nil, fault.New(fault.NotSupported, "Java code cannot misuse memory; misuse by native methods is found by the JVM itself, which prints it and has no report to take apart").WithField("check").
			WithHint(`without check, with env {"JAVA_TOOL_OPTIONS":"-Xcheck:jni"}: what it finds is in the program's output`)
	}
	return nil, fault.New(fault.NotSupported, "Java defines what its code does: there is no undefined behavior to look for").WithField("check").
		WithHint("ask without check")
}
