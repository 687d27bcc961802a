package debugpy

import (
	"context"
	"slices"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/debugpy/project/pysrc"
	"aidb-mcp/internal/system/boundedfile"
)

// Exception reads the chain of causes: what raised the exception, and what was
// being handled when it was raised.
func (d *dialect) Exception(ctx context.Context, c adapters.Caller, thread int, said *godap.ExceptionInfoResponseBody) (*godap.ExceptionDetails, error) {
	if said == nil || said.Details == nil {
		return nil, nil
	}
	said.Description = ownMessage(said.Description)
	details := *said.Details
	details.Message = ownMessage(details.Message)
	details.StackTrace = strings.ReplaceAll(details.StackTrace, current, "")
	details.TypeName = escaped.ReplaceAllString(details.TypeName, "")
	details.FullTypeName = strings.TrimPrefix(details.TypeName, "builtins.")
	chain, own := splitChain(details.StackTrace)
	details.StackTrace = foldLibraries(own)
	if d.home != "" { // the adapter is ours
		if more, err := d.readOmitted(ctx, c, thread); err == nil {
			details.Message += more.listExceptions()
			details.StackTrace += more.place()
			chain = append(chain, more.remoteCause()...)
		}
	}
	inner := &details.InnerException
	for _, cause := range chain {
		*inner = []godap.ExceptionDetails{cause}
		inner = &(*inner)[0].InnerException
	}
	return &details, nil
}

// ownMessage is the message of an exception, empty for one without which debugpy has words
// of its own.
func ownMessage(message string) string {
	if message == "exception: no description" {
		return ""
	}
	return message
}

// passing is an expression that says whether the exception comes from a deeper
// frame of the user's, in which it has stopped before.
const passing = `(lambda f, t: f(f, t))(lambda f, t: t is not None and (not any(p in t.tb_frame.f_code.co_filename.replace("\\", "/") ` +
	`for p in ("/lib/python", "/site-packages/", "/Lib/", "<frozen")) or f(f, t.tb_next)), __exception__[2].tb_next)`

// ReadStop lets an exception go that has stopped where it was raised: debugpy
// stops again in each frame that it passes through.
func (d *dialect) ReadStop(ctx context.Context, c adapters.Caller, stop adapters.Stop) adapters.Stop {
	if stop.Reason != "exception" {
		return stop // asked for an exception that is not there, debugpy complains in the program's stderr
	}
	var info godap.ExceptionInfoResponseBody
	var stack godap.StackTraceResponseBody
	asked := c.Send("exceptionInfo", godap.ExceptionInfoArguments{ThreadId: stop.ThreadID})
	if err := c.Call(ctx, "stackTrace", godap.StackTraceArguments{ThreadId: stop.ThreadID, Levels: 1}, &stack); err != nil || len(stack.StackFrames) == 0 {
		return stop
	}
	if err := asked.Wait(ctx, &info); err != nil {
		return stop
	}
	if info.BreakMode != "always" {
		return stop
	}
	if answer, err := evaluate(ctx, c, stack.StackFrames[0].Id, passing); err == nil && answer == "True" {
		stop.Resume = true
	}
	return stop
}

// links are the lines between the parts of a chained traceback.
var links = []string{
	"\nThe above exception was the direct cause of the following exception:\n\n",
	"\nDuring handling of the above exception, another exception occurred:\n\n",
}

// splitChain takes a traceback apart: the exception's own, and its causes, the
// nearest first.
func splitChain(stack string) (chain []godap.ExceptionDetails, own string) {
	parts := []string{stack}
	for _, link := range links {
		var next []string
		for _, part := range parts {
			next = append(next, strings.Split(part, link)...)
		}
		parts = next
	}
	own = parts[len(parts)-1]
	for _, part := range slices.Backward(parts[:len(parts)-1]) {
		name, message, _ := strings.Cut(lastLine(part), ": ")
		name = strings.TrimSuffix(name, ":")
		chain = append(chain, godap.ExceptionDetails{TypeName: name, FullTypeName: name, Message: message, StackTrace: foldLibraries(part)})
	}
	return chain, own
}

// Arguments are read from the source of the frame's function.
func (*dialect) Arguments(ctx context.Context, c adapters.Caller, thread, frame int) ([]string, error) {
	var body godap.StackTraceResponseBody
	args := godap.StackTraceArguments{ThreadId: thread, StartFrame: frame, Levels: 1}
	if err := c.Call(ctx, "stackTrace", args, &body); err != nil || len(body.StackFrames) == 0 {
		return nil, err
	}
	f := body.StackFrames[0]
	if f.Source == nil {
		return nil, nil
	}
	text, err := boundedfile.ReadText(f.Source.Path)
	if err != nil {
		return nil, nil // the source is not here, so nothing is known of arguments
	}
	if in := pysrc.At(pysrc.Scan(string(text)), f.Line); in != nil && in.Name == f.Name {
		return in.Params, nil
	}
	return nil, nil
}

// Returned are the values that debugpy keeps in the frame that was returned to.
func (d *dialect) Returned(ctx context.Context, c adapters.Caller, thread int) ([]godap.Variable, error) {
	var stack godap.StackTraceResponseBody
	if err := c.Call(ctx, "stackTrace", godap.StackTraceArguments{ThreadId: thread, Levels: 1}, &stack); err != nil || len(stack.StackFrames) == 0 {
		return nil, err
	}
	var scopes godap.ScopesResponseBody
	if err := c.Call(ctx, "scopes", godap.ScopesArguments{FrameId: stack.StackFrames[0].Id}, &scopes); err != nil || len(scopes.Scopes) == 0 {
		return nil, err
	}
	var list godap.VariablesResponseBody
	if err := c.Call(ctx, "variables", godap.VariablesArguments{VariablesReference: scopes.Scopes[0].VariablesReference}, &list); err != nil {
		return nil, err
	}
	var values []godap.Variable
	for _, v := range list.Variables {
		if name, ok := strings.CutPrefix(v.Name, returned); ok {
			v.Name = name
			values = append(values, v)
		}
	}
	return values, nil
}
