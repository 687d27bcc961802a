package ruby

import (
	"context"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
)

// Returned is what the function gave back that a step has left.
func (*dialect) Returned(ctx context.Context, c adapters.Caller, thread int) ([]godap.Variable, error) {
	var body godap.VariablesResponseBody
	err := c.Call(ctx, "aidb/returned", godap.ExceptionInfoArguments{ThreadId: thread}, &body)
	return body.Variables, err
}

// Arguments are the names of those of a frame's method or block.
func (*dialect) Arguments(ctx context.Context, c adapters.Caller, thread, frame int) ([]string, error) {
	var body struct {
		Names []string `json:"names"`
	}
	err := c.Call(ctx, "aidb/arguments", struct {
		Thread int `json:"threadId"`
		Frame  int `json:"frame"`
	}{thread, frame}, &body)
	return body.Names, err
}

// Lines are those that can hold a breakpoint: the file is compiled for that, and not run.
func (*dialect) Lines(ctx context.Context, c adapters.Caller, file string, line, n int) ([]int, error) {
	var body struct {
		Lines []int `json:"lines"`
	}
	err := c.Call(ctx, "aidb/lines", struct {
		Path  string `json:"path"`
		Line  int    `json:"line"`
		Count int    `json:"count"`
	}{file, line, n}, &body)
	return body.Lines, err
}

// Digest lists the threads with their stacks, also of those that wait outside of Ruby.
func (d *dialect) Digest(ctx context.Context, c adapters.Caller, depth int) (adapters.Digest, error) {
	var body struct {
		Threads []struct {
			ID     int                `json:"id"`
			Name   string             `json:"name"`
			Status string             `json:"status"`
			Frames []godap.StackFrame `json:"frames"`
		} `json:"threads"`
	}
	if err := c.Call(ctx, "aidb/digest", struct {
		Depth int `json:"depth"`
	}{depth}, &body); err != nil {
		return adapters.Digest{}, err
	}
	var digest adapters.Digest
	for _, t := range body.Threads {
		state := adapters.ThreadState{ID: t.ID, Name: t.Name, Frames: t.Frames}
		if t.Status == "sleep" || t.Status == "sleep_forever" {
			state.Waiting = d.waits(t.Frames)
		}
		digest.Threads = append(digest.Threads, state)
	}
	return digest, nil
}

// waits says what a thread that sleeps waits for, as far as its frames tell.
func (*dialect) waits(frames []godap.StackFrame) string {
	if len(frames) == 0 {
		return "something outside of Ruby"
	}
	for _, w := range waiting {
		if frames[0].Name == w.name {
			return w.what
		}
	}
	return "something outside of Ruby"
}

// waiting are Ruby's own functions that wait.
var waiting = []struct{ name, what string }{
	{"pop", "an item in a queue"}, {"shift", "an item in a queue"}, {"join", "the end of a thread (join)"}, {"value", "the end of a thread (value)"},
	{"sleep", "a timer (sleep)"}, {"lock", "a mutex"}, {"synchronize", "a mutex"}, {"wait", "a condition variable"},
	{"gets", "input"}, {"read", "input"}, {"readpartial", "input"}, {"select", "input, output or a timer (select)"}, {"accept", "a connection"},
}

// Patch evaluates the new definition in the program, within the class that the name says.
func (*dialect) Patch(ctx context.Context, c adapters.Caller, thread, _ int, p adapters.Patch) (adapters.Patched, error) {
	var done struct {
		Name  string   `json:"name"`
		Notes []string `json:"notes"`
	}
	err := c.Call(ctx, "aidb/patch", struct {
		Thread int    `json:"threadId"`
		Name   string `json:"name"`
		Code   string `json:"code"`
		File   string `json:"file"`
	}{thread, p.Name, p.Code, p.File}, &done)
	return adapters.Patched{Name: done.Name, Notes: done.Notes}, err
}

// Sides are what the framework's own function was given that has failed, or the fields of the
// error: see boot/tests.rb.
func (*dialect) Sides(ctx context.Context, c adapters.Caller, thread int) (sides adapters.Sides, err error) {
	err = c.Call(ctx, "aidb/sides", godap.ExceptionInfoArguments{ThreadId: thread}, &sides)
	return sides, err
}
