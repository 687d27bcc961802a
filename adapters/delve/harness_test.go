package delve

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/dap"
	"aidb-mcp/internal/testkit"
)

func TestMain(m *testing.M) {
	Reexec()
	os.Exit(m.Run())
}

const patience = 60 * time.Second // how long a test waits for what must come

// debuggee is a program under the real adapter, driven message by message.
type debuggee struct {
	*dap.Conn
	t      testing.TB
	plan   *adapters.Plan
	peer   *adapters.Peer
	caps   godap.Capabilities
	events chan dap.Event

	mu             sync.Mutex
	stdout, stderr bytes.Buffer // what has come through the program's own streams
	drained        sync.WaitGroup
}

func testAdapter() adapters.Adapter {
	return New(Options{Log: slog.New(slog.DiscardHandler)})
}

// plan makes a plan that must succeed.
func plan(t testing.TB, r adapters.Request) *adapters.Plan {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	p, err := testAdapter().Plan(ctx, r, nil)
	if err != nil {
		t.Fatalf("planning: %v", err)
	}
	t.Cleanup(p.Close)
	return p
}

// open starts the adapter up to the launch reply, without any breakpoint.
func open(t testing.TB, p *adapters.Plan) *debuggee {
	t.Helper()
	d := &debuggee{t: t, plan: p, events: make(chan dap.Event, 10_000)}
	peer, err := p.Open(t.Context())
	if err != nil {
		t.Fatalf("opening: %v", err)
	}
	d.peer = peer
	d.Conn = dap.New(peer.Stream, dap.Options{
		Name: "test", Log: slog.New(slog.DiscardHandler), Timeout: patience,
		OnEvent: func(e dap.Event) { d.events <- e },
	})
	t.Cleanup(func() { d.Close(); peer.Kill() })
	if s := p.Streams; s != nil {
		d.drain(&d.stdout, s.Stdout)
		d.drain(&d.stderr, s.Stderr)
	}
	args := godap.InitializeRequestArguments{}
	p.Dialect.Initialize(&args)
	d.call("initialize", args, &d.caps)
	return d
}

// launch opens and starts the program; it stands still until run.
func launch(t testing.TB, p *adapters.Plan) *debuggee {
	t.Helper()
	d := open(t, p)
	pending := d.Send(p.Request, p.Arguments)
	if err := pending.WaitOpen(t.Context(), nil); err != nil {
		t.Fatalf("%s: %v\n%s", p.Request, err, peerWords(d))
	}
	d.await("initialized", nil)
	return d
}

func peerWords(d *debuggee) string { return d.peer.Stderr() }

func (d *debuggee) drain(into *bytes.Buffer, from *os.File) {
	d.drained.Go(func() {
		buffer := make([]byte, 4096)
		for {
			n, err := from.Read(buffer)
			d.mu.Lock()
			into.Write(buffer[:n])
			d.mu.Unlock()
			if err != nil {
				return
			}
		}
	})
}

func (d *debuggee) call(command string, args, body any) {
	d.t.Helper()
	if err := d.Call(d.t.Context(), command, args, body); err != nil {
		d.t.Fatalf("%s: %v\n%s", command, err, peerWords(d))
	}
}

// refuse makes a request that must fail and returns the reason in plain words.
func (d *debuggee) refuse(command string, args any) (message, hint string) {
	d.t.Helper()
	err := d.Call(d.t.Context(), command, args, nil)
	if err == nil {
		d.t.Fatalf("%s succeeded", command)
	}
	return d.plan.Dialect.Fault(command, err)
}

// await skips events up to the named one.
func (d *debuggee) await(name string, body any) {
	d.t.Helper()
	limit := time.After(patience)
	for {
		select {
		case e := <-d.events:
			if e.Name == "terminated" && name != "terminated" && name != "exited" {
				d.t.Fatalf("the program ended while %q was awaited\nstderr: %s", name, d.output(&d.stderr))
			}
			if e.Name != name {
				continue
			}
			if body != nil {
				if err := json.Unmarshal(e.Body, body); err != nil {
					d.t.Fatal(err)
				}
			}
			return
		case <-d.Done():
			d.t.Fatalf("the adapter has gone while %q was awaited: %s", name, peerWords(d))
		case <-limit:
			d.t.Fatalf("no %q event", name)
		}
	}
}

// breakAt sets breakpoints on lines of a file and returns what became of them.
func (d *debuggee) breakAt(file string, lines ...int) []godap.Breakpoint {
	d.t.Helper()
	args := godap.SetBreakpointsArguments{Source: godap.Source{Path: file}}
	for _, line := range lines {
		args.Breakpoints = append(args.Breakpoints, godap.SourceBreakpoint{Line: line})
	}
	var body godap.SetBreakpointsResponseBody
	d.call("setBreakpoints", args, &body)
	return body.Breakpoints
}

// catch sets exception filters by the user's words.
func (d *debuggee) catch(choice ...string) {
	d.t.Helper()
	filters, err := d.plan.Dialect.Filters(choice, d.caps.ExceptionBreakpointFilters)
	if err != nil {
		d.t.Fatal(err)
	}
	d.call("setExceptionBreakpoints", godap.SetExceptionBreakpointsArguments{Filters: filters}, nil)
}

// run lets the program go for the first time.
func (d *debuggee) run() { d.t.Helper(); d.call("configurationDone", nil, nil) }

// stop waits for a stop of the program.
func (d *debuggee) stop() adapters.Stop {
	d.t.Helper()
	var body godap.StoppedEventBody
	d.await("stopped", &body)
	return d.plan.Dialect.Stopped(body)
}

// end waits for the end of the program and of its output.
func (d *debuggee) end() (exitCode int) {
	d.t.Helper()
	var body godap.ExitedEventBody
	d.await("exited", &body)
	d.await("terminated", nil)
	d.drained.Wait()
	return body.ExitCode
}

func (d *debuggee) output(b *bytes.Buffer) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return b.String()
}

// userFrames are the frames of the user's own code.
func (d *debuggee) userFrames(thread int) (frames []godap.StackFrame) {
	d.t.Helper()
	var body godap.StackTraceResponseBody
	d.call("stackTrace", godap.StackTraceArguments{ThreadId: thread, Levels: 50}, &body)
	for _, f := range body.StackFrames {
		if !d.plan.Dialect.Internal(f) {
			frames = append(frames, f)
		}
	}
	if len(frames) == 0 {
		d.t.Fatalf("no frame of the user in %v", body.StackFrames)
	}
	return frames
}

// userFrame is the first of them.
func (d *debuggee) userFrame(thread int) godap.StackFrame {
	d.t.Helper()
	return d.userFrames(thread)[0]
}

func (d *debuggee) evaluate(frame int, expr string) string {
	d.t.Helper()
	rewritten, kind, err := d.plan.Capabilities.Values.Expression(d.t.Context(), d, frame, expr)
	if err != nil {
		d.t.Fatal(err)
	}
	var body godap.EvaluateResponseBody
	d.call("evaluate", godap.EvaluateArguments{Expression: rewritten, FrameId: frame, Context: kind}, &body)
	return body.Result
}

// program starts a program of testdata/go and stops it at a mark.
func programAt(t testing.TB, name, mark string) (*debuggee, *testkit.Program, adapters.Stop) {
	t.Helper()
	p := testkit.NewProgram(t, name)
	d := launch(t, plan(t, adapters.Request{Target: ".", Workspace: p.Dir}))
	if got := d.breakAt(p.Dir+"/main.go", p.Line(mark)); !got[0].Verified {
		t.Fatalf("the breakpoint is not bound: %s", got[0].Message)
	}
	d.catch("uncaught")
	d.run()
	stop := d.stop()
	if stop.Reason != "breakpoint" {
		t.Fatalf("stopped for %+v", stop)
	}
	return d, p, stop
}

func contains(t testing.TB, text string, wanted ...string) {
	t.Helper()
	for _, want := range wanted {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %q", want, text)
		}
	}
}
