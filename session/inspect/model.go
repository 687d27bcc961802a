package inspect

import (
	"strings"
	"time"

	"aidb-mcp/adapters"
)

// Frame is one frame of a stack.
type Frame struct {
	Index    int // 0 is the top, in the order shown
	Function string
	File     string // absolute, empty when there is no source
	Line     int
	Column   int
	Internal bool // runtime or library
	Module   string
	ID       int // the debugger's: a frame that a traceback goes through twice has it twice
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

// Untyped is the value without the type that some adapters write before it: the type
// has a field of its own.
func (v Variable) Untyped() string {
	if rest, ok := strings.CutPrefix(v.Value, v.Type+" "); ok && v.Type != "" && rest != "" {
		return rest
	}
	return v.Value
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
	// Unhandled says that the adapter is sure that nobody handles it; else that may be.
	Unhandled bool
	Origin    adapters.Origin // where it was thrown first
	Sides     adapters.Sides  // of an expectation that was not met, where the adapter tells them
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
	Tasks   string // where those rest that its event loop runs
	Endless bool   // only the program itself can let each of them go on
	Labels  map[string]string
	Frames  []Frame
}

// Threads is the answer of a thread listing.
type Threads struct {
	Groups []ThreadGroup
	Total  int // threads, before grouping and filtering
	System int // hidden runtime threads

	// Scheduled is how often the program's own scheduler has given a processor to a
	// thread; 0 where that is not known.
	Scheduled uint64
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
