package delve

import (
	"context"
	"path/filepath"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/wire"
)

// Digest lists all goroutines, at most 10,000.
func (d *local) Digest(ctx context.Context, c adapters.Caller, depth int) (adapters.Digest, error) {
	var body wire.DigestBody
	if err := c.Call(ctx, wire.Digest, wire.DigestArgs{Depth: depth}, &body); err != nil {
		return adapters.Digest{}, err
	}
	states := make([]adapters.ThreadState, len(body.Goroutines))
	for i, g := range body.Goroutines {
		states[i] = d.threadState(g)
	}
	return adapters.Digest{Threads: states, Scheduled: body.Scheduled}, nil
}

// Blocked tells which goroutines wait, what for, and who holds that.
func (*local) Blocked(ctx context.Context, c adapters.Caller) (adapters.Waits, error) {
	var body wire.WaitsBody
	err := c.Call(ctx, wire.Waits, struct{}{}, &body)
	return body, err
}

func (d *local) threadState(g wire.Goroutine) adapters.ThreadState {
	s := adapters.ThreadState{
		ID:      int(g.ID),
		Waiting: g.Waiting,
		Since:   time.Duration(g.SinceNS),
		Object:  g.Object,
		Endless: g.Endless,
		Labels:  g.Labels,
		System:  g.System,
		Frames:  make([]godap.StackFrame, len(g.Frames)),
	}
	for i, f := range g.Frames {
		s.Frames[i] = godap.StackFrame{Name: f.Function, Line: f.Line}
		if f.File != "" {
			s.Frames[i].Source = &godap.Source{Name: filepath.Base(f.File), Path: f.File}
		}
		s.Frames[i] = d.Frame(s.Frames[i])
	}
	if len(g.Frames) > 0 {
		s.Name = s.Frames[0].Name
	}
	return s
}

// Lines finds where a breakpoint near a line would bind.
func (*local) Lines(ctx context.Context, c adapters.Caller, file string, line, n int) ([]int, error) {
	var body wire.LinesBody
	err := c.Call(ctx, wire.Lines, wire.LinesArgs{File: file, Line: line, Count: n}, &body)
	return body.Lines, err
}

// Functions finds functions with a like name.
func (*local) Functions(ctx context.Context, c adapters.Caller, name string, n int) ([]string, error) {
	var body wire.FunctionsBody
	err := c.Call(ctx, wire.Functions, wire.FunctionsArgs{Name: name, Count: n}, &body)
	return body.Functions, err
}

// Place is where Delve would put the breakpoint of a function.
func (*local) Place(ctx context.Context, c adapters.Caller, function, file string) (adapters.Place, error) {
	var body wire.PlaceBody
	err := c.Call(ctx, wire.Place, wire.PlaceArgs{Function: function, File: file}, &body)
	return adapters.Place(body), err
}

// Jump stays within the function.
func (*local) Jump(ctx context.Context, c adapters.Caller, thread int, file string, line int) error {
	return c.Call(ctx, wire.Jump, wire.JumpArgs{Goroutine: thread, File: file, Line: line}, nil)
}

// Memory may answer with less than was asked for, when what follows cannot be read.
func (*local) Memory(ctx context.Context, c adapters.Caller, address uint64, length int) ([]byte, error) {
	var body wire.MemoryBody
	err := c.Call(ctx, wire.Memory, wire.MemoryArgs{Address: address, Length: length}, &body)
	return body.Data, err
}

// Registers are the general ones.
func (*local) Registers(ctx context.Context, c adapters.Caller, thread, frame int) ([]godap.Variable, error) {
	var body wire.VariablesBody
	err := c.Call(ctx, wire.Registers, wire.FrameArgs{Goroutine: thread, Frame: frame}, &body)
	return body.Variables, err
}

// Globals are those of the frame's package, or of all packages by filter.
func (d *local) Globals(ctx context.Context, c adapters.Caller, thread, frame int, filter string) ([]godap.Variable, error) {
	var body wire.VariablesBody
	args := wire.GlobalsArgs{FrameArgs: wire.FrameArgs{Goroutine: thread, Frame: frame}, Filter: filter}
	err := c.Call(ctx, wire.Globals, args, &body)
	return d.Variables("", body.Variables), err
}

// Set leaves texts, which want a call, to Delve's session, or where that does not
// list them to Assignment.
func (*local) Set(ctx context.Context, c adapters.Caller, at adapters.FrameRef, name, value string) (done bool, err error) {
	var body wire.SetBody
	args := wire.SetArgs{FrameArgs: wire.FrameArgs{Goroutine: at.Thread, Frame: at.Rank}, Name: name, Value: value}
	err = c.Call(ctx, wire.Set, args, &body)
	return body.Done, err
}

// Returned is empty unless the goroutine has just stepped out.
func (d *local) Returned(ctx context.Context, c adapters.Caller, thread int) ([]godap.Variable, error) {
	var body wire.VariablesBody
	err := c.Call(ctx, wire.Returned, wire.ReturnedArgs{Goroutine: thread}, &body)
	return d.Variables("", body.Variables), err
}

// Modules are those of Go, the main one first.
func (*local) Modules(ctx context.Context, c adapters.Caller, filter string) ([]godap.Module, error) {
	var body wire.ModulesBody
	err := c.Call(ctx, wire.Modules, wire.ModulesArgs{Filter: filter}, &body)
	return body.Modules, err
}
