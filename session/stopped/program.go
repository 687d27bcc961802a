// Package stopped is the program of a session while it stands still: its
// frames, variables, threads, memory and code, and what can be evaluated and
// assigned there.
//
// A [Program] is taken from a stop and good for that stop alone. When the
// program goes on, an adapter's references are void, and every method refuses.
// It sends requests to the adapter, and knows nothing of how the program came to
// stop, how it is resumed, and of breakpoints.
package stopped

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/session/inspect"
)

// What is seen of a program is put together in inspect.
type (
	Frame       = inspect.Frame
	Variable    = inspect.Variable
	Change      = inspect.Change
	Exception   = inspect.Exception
	Threads     = inspect.Threads
	Instruction = inspect.Instruction
	Module      = inspect.Module
	Scope       = inspect.Scope
	Page        = inspect.Page
)

// The scopes of a frame.
const (
	Locals    = inspect.Locals
	Arguments = inspect.Arguments
	Globals   = inspect.Globals
	Registers = inspect.Registers
)

// Session is what a stopped program asks of the session that stands at its stop.
type Session interface {
	// Check says why the program cannot be looked at any more, nil while it can.
	Check() error
	// IsCurrent says that the session still stands at this stop.
	IsCurrent() bool
	// AwaitEnd waits until it does not.
	AwaitEnd(ctx context.Context) error
	// Stops counts the stops that the adapter has told of, those included that
	// are still decided about.
	Stops() int
	// Connection is that of a thread, and Connections are all that debug a living
	// part of the program, its own first.
	Connection(thread int) Connection
	Connections() []Connection
	// Protocol is what the adapter says of itself.
	Protocol() godap.Capabilities
	// Select makes another thread the one that the session shows.
	Select(thread int)
	// Refusal puts a failed request into words, with the code for one that the
	// adapter has refused.
	Refusal(ctx context.Context, code fault.Code, op string, err error) error
	// Interruption says what became of the program when an evaluation was cut short.
	Interruption(ctx context.Context, expression string) error
	// CheckExpression says why an expression of the user may not be evaluated.
	CheckExpression(ctx context.Context, expression string) error
	// Locate finds what a location of the user means, and FindFile a file.
	Locate(location string) (Place, error)
	FindFile(name string) (string, error)
}

// Place is a line of a file, or a function.
type Place struct {
	File     string
	Line     int
	Function string
}

// Facts are what does not change while a run lasts.
type Facts struct {
	Adapter  string // its name, for people
	Language string
	Dialect  adapters.Dialect
	Can      adapters.Capabilities
	Limits   Limits
	Log      *slog.Logger
	Rel      func(path string) string                   // a path as it is shown
	Withhold func(text string) string                   // a text without the code that the policy hides
	Guard    func(doing string, ask func() error) error // calls ask, and turns a panic in it into an error
	Values   *References                                // the numbers of values, over all stops
	Tracker  *inspect.Tracker                           // of the values that frames have shown
}

// Limits bound what is shown.
type Limits struct {
	StackPage  int           // frames fetched for a view
	Locals     int           // names in a view
	ValueBytes int           // longest value in a list
	AskedBytes int           // longest value of one asked expression
	Children   int           // children a page
	Request    time.Duration // that one request to the adapter may take
}

// Bounds that nobody needs to change.
const (
	settleLimit  = 2 * time.Second // for the state to follow what an evaluation has done
	previewLimit = 2 * time.Second // for the fields of the objects of a view
	maxDepth     = 3               // levels of children
	maxValues    = 400             // values in one answer, over all levels
)

// Stop is one stop of the program.
type Stop struct {
	adapters.Stop
	Number     int  // among those of the session
	AfterOut   bool // a step out of a function has set the program going
	SteppedOut bool // and this stop ends it

	// Functions are those at whose beginning breakpoints have stopped it.
	Functions []string
}

// Program is a program that stands still, at one stop.
type Program struct {
	*stop
	connection Connection // whose threads are looked at
}

// stop is what all who look at one stop share.
type stop struct {
	session Session
	facts   Facts
	event   Stop
	none    error // why there is none

	mu        sync.Mutex // guards the fields below; never held while the adapter is asked
	thread    int        // the current one
	stacks    map[int]*inspect.Stack
	evaluated atomic.Bool // something was evaluated or set, so that variables may have changed
}

// New is the program at a stop of a connection.
func New(s Session, k Connection, at Stop, f Facts) *Program {
	return &Program{
		stop:       &stop{session: s, facts: f, event: at, thread: at.ThreadID, stacks: map[int]*inspect.Stack{}},
		connection: k,
	}
}

// None is in the place of a program that does not stand still: every method refuses
// with the error, as a sql.Row does.
func None(why error) *Program { return &Program{stop: &stop{none: why}} }

// Err says why the program cannot be looked at, nil while it can.
func (p *stop) Err() error {
	if p.none != nil {
		return p.none
	}
	return p.session.Check()
}

// Thread is the thread that the stop is about.
func (p *stop) Thread() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.thread
}

// selectThread makes another thread the one that the stop is about.
func (p *stop) selectThread(thread int) {
	p.mu.Lock()
	p.thread = thread
	p.mu.Unlock()
	p.session.Select(thread)
}

// at is the program as seen from a thread, 0 being the current one: its requests go
// to the connection that the thread belongs to.
func (p *Program) at(thread int) (*Program, error) {
	if err := p.Err(); err != nil || thread == 0 {
		return p, err
	}
	return &Program{p.stop, p.session.Connection(thread)}, nil
}

// KnownTop is the first frame of the current thread, where it was asked for already.
func (p *stop) KnownTop() (godap.StackFrame, bool) {
	st := p.knownStack(p.Thread())
	if len(st.Frames) == 0 {
		return godap.StackFrame{}, false
	}
	return st.Frames[0], true
}

// knownStack is what is known of a thread's frames.
func (p *stop) knownStack(thread int) inspect.Stack {
	p.mu.Lock()
	defer p.mu.Unlock()
	if st := p.stacks[thread]; st != nil {
		return *st
	}
	return inspect.Stack{}
}

// keepStack remembers a thread's frames.
func (p *stop) keepStack(thread int, st inspect.Stack) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stacks[thread] = &st
}

// forgetStacks has all frames asked for anew.
func (p *stop) forgetStacks() {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.stacks)
}

// reader reads what the adapter sends.
func (p *stop) reader() inspect.Reader {
	return inspect.Reader{Dialect: p.facts.Dialect, Values: p.facts.Can.Values}
}

// unsupportedError says that this adapter lacks a capability, and what it can do instead.
func (p *stop) unsupportedError(what, instead string) error {
	return fault.New(fault.NotSupported, "%s (%s) has no %s", p.facts.Adapter, p.facts.Language, what).
		WithHint("%s", instead)
}
