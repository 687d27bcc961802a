package native

import (
	"context"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
)

// AdapterDataID asks the adapter how it names the memory of a variable, and has our script end
// the watch when the call ends whose variable it is: LLDB would go on to watch what the
// next call has there.
func (d *lldbDialect) AdapterDataID(ctx context.Context, c adapters.Caller, thread, frame int, expression string) (string, error) {
	var stack godap.StackTraceResponseBody
	if err := c.Call(ctx, "stackTrace", godap.StackTraceArguments{ThreadId: thread, StartFrame: frame, Levels: 1}, &stack); err != nil {
		return "", err
	}
	if len(stack.StackFrames) == 0 {
		return "", fault.New(fault.InvalidFrame, "thread %d has no frame %d", thread, frame)
	}
	var body godap.DataBreakpointInfoResponseBody
	args := godap.DataBreakpointInfoArguments{Name: expression, FrameId: stack.StackFrames[0].Id}
	if err := c.Call(ctx, "dataBreakpointInfo", args, &body); err != nil {
		return "", err
	}
	id, ok := body.DataId.(string)
	if !ok || id == "" {
		return "", fault.New(fault.Breakpoint, "%s", body.Description)
	}
	return id, d.endWithCall(ctx, c, thread, frame, expression)
}

// endWithCall has a watch that is about to be set end with the call whose variable it
// is; that of a variable which outlives the call does not end.
func (d *lldbDialect) endWithCall(ctx context.Context, c adapters.Caller, thread, frame int, expression string) error {
	return d.ask(ctx, c, nil, "scope", thread, frame, expression)
}
