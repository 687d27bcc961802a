package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/dap"
	"aidb-mcp/internal/commands/bench/debuggee"
)

// bare is the least that a DAP client can be: an adapter of its own, and each
// request sent when the one before it is answered.
type bare struct {
	command debuggee.Command
	cmd     *exec.Cmd
	address string // where the adapter listens, if it does
	links   []*link
	child   chan json.RawMessage // configurations of sessions that the adapter asks for
	thread  int
}

// link is one connection.
type link struct {
	conn    *dap.Conn
	stopped chan godap.StoppedEventBody
	ready   chan struct{} // the initialized event
}

// pipe joins the adapter's standard streams.
type pipe struct {
	io.Reader
	io.WriteCloser
}

// startBare starts the adapter and the program and goes to the breakpoint, and
// fetches what a stop view shows.
func startBare(ctx context.Context, d debuggee.Session, p *debuggee.Program) (*bare, error) {
	c, err := d.Adapter(p)
	if err != nil {
		return nil, err
	}
	b := &bare{command: c, cmd: exec.CommandContext(ctx, c.Path, c.Args...), child: make(chan json.RawMessage, 1)}
	b.cmd.Env = append(os.Environ(), c.Env...)
	if err = b.open(ctx); err == nil {
		err = b.launch(ctx, d.Launch(p), p)
	}
	if err != nil {
		b.close()
		return nil, fmt.Errorf("bare client: %w", err)
	}
	return b, nil
}

// open starts the adapter and makes the first connection.
func (b *bare) open(ctx context.Context) error {
	in, err := b.cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := b.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := b.cmd.Start(); err != nil {
		return err
	}
	if b.command.Announces == "" {
		b.join(pipe{out, in})
		return nil
	}
	lines := bufio.NewReader(out)
	for b.address == "" {
		line, err := lines.ReadString('\n')
		if err != nil {
			return fmt.Errorf("the adapter says no address: %w", err)
		}
		if _, address, found := strings.Cut(line, b.command.Announces); found {
			b.address = strings.TrimSpace(address)
		}
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	return b.dial(ctx)
}

// dial makes a connection to the adapter's port; Go sets TCP_NODELAY.
func (b *bare) dial(ctx context.Context) error {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", b.address)
	if err == nil {
		b.join(conn)
	}
	return err
}

func (b *bare) join(stream io.ReadWriteCloser) {
	l := &link{stopped: make(chan godap.StoppedEventBody, 16), ready: make(chan struct{}, 1)}
	l.conn = dap.New(stream, dap.Options{Name: "bare", Log: slog.New(slog.DiscardHandler), OnEvent: l.event, OnRequest: b.handleRequest})
	b.links = append(b.links, l)
}

// lastConn is the connection that has the program.
func (b *bare) lastConn() *link { return b.links[len(b.links)-1] }

func (l *link) event(e dap.Event) {
	switch e.Name {
	case "initialized":
		l.ready <- struct{}{}
	case "stopped":
		var body godap.StoppedEventBody
		_ = json.Unmarshal(e.Body, &body) // an empty body is noticed by what follows
		l.stopped <- body
	}
}

// handleRequest answers what the adapter requests: a session of the program's own, or a
// terminal for it.
func (b *bare) handleRequest(_ context.Context, command string, raw json.RawMessage) (any, error) {
	switch command {
	case "startDebugging":
		var body struct{ Configuration json.RawMessage }
		err := json.Unmarshal(raw, &body)
		b.child <- body.Configuration
		return struct{}{}, err
	case "runInTerminal":
		var body godap.RunInTerminalRequestArguments
		if err := json.Unmarshal(raw, &body); err != nil || len(body.Args) == 0 {
			return nil, fmt.Errorf("nothing to run: %w", err)
		}
		program := exec.Command(body.Args[0], body.Args[1:]...)
		program.Dir = body.Cwd
		if err := program.Start(); err != nil {
			return nil, err
		}
		go func() { _ = program.Wait() }()
		return godap.RunInTerminalResponseBody{ProcessId: program.Process.Pid}, nil
	}
	return nil, errors.New("not here")
}

// launch shakes hands, on a second connection too where the adapter wants one
// for the program, and goes to the breakpoint.
func (b *bare) launch(ctx context.Context, arguments any, p *debuggee.Program) error {
	launched, err := b.shakeHands(ctx, arguments, p)
	if err != nil {
		return err
	}
	if b.address != "" {
		select {
		case configuration := <-b.child:
			if err := b.dial(ctx); err != nil {
				return err
			}
			if launched, err = b.shakeHands(ctx, configuration, p); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if err := launched.WaitOpen(ctx, nil); err != nil {
		return err
	}
	return b.look(ctx)
}

// shakeHands goes through the handshake on the last connection.
func (b *bare) shakeHands(ctx context.Context, arguments any, p *debuggee.Program) (*dap.Pending, error) {
	l := b.lastConn()
	hello := godap.InitializeRequestArguments{
		ClientID: "bench", AdapterID: b.command.ID, LinesStartAt1: true, ColumnsStartAt1: true, PathFormat: "path",
		SupportsStartDebuggingRequest: true, SupportsVariableType: true,
	}
	if err := l.conn.Call(ctx, "initialize", hello, nil); err != nil {
		return nil, err
	}
	launched := l.conn.Send("launch", arguments)
	select {
	case <-l.ready:
	case <-l.conn.Done():
		return nil, l.conn.Err()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	stops := godap.SetBreakpointsArguments{
		Source:      godap.Source{Path: p.File},
		Breakpoints: []godap.SourceBreakpoint{{Line: p.Line}},
	}
	if err := l.conn.Call(ctx, "setBreakpoints", stops, nil); err != nil {
		return nil, err
	}
	return launched, l.conn.Call(ctx, "configurationDone", nil, nil)
}

// look waits for a stop and fetches the stack, the scopes and the variables,
// one after the other.
func (b *bare) look(ctx context.Context) error {
	l := b.lastConn()
	select {
	case s := <-l.stopped:
		b.thread = s.ThreadId
	case <-l.conn.Done():
		return l.conn.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
	var stack godap.StackTraceResponseBody
	if err := l.conn.Call(ctx, "stackTrace", godap.StackTraceArguments{ThreadId: b.thread, Levels: 10}, &stack); err != nil {
		return err
	}
	if len(stack.StackFrames) == 0 {
		return fmt.Errorf("the stopped thread %d has no frames", b.thread)
	}
	var scopes godap.ScopesResponseBody
	if err := l.conn.Call(ctx, "scopes", godap.ScopesArguments{FrameId: stack.StackFrames[0].Id}, &scopes); err != nil {
		return err
	}
	for _, scope := range scopes.Scopes {
		if !local(scope) {
			continue
		}
		if err := l.conn.Call(ctx, "variables", godap.VariablesArguments{VariablesReference: scope.VariablesReference}, nil); err != nil {
			return err
		}
	}
	return nil
}

// local says that a scope is among those that a stop view shows.
func local(s godap.Scope) bool {
	switch s.PresentationHint {
	case "locals", "arguments":
		return true
	case "":
		return strings.HasPrefix(s.Name, "Local") || strings.HasPrefix(s.Name, "Argument")
	}
	return false
}

func (b *bare) step(ctx context.Context) error {
	if err := b.lastConn().conn.Call(ctx, "next", godap.NextArguments{ThreadId: b.thread}, nil); err != nil {
		return err
	}
	return b.look(ctx)
}

// close ends the adapter and with it the program.
func (b *bare) close() {
	for _, link := range slices.Backward(b.links) {
		_ = link.conn.Call(context.Background(), "disconnect", godap.DisconnectArguments{TerminateDebuggee: true}, nil)
		_ = link.conn.Close()
	}
	if b.cmd.Process != nil {
		if b.address != "" {
			_ = b.cmd.Process.Kill() // a server that waits for the next client
		}
		_ = b.cmd.Wait() // its exit code says nothing
	}
}
