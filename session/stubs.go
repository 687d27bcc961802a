package session

import (
	"context"
	"log/slog"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/dap"
)

// TEMPORARY: the engine's exported methods with their meaning. Bodies follow.

// Limits bound what a session keeps and asks for; zero values mean the defaults of the contract.
type Limits struct {
	Sessions     int           // 16
	OutputRing   int           // 1 MiB a stream
	OutputReply  int           // 2,000 bytes a reply
	History      int           // 100 operations
	StackPage    int           // 10
	Locals       int           // 30 names
	ValueBytes   int           // 200
	AskedBytes   int           // 2,000 for one asked expression
	Children     int           // 25 a page
	Request      time.Duration // 10 s
	AdapterStart time.Duration // 30 s
	Build        time.Duration // 300 s
}

// Options configure a Manager.
type Options struct {
	Registry *adapters.Registry
	Limits   Limits
	Log      *slog.Logger
	Trace    *dap.Tracer // may be nil
}

// Manager holds all sessions of one server.
type Manager struct{}

// NewManager returns an empty manager.
func NewManager(o Options) *Manager { panic("stub") }

// Open validates the request as far as files allow, registers a session in
// status starting and goes on (build, launch, breakpoints) on the session's own
// goroutine. Wait for it with Session.Wait. A session whose start fails stays
// known just long enough that its Wait tells the error, then it is forgotten.
// The new session becomes the current one.
func (m *Manager) Open(r StartRequest) (*Session, error) { panic("stub") }

// Get finds a session; an empty id is the current one. Errors: SESSION_NOT_FOUND
// (lists the known ids, did you mean), SESSION_NOT_STARTED.
func (m *Manager) Get(id string) (*Session, error) { panic("stub") }

// Current is the current session, nil when there is none.
func (m *Manager) Current() *Session { panic("stub") }

// Switch makes a session the current one.
func (m *Manager) Switch(id string) (*Session, error) { panic("stub") }

// List returns the sessions, oldest first.
func (m *Manager) List() []*Session { panic("stub") }

// Remove stops a session and forgets it.
func (m *Manager) Remove(ctx context.Context, id string) error { panic("stub") }

// Cleanup forgets every ended session and returns their ids.
func (m *Manager) Cleanup(ctx context.Context) []string { panic("stub") }

// Close stops all sessions at once, bounded by ctx.
func (m *Manager) Close(ctx context.Context) { panic("stub") }

// Session is one debuggee.
type Session struct{}

func (s *Session) ID() string                 { panic("stub") }
func (s *Session) Language() string           { panic("stub") }
func (s *Session) Mode() adapters.Mode        { panic("stub") }
func (s *Session) Target() string             { panic("stub") } // for people
func (s *Session) Workspace() string          { panic("stub") }
func (s *Session) PID() int                   { panic("stub") } // of the program, 0 unknown
func (s *Session) StartedAt() time.Time       { panic("stub") }
func (s *Session) State() State               { panic("stub") }
func (s *Session) Capabilities() []Capability { panic("stub") }

// Capability is one line of config(capabilities).
type Capability struct {
	Name    string // "hit_conditions", "watchpoints", "jump", "step_back", …
	Support Support
	Note    string
}

// Lock takes the session's operation lock (one operation at a time); ctx bounds
// the wait. The caller must call the returned function.
func (s *Session) Lock(ctx context.Context) (unlock func(), err error) { panic("stub") }

// Wait returns when the program stands still, has ended, or its start failed
// (the error), or when d has passed or ctx has ended (ctx's error; the program
// keeps its state). d of 0 does not wait. It sends nothing to the adapter.
func (s *Session) Wait(ctx context.Context, d time.Duration) (State, error) { panic("stub") }

// View fetches the stop view. It takes the output (see TakeOutput) and moves
// the tracker of changed variables on.
func (s *Session) View(ctx context.Context) (*View, error) { panic("stub") }

// The ways to move the program. They return as soon as the adapter has accepted
// the request; Wait then waits for the stop.
// Errors: STATE_NOT_PAUSED, SESSION_TERMINATED, CAPABILITY_NOT_SUPPORTED.
func (s *Session) Continue(ctx context.Context, thread int) error { panic("stub") }
func (s *Session) Pause(ctx context.Context, thread int) error    { panic("stub") }
func (s *Session) Jump(ctx context.Context, location string, thread int) error {
	panic("stub")
}

// StepOptions say how to step.
type StepOptions struct {
	Action      string // over, into, out, back
	Count       int    // 1 to 100
	Thread      int    // 0 the current one
	Granularity string // line, statement, instruction
	Into        string // into_function: step into this function of the current line, others are stepped over
}

// Step makes the steps one after another, each waited for within d overall. A
// stop for another cause ends the count early (State.Note says so). When d
// passes first, the state is running and the step is still under way.
func (s *Session) Step(ctx context.Context, o StepOptions, d time.Duration) (State, error) {
	panic("stub")
}

// RunUntil continues to one of the locations through temporary breakpoints,
// which are gone afterwards (also when the wait ended first and the program
// stops later); others are untouched. Reached is the location that was hit,
// empty when the program stopped elsewhere.
func (s *Session) RunUntil(ctx context.Context, locations []string, condition string, d time.Duration) (st State, reached string, err error) {
	panic("stub")
}

// Stop ends the session: the program is killed, or left running when it was
// attached to and kill is false. It works in every state and returns within seconds.
func (s *Session) Stop(ctx context.Context, kill bool) (State, error) { panic("stub") }

// Restart ends the program and starts it anew (building again) with the same
// request; breakpoints are kept unless keep is false, and follow their
// statements when the source has changed. Wait for it like after Open.
func (s *Session) Restart(ctx context.Context, keep bool) error { panic("stub") }

// Breakpoints. Every change sends the whole file's set; the store is the truth.
// They work while the program runs and before it starts.
func (s *Session) SetBreakpoint(ctx context.Context, spec BreakpointSpec) (Breakpoint, error) {
	panic("stub")
}

// ResolveLocation turns "file:line[:col]", "line" or a function name into a spec.
func (s *Session) ResolveLocation(location string) (BreakpointSpec, error) { panic("stub") }
func (s *Session) Breakpoints() []Breakpoint                               { panic("stub") }

// FindBreakpoints selects by id (when not 0), else by location text, else by watched name.
func (s *Session) FindBreakpoints(id int, location, name string) ([]Breakpoint, error) {
	panic("stub")
}
func (s *Session) RemoveBreakpoints(ctx context.Context, ids []int) error { panic("stub") }
func (s *Session) EnableBreakpoints(ctx context.Context, ids []int, on bool) ([]Breakpoint, error) {
	panic("stub")
}
func (s *Session) Watch(ctx context.Context, expression, access, condition, hit string) (Breakpoint, error) {
	panic("stub")
}
func (s *Session) SetExceptions(ctx context.Context, choice []string) ([]string, error) {
	panic("stub")
}
func (s *Session) Exceptions() []string { panic("stub") }

// Looking. All need a program that stands still. Frame indices count as in
// Stack; thread 0 is the current one.
func (s *Session) Stack(ctx context.Context, thread, start, count int) (frames []Frame, total int, err error) {
	panic("stub")
}

// Scope names one of the variable lists of a frame.
type Scope string

// The scopes of inspect.
const (
	Locals    Scope = "locals" // with arguments
	Arguments Scope = "arguments"
	Globals   Scope = "globals"
	Registers Scope = "registers"
)

// Page bounds what is fetched of a list or value.
type Page struct {
	Start, Count int    // of the children; Count 0 is the default
	Depth        int    // levels of children fetched, 0 to 3
	Filter       string // substring of the name
	ValueBytes   int    // longest value, 0 the default
}

func (s *Session) Variables(ctx context.Context, scope Scope, thread, frame int, p Page) (vars []Variable, total int, err error) {
	panic("stub")
}

// Evaluate evaluates in the frame; p pages the children of the result.
func (s *Session) Evaluate(ctx context.Context, expression string, thread, frame int, p Page) (Variable, error) {
	panic("stub")
}

// Expand opens a reference given out at this stop. Errors: STALE_REFERENCE.
func (s *Session) Expand(ctx context.Context, ref int, p Page) (Variable, error) { panic("stub") }

// Assign sets a variable or expression and answers with the value read back.
func (s *Session) Assign(ctx context.Context, name, value string, thread, frame int) (old, now Variable, err error) {
	panic("stub")
}
func (s *Session) Exception(ctx context.Context) (*Exception, error) { panic("stub") }
func (s *Session) Threads(ctx context.Context, filter string, depth int) (Threads, error) {
	panic("stub")
}

// Memory reads length bytes at an address (0x…) or at what the expression points to.
func (s *Session) Memory(ctx context.Context, at string, length int) (address string, data []byte, err error) {
	panic("stub")
}

// Disassemble shows count instructions from an address, a location, or the current one.
func (s *Session) Disassemble(ctx context.Context, at string, thread, frame, count int) ([]Instruction, error) {
	panic("stub")
}
func (s *Session) Modules(ctx context.Context, filter string) ([]Module, error) { panic("stub") }

// SourceLines reads the lines [from,to] of the program's source file, through path mappings.
func (s *Session) SourceLines(file string, from, to int) ([]string, error) { panic("stub") }

// Rel shows a path the way replies do: relative to the workspace when inside it.
func (s *Session) Rel(path string) string { panic("stub") }

// Output and input of the program.

// TakeOutput returns the output that no reply has shown yet, its tail of at most max bytes a stream.
func (s *Session) TakeOutput(max int) Output { panic("stub") }

// ReadOutput pages through the ring: stream stdout or stderr, lines from start (negative: from
// the end); total counts the lines kept, dropped the bytes lost at the front.
func (s *Session) ReadOutput(stream string, start, count int, filter string) (lines []string, total, dropped int) {
	panic("stub")
}

// Input writes to the program's stdin; eof closes it afterwards.
func (s *Session) Input(ctx context.Context, text string, eof bool) error { panic("stub") }

// History and values over time.
func (s *Session) Record(op Operation)  { panic("stub") }
func (s *Session) History() []Operation { panic("stub") }
func (s *Session) Seen() []Value        { panic("stub") }
