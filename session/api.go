package session

import (
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/session/output"
)

// Status is where a session stands, in the words of the contract.
type Status string

// The statuses of execution_state.
const (
	Starting          Status = "starting"
	Running           Status = "running"
	StoppedEntry      Status = "stopped_at_entry"
	StoppedBreakpoint Status = "stopped_at_breakpoint"
	StoppedStep       Status = "stopped_after_step"
	StoppedException  Status = "stopped_at_exception"
	Paused            Status = "paused"
	Terminated        Status = "terminated"
)

// Stopped says whether the program stands still and can be looked at.
func (s Status) Stopped() bool {
	switch s {
	case StoppedEntry, StoppedBreakpoint, StoppedStep, StoppedException, Paused:
		return true
	}
	return false
}

// State is a consistent snapshot of where a session stands.
type State struct {
	Status            Status
	Reason            string // stop reason: breakpoint, step, pause, entry, exception, signal, data breakpoint, function breakpoint, goto
	ThreadID          int    // of the stop; -1 when none
	BreakpointsActive bool   // at least one enabled breakpoint is bound
	Hit               []int  // our breakpoint ids
	ExitCode          *int
	Signal            string        // that ended the program, or stopped it
	Doing             string        // while starting: "building ./cmd/app", "launching"
	Running           time.Duration // since the last resume or start, while running or starting
	Failed            bool          // the start failed (Note says why): there was no program
	Note              string        // something true and worth saying: "the step was cut short by breakpoint 2"
}

// StartRequest is everything session_start may say.
type StartRequest struct {
	ID         string // wished session id, empty: language-counter
	Language   string // empty: inferred
	Program    adapters.Request
	Stdin      *string // text for the program's standard input, which ends after it
	StdinOpen  bool    // keep it open for Input instead
	Break      []BreakpointSpec
	Show       []string // expressions to evaluate at every stop
	Exceptions []string // uncaught (default), all, none or filter names
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

// Frame is one frame of a stack.
type Frame struct {
	Index    int // 0 is the top, in the order shown
	Function string
	File     string // absolute, empty when there is no source
	Line     int
	Column   int
	Internal bool // runtime or library
	Module   string
}

// Variable is one value, perhaps with its children.
type Variable struct {
	Name       string
	Value      string
	Type       string
	Ref        int    // ours, to expand it; 0 when it has no children. Valid until the program resumes
	Count      int    // number of children, 0 when unknown or none
	Path       string // expression that gives this value again, empty when there is none
	Memory     string // memory reference
	Argument   bool
	Opaque     bool // the text does not show what is in it
	Children   []Variable
	ChildTotal int  // when Children is a page of more
	Cut        int  // bytes that are known of Value when the adapter or we cut it, else 0; characters where Characters says so
	Length     int  // of the whole text when Value is cut, in the same units; 0 when nobody knows it
	Next       int  // where a text that is read in pieces goes on, 0 when that has to be counted in Value, or Unreachable
	Text       bool // has no children: its value is all there is of it
	Characters bool // Cut and Next count characters
}

// Change is a variable whose value differs from the last stop in the same frame.
type Change struct {
	Name, Old, New string
}

// Exception describes a stop on a panic, an exception or a signal.
type Exception struct {
	Type    string // "panic", "fatal error", "signal", or the class
	Message string
	Stack   string // the adapter's own stack text, when it gives one
	Inner   *Exception
}

// View is the stop view: all that is looked at next, fetched in as few round
// trips as possible. For a program that runs or has ended only State, Output,
// Breakpoints and NeverHit are set.
type View struct {
	State       State
	Frame       *Frame // the user's frame that locals and Snapshot speak of
	Top         *Frame // the real top frame, when it is not Frame
	Locals      []Variable
	LocalsTotal int
	Unread      Unread
	Changed     []Change // since the last stop in this frame
	SameFrame   bool     // the last stop was in this very frame, so Changed is meaningful
	Stack       []Frame
	StackTotal  int // 0 when unknown
	Exception   *Exception
	Shown       []Variable // the expressions of show, each named by itself
	Returned    []Variable
	Output      Output
	Breakpoints []Breakpoint // those that need attention, not bound or moved, and that no reply has told of
	NeverHit    []Breakpoint // on termination
	WereHit     []Breakpoint // on termination
	AwaitsInput bool         // the program runs, and waits for input that Input can give
	NoTestRan   bool         // on termination: tests were to be run and there was none
	NearTests   []string     // then: those that are like what was asked for
	Warnings    []string     // "optimized function: variables may be wrong or missing"
}

// Unread is a part of a view that the adapter did not give; of the stack, the
// locals are missing too.
type Unread struct {
	What string // stack or locals; empty when all is there
	Why  string
}

// Output is program output since it was last taken: the tail, whole lines.
type Output struct {
	Stdout, Stderr output.Tail
	Log            output.Tail // what logpoints wrote
}

// ThreadGroup is one or more threads with the same stack.
type ThreadGroup struct {
	IDs     []int // a sample, first the current one
	Count   int
	Current bool
	Name    string
	Waiting string
	Since   time.Duration
	Object  string
	Labels  map[string]string
	Frames  []Frame
}

// Threads is the answer of a thread listing.
type Threads struct {
	Groups []ThreadGroup
	Total  int // threads, before grouping and filtering
	System int // hidden runtime threads
}

// Operation is one entry of the history.
type Operation struct {
	N        int
	Tool     string
	What     string // "step over", "set breakpoint calc.go:7"
	Outcome  string // "stopped at breakpoint 1, calc.go:7" or the error code
	OK       bool
	Duration time.Duration
	Bytes    int // of the reply
}

// Value is one value seen at one stop, for "values over time".
type Value struct {
	Name, Where, Value string
	Stop               int // number of the stop
}

// Instruction is one line of a disassembly.
type Instruction struct {
	Address string
	Text    string
	Symbol  string
	File    string
	Line    int
	Current bool
}

// Module is a library, package or module of the program.
type Module struct {
	Name, Version, Path string
}

// Support says how a power is had: by the adapter, by the engine, or not at all.
type Support string

// The three answers of config(capabilities).
const (
	Native     Support = "native"
	Supplied   Support = "supplied" // by the engine
	Impossible Support = "impossible"
)

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
	AskedBytes   int    // longest piece of the text that is asked for itself, 0 the default
}
