package session

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve"
	"aidb-mcp/dap/daptest"
	"aidb-mcp/internal/fault"
	"aidb-mcp/session/stopped"
)

// rig is a session on a scripted adapter.
type rig struct {
	t       *testing.T
	m       *Manager
	s       *Session
	a       *daptest.Adapter
	dir     string
	file    string
	adapter *fakeAdapter
}

// fakeAdapter plans sessions on daptest adapters: one for each start.
type fakeAdapter struct {
	t        *testing.T
	plan     func(*adapters.Plan) // changes the plan
	planErr  func(context.Context) error
	script   func(*daptest.Adapter) // what a fresh adapter does
	stderr   string
	entry    string
	closed   atomic.Int32 // plans closed
	killed   atomic.Int32
	mu       sync.Mutex
	adapters []*daptest.Adapter
}

func (f *fakeAdapter) Info() adapters.Info {
	return adapters.Info{Language: "fake", Name: "Fake", Extensions: []string{".go"}, Modes: []adapters.Mode{adapters.Launch}}
}
func (f *fakeAdapter) Claims(adapters.Request) int { return 1 }
func (f *fakeAdapter) Services() adapters.Services { return adapters.Services{} }
func (f *fakeAdapter) Check(context.Context) adapters.Readiness {
	return adapters.Readiness{Ready: true}
}
func (f *fakeAdapter) last() *daptest.Adapter {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.adapters[len(f.adapters)-1]
}

func (f *fakeAdapter) Plan(ctx context.Context, r adapters.Request, progress func(string)) (*adapters.Plan, error) {
	progress("building")
	if f.planErr != nil {
		if err := f.planErr(ctx); err != nil {
			return nil, err
		}
	}
	p := &adapters.Plan{
		Mode: adapters.Launch, Target: r.Target, Request: "launch", Arguments: map[string]any{"program": r.Target},
		Open:    f.open,
		Dialect: &fakeDialect{entry: f.entry},
		Close:   func() { f.closed.Add(1) },
	}
	if f.plan != nil {
		f.plan(p)
	}
	return p, nil
}

func (f *fakeAdapter) open(context.Context) (*adapters.Peer, error) {
	a := daptest.New(f.t)
	f.mu.Lock()
	f.adapters = append(f.adapters, a)
	f.mu.Unlock()
	defaults(a)
	if f.script != nil {
		f.script(a)
	}
	return &adapters.Peer{
		Stream: a.Stream(),
		Kill:   func() { f.killed.Add(1); a.Close() },
		Stderr: func() string { return f.stderr },
	}, nil
}

var fakeCaps = godap.Capabilities{
	SupportsConfigurationDoneRequest:  true,
	SupportsFunctionBreakpoints:       true,
	SupportsConditionalBreakpoints:    true,
	SupportsHitConditionalBreakpoints: true,
	SupportsLogPoints:                 true,
	SupportsSetVariable:               true,
	SupportsDataBreakpoints:           true,
	SupportsExceptionInfoRequest:      true,
	SupportsDelayedStackTraceLoading:  true,
	ExceptionBreakpointFilters:        []godap.ExceptionBreakpointsFilter{{Filter: "panic", Default: true}},
}

// defaults script an adapter whose program starts and runs until told otherwise.
func defaults(a *daptest.Adapter) {
	a.Handle("initialize", func(r *daptest.Request) {
		r.Reply(fakeCaps)
	})
	a.Handle("launch", func(r *daptest.Request) {
		a.Event("initialized", nil)
		r.Reply(nil)
	})
	a.Handle("setBreakpoints", func(r *daptest.Request) { r.Reply(bindAll(r)) })
	a.Handle("setFunctionBreakpoints", func(r *daptest.Request) { r.Reply(bindAll(r)) })
	a.Handle("setDataBreakpoints", func(r *daptest.Request) { r.Reply(bindAll(r)) })
	a.Answer(nil, "setExceptionBreakpoints", "configurationDone", "next", "stepIn", "stepOut", "continue", "pause", "disconnect")
	a.Answer(godap.ThreadsResponseBody{Threads: []godap.Thread{{Id: 1, Name: "main"}}}, "threads")
	a.Handle("exceptionInfo", func(r *daptest.Request) { r.Fail("none") })
	stackAt(a, "main.main", 3)
	a.Answer(godap.ScopesResponseBody{Scopes: []godap.Scope{{Name: "Locals", VariablesReference: 100}}}, "scopes")
	a.Answer(godap.VariablesResponseBody{Variables: []godap.Variable{{Name: "x", Value: "1", Type: "int", EvaluateName: "x"}}}, "variables")
	a.Handle("evaluate", func(r *daptest.Request) { r.Fail("no symbol") })
}

// bindAll verifies each breakpoint of a set: its id is 10 plus its line, or its place in the list.
func bindAll(r *daptest.Request) any {
	var args struct {
		Source      godap.Source
		Breakpoints []struct{ Line int }
	}
	r.Bind(&args)
	body := godap.SetBreakpointsResponseBody{Breakpoints: []godap.Breakpoint{}}
	for i, b := range args.Breakpoints {
		id := 10 + b.Line
		if b.Line == 0 {
			id = 1000 + i
		}
		body.Breakpoints = append(body.Breakpoints, godap.Breakpoint{Id: id, Verified: true, Line: b.Line})
	}
	return body
}

// stackAt answers stackTrace with one frame in main.go.
func stackAt(a *daptest.Adapter, function string, line int) {
	a.Handle("stackTrace", func(r *daptest.Request) {
		r.Reply(godap.StackTraceResponseBody{TotalFrames: 1, StackFrames: []godap.StackFrame{
			{Id: 1, Name: function, Line: line, Source: &godap.Source{Path: mainFile}},
		}})
	})
}

// mainFile is the source of the fake program; set once by TestMain.
var mainFile string

func TestMain(m *testing.M) {
	delve.Reexec()
	dir, err := os.MkdirTemp("", "session")
	if err != nil {
		panic(err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		panic(err)
	}
	mainFile = filepath.Join(dir, "main.go")
	if err := os.WriteFile(mainFile, []byte(program), 0o600); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

const program = `package main

func main() {
	total := 0
	for i := range 10 {
		total += i
	}

	// the end
	println(total)
}
`

// panics is a log in which a panic of the engine's fails the test: the engine survives it, so
// that nothing else may show it.
type panics struct {
	slog.Handler
	t *testing.T
}

func (p panics) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelError }

func (p panics) WithAttrs([]slog.Attr) slog.Handler { return p }

func (p panics) Handle(_ context.Context, r slog.Record) error {
	if r.Message != "panic" {
		return nil
	}
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "panic" && a.Value.String() != "on purpose" {
			p.t.Errorf("the engine has panicked: %v", a.Value)
		}
		return true
	})
	return nil
}

// newRig opens a session; change may be nil. It must run inside a synctest bubble.
func newRig(t *testing.T, f *fakeAdapter, r StartRequest) *rig {
	t.Helper()
	if f == nil {
		f = &fakeAdapter{}
	}
	f.t = t
	m := NewManager(Options{Registry: adapters.NewRegistry(f), Log: slog.New(panics{slog.DiscardHandler, t})})
	r.Program.Workspace = filepath.Dir(mainFile)
	if r.Program.Target == "" {
		r.Program.Target = "main.go"
	}
	s, err := m.Open(r)
	if err != nil {
		t.Fatal(err)
	}
	return &rig{t: t, m: m, s: s, adapter: f, file: mainFile, dir: filepath.Dir(mainFile)}
}

// running waits until the start is through, with the program running.
func (g *rig) running() *rig {
	g.t.Helper()
	synctest.Wait()
	if g.s.status() != Running {
		st, err := g.s.Wait(g.t.Context(), 0)
		g.t.Fatalf("state %+v, error %v", st, err)
	}
	g.a = g.adapter.last()
	return g
}

// close ends the session, so that no goroutine is left in the bubble.
func (g *rig) close() { g.m.Close(context.Background()) }

// stopped sends a stopped event and waits until it is known.
func (g *rig) stopped(reason string, ids ...int) State {
	g.t.Helper()
	g.a.Event("stopped", godap.StoppedEventBody{Reason: reason, ThreadId: 1, AllThreadsStopped: true, HitBreakpointIds: ids})
	synctest.Wait()
	return g.s.State()
}

// program is the program at the current stop.
func (g *rig) program() *stopped.Program {
	g.t.Helper()
	p := g.s.Stopped()
	if err := p.Err(); err != nil {
		g.t.Fatal(err)
	}
	return p
}

// sent lists the commands that the adapter got, without those of the handshake.
func (g *rig) sent() []string {
	return slices.DeleteFunc(g.a.Seen(), func(c string) bool { return c == "initialize" || c == "launch" })
}

func (g *rig) count(command string) int {
	n := 0
	for _, c := range g.a.Seen() {
		if c == command {
			n++
		}
	}
	return n
}

func in(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}

func wantCode(t *testing.T, err error, code fault.Code) *fault.Error {
	t.Helper()
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Code != code {
		t.Fatalf("error %v, wanted code %s", err, code)
	}
	return f
}

// fakeDialect is the protocol's plain word, with a runtime of its own.
type fakeDialect struct{ entry string }

func (d *fakeDialect) Initialize(a *godap.InitializeRequestArguments) { a.AdapterID = "fake" }
func (d *fakeDialect) Filters(choice []string, _ []godap.ExceptionBreakpointsFilter) ([]string, error) {
	switch choice[0] {
	case "none":
		return nil, nil
	case "uncaught", "all":
		return []string{"panic"}, nil
	}
	return nil, fault.New(fault.InvalidParam, "unknown filter %q", choice[0])
}
func (d *fakeDialect) Entry() string { return d.entry }
func (d *fakeDialect) Stopped(b godap.StoppedEventBody) adapters.Stop {
	return adapters.Stop{
		Reason: b.Reason, Description: b.Description, Text: b.Text, ThreadID: b.ThreadId,
		HasThread: b.ThreadId != 0, Gone: map[bool]string{true: "SIGKILL"}[b.Text == "gone"], Hit: b.HitBreakpointIds, Resume: b.Description == "resume",
	}
}
func (d *fakeDialect) Truth(e string) string { return e }
func (d *fakeDialect) Range(expr, _ string, start, count int) string {
	b, _ := json.Marshal([]int{start, start + count})
	return expr + strings.ReplaceAll(string(b), ",", ":")
}
func (d *fakeDialect) Fault(string, error) (string, string) { return "", "" }
func (d *fakeDialect) Internal(f godap.StackFrame) bool     { return strings.HasPrefix(f.Name, "runtime.") }
func (d *fakeDialect) Wait([]godap.StackFrame) string       { return "" }
func (d *fakeDialect) ThreadName(t godap.Thread) string     { return t.Name }
func (d *fakeDialect) Signal(code int) string {
	if code == -9 {
		return "SIGKILL"
	}
	return ""
}
func (d *fakeDialect) Variables(_ string, v []godap.Variable) []godap.Variable { return v }

const long = time.Hour
