package jsdebug

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

// thrown is an error as the hook tells it.
type thrown struct {
	Type    string `json:"type"`
	Message string `json:"message"`
	Stack   string `json:"stack"`

	Sides adapters.Sides    `json:"sides"` // of an assertion, by the fields of the error
	First []adapters.Thrown `json:"first"` // where it was thrown first, of one that is thrown again
	Made  *adapters.Thrown  `json:"made"`  // where it was made, of one that is thrown again nobody knows from where
}

// hookReport is what the hook has told at the stop of a thread.
type hookReport struct {
	caller adapters.Caller
	thread int
	chain  []thrown
}

// Exception tells type, message, stack and causes apart. The hook knows them;
// without it they are read from what js-debug says.
func (d *dialect) Exception(ctx context.Context, c adapters.Caller, thread int, said *godap.ExceptionInfoResponseBody) (*godap.ExceptionDetails, error) {
	chain := d.thrownAt(ctx, c, thread)
	d.remember(chain)
	if len(chain) > 0 {
		return details(chain), nil
	}
	if said == nil {
		return nil, nil
	}
	one := parseThrown(said.ExceptionId)
	if said.Details != nil {
		one.Stack = said.Details.StackTrace
	}
	return details([]thrown{one}), nil
}

var typed = pattern.New(`^\w*(?:Error|Exception)\b`)

// parseThrown takes the type and the message from an error's text. A SyntaxError comes with the
// place before it; messages of others may have empty lines too.
func parseThrown(text string) thrown {
	if at := strings.LastIndex(text, "\n\n"); at >= 0 && typed.MatchString(text[at+2:]) {
		text = text[at+2:]
	}
	one := thrown{Type: strings.TrimSpace(text)}
	if name, message, ok := strings.Cut(one.Type, ": "); ok {
		name, _, _ = strings.Cut(name, " [") // its code
		one.Type, one.Message = name, message
	}
	return one
}

// remember keeps where the error of the last stop was thrown first.
func (d *dialect) remember(chain []thrown) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.origin = adapters.Origin{}
	if len(chain) == 0 {
		return
	}
	for _, f := range chain[0].First {
		f.Function = d.Frame(godap.StackFrame{Name: f.Function}).Name
		d.origin.First = append(d.origin.First, f)
	}
	if made := chain[0].Made; made != nil {
		made.Function = d.Frame(godap.StackFrame{Name: made.Function}).Name
		d.origin.Made = made
	}
}

// Origin is where an error was thrown first that is thrown again where the program stands,
// as far as is known: see hook/origin.cjs.
func (d *dialect) Origin(context.Context, adapters.Caller, int) (adapters.Origin, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.origin, nil
}

// Sides are those that the error itself has: see the hook.
func (d *dialect) Sides(ctx context.Context, c adapters.Caller, thread int) (adapters.Sides, error) {
	if chain := d.thrownAt(ctx, c, thread); len(chain) > 0 {
		return chain[0].Sides, nil
	}
	return adapters.Sides{}, nil
}

// thrownAt is what the hook tells of the error at which a thread has stopped. It tells it
// once, so that it is kept until the thread stops again.
func (d *dialect) thrownAt(ctx context.Context, c adapters.Caller, thread int) []thrown {
	d.mu.Lock()
	for _, s := range d.sightings {
		if s.caller == c && s.thread == thread {
			d.mu.Unlock()
			return s.chain
		}
	}
	d.mu.Unlock()
	chain := d.describe(ctx, c, thread)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sightings = append(d.sightings, hookReport{c, thread, chain})
	return chain
}

// forget is called when a thread stops again.
func (d *dialect) forget(thread int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sightings = slices.DeleteFunc(d.sightings, func(s hookReport) bool { return s.thread == thread })
}

// describe asks the hook, in the frame that the error was thrown in.
func (d *dialect) describe(ctx context.Context, c adapters.Caller, thread int) (chain []thrown) {
	if d.attached {
		return nil
	}
	var trace godap.StackTraceResponseBody
	if c.Call(ctx, "stackTrace", godap.StackTraceArguments{ThreadId: thread, Levels: 1}, &trace) != nil || len(trace.StackFrames) == 0 {
		return nil
	}
	var value godap.EvaluateResponseBody
	ask := evaluation{Expression: describe, FrameID: trace.StackFrames[0].Id, Context: "clipboard"}
	if c.Call(ctx, "evaluate", ask, &value) != nil {
		return nil
	}
	var text string // a JSON text, told as a JSON string
	if json.Unmarshal([]byte(value.Result), &text) == nil {
		_ = json.Unmarshal([]byte(text), &chain)
	}
	return chain
}

// evaluation is an evaluate request; the frame's id may be 0.
type evaluation struct {
	Expression string `json:"expression"`
	FrameID    int    `json:"frameId"`
	Context    string `json:"context"`
}

// details nests the causes.
func details(chain []thrown) *godap.ExceptionDetails {
	e := &godap.ExceptionDetails{TypeName: chain[0].Type, Message: chain[0].Message, StackTrace: userStack(chain[0].Stack)}
	if len(chain) > 1 {
		e.InnerException = []godap.ExceptionDetails{*details(chain[1:])}
	}
	return e
}

// userStack leaves the lines of a stack that are the user's own.
func userStack(stack string) string {
	var kept []string
	for line := range strings.Lines(stack) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "at ") || strings.Contains(line, "node:") || strings.Contains(line, "node_modules") ||
			strings.Contains(line, "(<anonymous>)") || strings.Contains(line, hookName) {
			continue
		}
		kept = append(kept, strings.ReplaceAll(line, "file://", ""))
	}
	return strings.Join(kept, "\n")
}
