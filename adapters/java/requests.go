package java

import (
	"context"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
)

// Lines asks the bridge, which reads the compiled classes.
func (*dialect) Lines(ctx context.Context, c adapters.Caller, file string, line, n int) ([]int, error) {
	var body struct {
		Lines []int `json:"lines"`
	}
	err := c.Call(ctx, "aidb/lines", linesArguments{File: file, Line: line, Count: n}, &body)
	return body.Lines, err
}

type linesArguments struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	Count int    `json:"count"`
}

// Functions names methods like the one that was asked for.
func (*dialect) Functions(ctx context.Context, c adapters.Caller, name string, n int) ([]string, error) {
	var body struct {
		Functions []string `json:"functions"`
	}
	err := c.Call(ctx, "aidb/functions", functionsArguments{Name: name, Count: n}, &body)
	return body.Functions, err
}

type functionsArguments struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Digest asks for all threads at once: names, stacks, what they wait for.
func (*dialect) Digest(ctx context.Context, c adapters.Caller, depth int) (adapters.Digest, error) {
	var body struct {
		Threads []struct {
			ID      int                `json:"id"`
			Name    string             `json:"name"`
			System  bool               `json:"system"`
			Waiting string             `json:"waiting"`
			Object  string             `json:"object"`
			Held    bool               `json:"held"`
			Endless bool               `json:"endless"`
			Frames  []godap.StackFrame `json:"frames"`
		} `json:"threads"`
	}
	if err := c.Call(ctx, "aidb/threads", levels{depth}, &body); err != nil {
		return adapters.Digest{}, err
	}
	states := make([]adapters.ThreadState, len(body.Threads))
	for i, t := range body.Threads {
		states[i] = adapters.ThreadState{ID: t.ID, Name: t.Name, System: t.System, Waiting: t.Waiting, Object: t.Object, Held: t.Held, Endless: t.Endless, Frames: t.Frames}
	}
	return adapters.Digest{Threads: states}, nil
}

type levels struct {
	Levels int `json:"levels"`
}

// Returned asks what the method returned that was stepped out of.
func (*dialect) Returned(ctx context.Context, c adapters.Caller, _ int) ([]godap.Variable, error) {
	var body godap.VariablesResponseBody
	err := c.Call(ctx, "aidb/returned", struct{}{}, &body)
	return body.Variables, err
}

// Sides asks for the two values of an expectation, at a stop on its failure.
func (*dialect) Sides(ctx context.Context, c adapters.Caller, _ int) (adapters.Sides, error) {
	var body struct {
		Expected, Actual, From string
		ExpectedAt, ActualAt   int
	}
	err := c.Call(ctx, "aidb/sides", struct{}{}, &body)
	return adapters.Sides{Expected: body.Expected, Actual: body.Actual, From: body.From, ExpectedAt: body.ExpectedAt, ActualAt: body.ActualAt}, err
}

// Origin asks where the exception was thrown first at which the program stands: the bridge
// has seen each throw.
func (*dialect) Origin(ctx context.Context, c adapters.Caller, _ int) (adapters.Origin, error) {
	var origin adapters.Origin
	err := c.Call(ctx, "aidb/origin", struct{}{}, &origin)
	return origin, err
}

// Patch compiles the code into its class and redefines that in the running program. A compiler
// takes longer than what else is asked of the bridge.
func (*dialect) Patch(ctx context.Context, c adapters.Caller, _, frame int, p adapters.Patch) (adapters.Patched, error) {
	var body struct {
		Name  string   `json:"name"`
		Notes []string `json:"notes"`
	}
	ctx, cancel := context.WithTimeoutCause(ctx, compileLimit, fault.New(fault.AdapterTimeout, "the code was not compiled within %s", compileLimit).
		WithHint("the program stands where it stood: try again, or edit the source and session(action: restart)"))
	defer cancel()
	err := c.Send("aidb/patch", patchArguments{frame, p.Name, p.Code, p.File}).WaitOpen(ctx, &body)
	return adapters.Patched{Name: body.Name, Notes: body.Notes}, err
}

type patchArguments struct {
	Frame int    `json:"frameId"`
	Name  string `json:"name"`
	Code  string `json:"code"`
	File  string `json:"file"`
}
