package jsdebug

import (
	"context"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/system/boundedfile"
)

// onStatement is the reason of a stop that js-debug explains with a debugger
// statement, which is what it says of every pause that it cannot explain.
const onStatement = "debugger statement"

// ReadStop looks for the debugger statement. Where the line holds none it is
// node's own pause before a script runs, which js-debug resumes by itself
// unless the machine is busy: nobody has asked for it.
func (*dialect) ReadStop(ctx context.Context, c adapters.Caller, stop adapters.Stop) adapters.Stop {
	if stop.Reason != onStatement {
		return stop
	}
	var body godap.StackTraceResponseBody
	args := godap.StackTraceArguments{ThreadId: stop.ThreadID, Levels: 1}
	if err := c.Call(ctx, "stackTrace", args, &body); err != nil || len(body.StackFrames) == 0 {
		return stop
	}
	top := body.StackFrames[0]
	if top.Source == nil || top.Source.Path == "" || top.Source.SourceReference != 0 {
		return stop
	}
	text, found := boundedfile.Line(top.Source.Path, top.Line)
	stop.Resume = found && !strings.Contains(text, "debugger")
	return stop
}
