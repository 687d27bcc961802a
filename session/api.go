package session

import (
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/telemetry"
	"aidb-mcp/session/inspect"
	"aidb-mcp/session/lifecycle"
	"aidb-mcp/session/output"
	"aidb-mcp/session/stopped"
)

// The state of a session, as its own package has it.
type (
	Status = lifecycle.Status
	State  = lifecycle.State
)

// The statuses of execution_state.
const (
	Starting          = lifecycle.Starting
	Running           = lifecycle.Running
	StoppedEntry      = lifecycle.StoppedEntry
	StoppedBreakpoint = lifecycle.StoppedBreakpoint
	StoppedStep       = lifecycle.StoppedStep
	StoppedException  = lifecycle.StoppedException
	Paused            = lifecycle.Paused
	Terminated        = lifecycle.Terminated
)

// StartRequest is everything session_start may say.
type StartRequest struct {
	ID      string // session id that is asked for, empty: language-counter
	Program adapters.Request
	Break   []BreakpointSpec
	// Mounts are where a container has directories of the workspace, for one to which
	// the request attaches and of which nothing better is known.
	Mounts     []Mapping
	Show       []string // expressions to evaluate at every stop
	Exceptions []string // uncaught (default), all, none or filter names
	Before     Before   // nil: nothing
	// Ready finds in what the program has printed the address at which it says that it
	// can be called, empty when there is none; nil: nothing is looked for.
	Ready func(printed string) string
	// Call is the tool call that asks for the start: the requests to the adapter are spans of its trace.
	Call telemetry.Call
	// Ends asks how the child processes end that no debugger follows. It is answered only where the
	// kernel tells us.
	Ends bool

	changed *Changed // set for a run in a copy, whose original was permitted
}

// BreakpointSpec is what the user asked for.
type BreakpointSpec struct {
	ID        int    // of the breakpoint to change, in place of a location; 0 for one by its location
	File      string // as given; empty: the current file. Beside Function: the file to find it in
	Line      int
	Column    int
	Function  string
	Statement string // text of the line, in place of Line

	Condition    string // expressions as breakpoints.ParseExpression reads them
	HitCondition string
	LogMessage   string
	Show         []string // expressions to evaluate at each of its stops
}

// View is the stop view: all that is looked at next, fetched in as few round
// trips as possible. For a program that runs or has ended only State, Output,
// Breakpoints and NeverHit are set.
type View struct {
	StopView
	State       State
	Epoch       int        // the number of State, see Moment
	Shown       []Variable // the expressions of show, each named by itself
	Output      Output
	Breakpoints []Breakpoint              // those that need attention, not bound or moved, and that no reply has told of
	NeverHit    []Breakpoint              // on termination
	Children    []string                  // on termination, the child processes that failed, with how they ended, where that was asked for and is known
	Unfollowed  string                    // on termination, what is to be said of child processes that no debugger followed; empty where none is known
	WereHit     []Breakpoint              // on termination
	AwaitsInput bool                      // the program runs, and waits for input that Input can give
	ServerReady string                    // the address at which the program says that it can be called, told once
	Listening   []string                  // addresses at which the program has begun to listen, where they were asked for
	NoTestRan   bool                      // on termination: tests were to be run and there was none
	NearTests   []string                  // then: those that are like what was asked for
	TestFailed  string                    // on termination: why, where no stop has shown it
	Unmet       *adapters.ReportedFailure // on termination: what the tests' framework has reported first
	Mappings    []Mapping                 // of paths, that were found; told once
}

// Output is program output since it was last taken: the tail, whole lines.
type Output struct {
	Stdout, Stderr output.Tail
	Log            output.Tail // what logpoints wrote
}

// Operation is one entry of the history.
type Operation struct {
	N        int
	Tool     string
	What     string // "step over", "set breakpoint calc.go:7"
	Outcome  string // "stopped at breakpoint 1, calc.go:7" or the error code
	OK       bool
	At       time.Time // when it began
	Args     string    // as they were given, secrets masked and long ones cut
	Found    []string  // lines of what it showed beyond the outcome, or why it failed
	Looked   bool      // it changed nothing
	Duration time.Duration
	Bytes    int // of the reply
}

// Support says how a capability is had: by the adapter, by the engine, or not at all.
type Support string

// The three answers of config(capabilities).
const (
	Native     Support = "native"
	Supplied   Support = "supplied" // by the engine
	Impossible Support = "impossible"
)

// What is seen of a program that stands still is put together in inspect.
type (
	Frame       = inspect.Frame
	Variable    = inspect.Variable
	Change      = inspect.Change
	Exception   = inspect.Exception
	ThreadGroup = inspect.ThreadGroup
	Threads     = inspect.Threads
	Wait        = inspect.Wait
	Waits       = inspect.Waits
	Location    = adapters.Location
	Value       = inspect.Value
	Instruction = inspect.Instruction
	Module      = inspect.Module
	Scope       = inspect.Scope
	Page        = inspect.Page
	StopView    = stopped.View
)

// The scopes of inspect.
const (
	Locals    = inspect.Locals
	Arguments = inspect.Arguments
	Globals   = inspect.Globals
	Registers = inspect.Registers
)

// Unreachable in place of where a text goes on says that the adapter has cut it
// and gives no more of it.
const Unreachable = inspect.Unreachable
