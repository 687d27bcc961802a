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
func (d *dialect) Sides(ctx context.Context, c adapters.Caller, thread int) (sides adapters.Sides, err error) {
	err = d.askAboutException(ctx, c, thread, "aidb_sides", &sides)
	return sides, err
}

// Origin knows of an exception that was raised again where: see raising.py.
func (d *dialect) Origin(ctx context.Context, c adapters.Caller, thread int) (origin adapters.Origin, err error) {
	err = d.askAboutException(ctx, c, thread, "aidb_origin", &origin)
	return origin, err
}

// askAboutException asks a function of raising.py about the exception that a thread stands at.
func (d *dialect) askAboutException(ctx context.Context, c adapters.Caller, thread int, function string, answer any) error {
	if d.home == "" { // the adapter is not ours
		return nil
	}
	var stack godap.StackTraceResponseBody
	if err := c.Call(ctx, "stackTrace", godap.StackTraceArguments{ThreadId: thread, Levels: 1}, &stack); err != nil || len(stack.StackFrames) == 0 {
		return err
	}
	result, err := evaluate(ctx, c, stack.StackFrames[0].Id,
		`__import__("sys").modules["_pydevd_bundle.pydevd_constants"].`+function+`(__exception__[1])`)
	if err != nil {
		return err
	}
	text, err := hex.DecodeString(strings.Trim(result, `'"`))
	if err != nil {
		return err
	}
	return json.Unmarshal(text, answer)
}
