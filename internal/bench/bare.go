package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os/exec"

	godap "github.com/google/go-dap"

	"aidb-mcp/dap"
)

// bare is the least that a DAP client can be, on a dap-go process of its own.
type bare struct {
	cmd     *exec.Cmd
	conn    *dap.Conn
	stopped chan godap.StoppedEventBody
	ready   chan struct{} // the initialized event
	thread  int
}

// pipe joins the child's standard streams.
type pipe struct {
	io.Reader
	io.WriteCloser
}

// startBare starts the adapter and the program and goes to the breakpoint, and
// fetches what a stop view shows.
func startBare(ctx context.Context, self, binary string, p *program) (*bare, error) {
	b := &bare{
		cmd:     exec.CommandContext(ctx, self, "dap-go"),
		stopped: make(chan godap.StoppedEventBody, 1),
		ready:   make(chan struct{}, 1),
	}
	in, err := b.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := b.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := b.cmd.Start(); err != nil {
		return nil, err
	}
	b.conn = dap.New(pipe{out, in}, dap.Options{Name: "bare", Log: slog.New(slog.DiscardHandler), OnEvent: b.event})
	if err := b.launch(ctx, binary, p); err != nil {
		b.close()
		return nil, fmt.Errorf("bare client: %w", err)
	}
	return b, nil
}

func (b *bare) event(e dap.Event) {
	switch e.Name {
	case "initialized":
		b.ready <- struct{}{}
	case "stopped":
		var body godap.StoppedEventBody
		_ = json.Unmarshal(e.Body, &body) // an empty body is noticed by what follows
		b.stopped <- body
	}
}

func (b *bare) launch(ctx context.Context, binary string, p *program) error {
	hello := godap.InitializeRequestArguments{ClientID: "bench", AdapterID: "go", LinesStartAt1: true, ColumnsStartAt1: true, PathFormat: "path"}
	if err := b.conn.Call(ctx, "initialize", hello, nil); err != nil {
		return err
	}
	launched := b.conn.Send("launch", object{"mode": "exec", "program": binary, "cwd": p.dir})
	select {
	case <-b.ready:
	case <-b.conn.Done():
		return b.conn.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
	stops := godap.SetBreakpointsArguments{
		Source:      godap.Source{Path: p.file},
		Breakpoints: []godap.SourceBreakpoint{{Line: p.line}},
	}
	if err := b.conn.Call(ctx, "setBreakpoints", stops, nil); err != nil {
		return err
	}
	if err := b.conn.Call(ctx, "configurationDone", nil, nil); err != nil {
		return err
	}
	if err := launched.WaitOpen(ctx, nil); err != nil {
		return err
	}
	return b.look(ctx)
}

// look waits for a stop and fetches the stack, the scopes and the variables,
// one after the other.
func (b *bare) look(ctx context.Context) error {
	select {
	case s := <-b.stopped:
		b.thread = s.ThreadId
	case <-b.conn.Done():
		return b.conn.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
	var stack godap.StackTraceResponseBody
	if err := b.conn.Call(ctx, "stackTrace", godap.StackTraceArguments{ThreadId: b.thread, Levels: 10}, &stack); err != nil {
		return err
	}
	if len(stack.StackFrames) == 0 {
		return fmt.Errorf("the stopped thread %d has no frames", b.thread)
	}
	var scopes godap.ScopesResponseBody
	if err := b.conn.Call(ctx, "scopes", godap.ScopesArguments{FrameId: stack.StackFrames[0].Id}, &scopes); err != nil {
		return err
	}
	for _, scope := range scopes.Scopes {
		if err := b.conn.Call(ctx, "variables", godap.VariablesArguments{VariablesReference: scope.VariablesReference}, nil); err != nil {
			return err
		}
	}
	return nil
}

func (b *bare) step(ctx context.Context) error {
	if err := b.conn.Call(ctx, "next", godap.NextArguments{ThreadId: b.thread}, nil); err != nil {
		return err
	}
	return b.look(ctx)
}

// close ends the adapter and with it the program.
func (b *bare) close() {
	_ = b.conn.Call(context.Background(), "disconnect", godap.DisconnectArguments{TerminateDebuggee: true}, nil)
	_ = b.conn.Close()
	_ = b.cmd.Wait() // its exit code says nothing
}
