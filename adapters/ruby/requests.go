package ruby

import (
	"cmp"
	"context"
	"strings"

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
		if what, endless := waits(t.Frames); what != "" || strings.HasPrefix(t.Status, "sleep") {
			state.Waiting = cmp.Or(what, "something outside of Ruby")
			state.Endless = endless && t.Status != "sleep"
		}
		digest.Threads = append(digest.Threads, state)
	}
	return digest, nil
}

// waits says what a thread waits for, as far as its topmost frame tells, and whether only
// another thread of the program can end that.
func waits(frames []godap.StackFrame) (what string, endless bool) {
	if len(frames) == 0 {
		return "", false
	}
	name := strings.TrimPrefix(frames[0].Name, "[C] ")
	name = name[strings.LastIndexAny(name, "#.")+1:]
	for _, w := range waiting {
		if name == w.name {
			return w.what, w.endless
		}
	}
	return "", false
}

// waiting are Ruby's own functions that wait.
var waiting = []struct {
	name, what string
	endless    bool
}{
	{"pop", "an item in a queue", true}, {"shift", "an item in a queue", true}, {"deq", "an item in a queue", true}, {"push", "room in a queue", true},
	{"join", "the end of a thread (join)", true}, {"value", "the end of a thread (value)", true},
	{"lock", "a mutex", true}, {"synchronize", "a mutex", true}, {"wait", "a condition variable", true}, {"stop", "another thread to wake it", true},
	{"sleep", "a time to pass (sleep)", false},
	{"gets", "input", false}, {"read", "input", false}, {"readline", "input", false}, {"readpartial", "input", false}, {"getc", "input", false},
	{"select", "input, output or a timer (select)", false}, {"accept", "a connection", false}, {"wait2", "a process", false}, {"waitpid", "a process", false},
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
