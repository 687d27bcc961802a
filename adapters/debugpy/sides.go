package debugpy

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
)

// Sides reads the arguments of the framework's function that raised: see raising.py.
// What a bare assert compares is read from its expression, and no message is.
func (d *dialect) Sides(ctx context.Context, c adapters.Caller, thread int) (adapters.Sides, error) {
	var sides adapters.Sides
	if d.home == "" { // the adapter is not ours
		return sides, nil
	}
	var stack godap.StackTraceResponseBody
	if err := c.Call(ctx, "stackTrace", godap.StackTraceArguments{ThreadId: thread, Levels: 1}, &stack); err != nil || len(stack.StackFrames) == 0 {
		return sides, err
	}
	result, err := evaluate(ctx, c, stack.StackFrames[0].Id,
		`__import__("sys").modules["_pydevd_bundle.pydevd_constants"].aidb_sides(__exception__[1])`)
	if err != nil {
		return sides, err
	}
	text, err := hex.DecodeString(strings.Trim(result, `'"`))
	if err != nil {
		return sides, err
	}
	return sides, json.Unmarshal(text, &sides)
}
