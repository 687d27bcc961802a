// Package wire is the vocabulary between the Go adapter, which lives in the
// server, and the dap-go process, which holds the debugger: the arguments of
// launch and attach, and the requests that DAP does not have.
//
// It imports nothing of Delve, so that every platform can compile it.
package wire

import (
	godap "github.com/google/go-dap"
)

// The requests of our own.
const (
	Digest    = "aidb/digest"
	Lines     = "aidb/lines"
	Functions = "aidb/functions"
	Memory    = "aidb/memory"
	Jump      = "aidb/jump"
	Registers = "aidb/registers"
	Arguments = "aidb/arguments"
	Address   = "aidb/address"
	Place     = "aidb/place"
	Globals   = "aidb/globals"
	Returned  = "aidb/returned"
	Modules   = "aidb/modules"
	Set       = "aidb/set"
	Together  = "aidb/together"
	Sides     = "aidb/sides"
	Waits     = "aidb/waits"
)

// The exception filters that our process adds to Delve's.
const (
	// EveryPanic stops where panic is called, whether it will be recovered from or not.
	EveryPanic = "panic"
	// TestFailure stops at the call that fails a test.
	TestFailure = "test-failure"
)

// The ids that a stop at one of them reports as hit. They are none of Delve's:
// it counts on from every id that it is given, so it gives its own.
const (
	EveryPanicID = 1<<30 + iota
	TestFailureID
)

// Start is the arguments of launch and attach.
type Start struct {
	Mode     string   `json:"mode"` // exec, core or attach
	Program  string   `json:"program,omitempty"`
	Args     []string `json:"args,omitempty"`
	Cwd      string   `json:"cwd,omitempty"`
	CoreFile string   `json:"coreFile,omitempty"`
	PID      int      `json:"processId,omitempty"`

	// StopOnEntry leaves the program standing after configurationDone.
	StopOnEntry bool `json:"stopOnEntry,omitempty"`

	// Warnings are passed back to the client as important output, once the
	// program has been started.
	Warnings []string `json:"warnings,omitempty"`

	Options
}

// Options are the settings of Delve that a user may pass through, by Delve's own names.
type Options struct {
	StackTraceDepth      int      `json:"stackTraceDepth,omitempty"`
	MaxStringLen         int      `json:"maxStringLen,omitempty"`
	MaxArrayValues       int      `json:"maxArrayValues,omitempty"`
	ShowPprofLabels      []string `json:"showPprofLabels,omitempty"`
	HideSystemGoroutines *bool    `json:"hideSystemGoroutines,omitempty"` // default true
	GoroutineFilters     string   `json:"goroutineFilters,omitempty"`
	FollowExec           bool     `json:"followExec,omitempty"`
	FollowExecRegex      string   `json:"followExecRegex,omitempty"`
	Backend              string   `json:"backend,omitempty"`
	SubstitutePath       []Path   `json:"substitutePath,omitempty"`

	// CheckGoVersion false lets Delve try a program of a Go version that it does not know.
	CheckGoVersion *bool `json:"checkGoVersion,omitempty"`
	// DisableASLR false keeps the addresses of the program random.
	DisableASLR *bool `json:"disableASLR,omitempty"`
}

// Path is one rule of substitutePath: a local directory and what the program calls it.
type Path struct {
	From string `json:"from"` // local
	To   string `json:"to"`   // as compiled in
}

// TogetherBody is what other threads than the current one have stopped for.
type TogetherBody struct {
	Stops []TogetherStop `json:"stops"`
}

// TogetherStop is a goroutine that stands at breakpoints which it has hit.
type TogetherStop struct {
	Goroutine   int   `json:"goroutine"`
	Breakpoints []int `json:"breakpoints"` // Delve's ids
}

// DigestArgs asks for all goroutines.
type DigestArgs struct {
	Depth int `json:"depth"` // frames of each
}

// DigestBody lists them.
type DigestBody struct {
	Goroutines []Goroutine `json:"goroutines"`
	Total      int         `json:"total"` // may exceed what is listed
	// Scheduled is how often the runtime has given a processor to a goroutine; 0 when unknown.
	Scheduled uint64 `json:"scheduled,omitempty"`
}

// Goroutine is one goroutine with what it waits for.
type Goroutine struct {
	ID      int64             `json:"id"`
	Waiting string            `json:"waiting,omitempty"` // the runtime's reason, empty when it runs
	SinceNS int64             `json:"sinceNs,omitempty"` // roughly, 0 when unknown
	Object  string            `json:"object,omitempty"`  // "chan 0xc000012345"
	Endless bool              `json:"endless,omitempty"` // only another goroutine can let it go on
	Labels  map[string]string `json:"labels,omitempty"`
	System  bool              `json:"system,omitempty"`
	Thread  int               `json:"thread,omitempty"`  // of the system, 0 when it is parked
	Started string            `json:"started,omitempty"` // location of its go statement, "file:line"
	Frames  []Frame           `json:"frames"`
}

// Frame is one call of a stack.
type Frame struct {
	Function string `json:"function"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
}

// PlaceArgs asks where a breakpoint of a function would be.
type PlaceArgs struct {
	Function string `json:"function"`       // or the end of its name, where the file is given
	File     string `json:"file,omitempty"` // absolute: the function is one of that file
}

// PlaceBody is that place.
type PlaceBody struct {
	File string `json:"file"` // absolute
	Line int    `json:"line"`
}

// LinesArgs asks for the lines nearest to Line that can hold a breakpoint.
type LinesArgs struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	Count int    `json:"count"`
}

// LinesBody has them nearest first.
type LinesBody struct {
	Lines []int `json:"lines"`
}

// FunctionsArgs asks for functions with a name like Name.
type FunctionsArgs struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// FunctionsBody has them likeliest first.
type FunctionsBody struct {
	Functions []string `json:"functions"`
}

// MemoryArgs asks for bytes at an address.
type MemoryArgs struct {
	Address uint64 `json:"address,string"`
	Length  int    `json:"length"`
}

// MemoryBody has as many of them as could be read.
type MemoryBody struct {
	Data []byte `json:"data"`
}

// ArgumentsBody names the arguments of a frame's function.
type ArgumentsBody struct {
	Names []string `json:"names"`
}

// AddressArgs asks where a line, or a function when it is named, begins.
type AddressArgs struct {
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Function string `json:"function,omitempty"`
}

// AddressBody has its first instruction.
type AddressBody struct {
	Address uint64 `json:"address,string"`
}

// JumpArgs moves the point of execution of a goroutine to a line of the same function.
type JumpArgs struct {
	Goroutine int    `json:"goroutine"`
	File      string `json:"file"`
	Line      int    `json:"line"`
}

// SetArgs gives a value to a variable, or to a part of one, that a frame can see.
type SetArgs struct {
	FrameArgs
	Name  string `json:"name"`
	Value string `json:"value"`
}

// SetBody says whether it was done: texts must be put into the program's memory
// by the program, in a call.
type SetBody struct {
	Done bool `json:"done"`
}

// FrameArgs names a frame: 0 is the top.
type FrameArgs struct {
	Goroutine int `json:"goroutine"`
	Frame     int `json:"frame"`
}

// SidesBody is what an expectation that fails a test compares; empty where that is not
// known.
type SidesBody struct {
	Expected string `json:"expected,omitempty"`
	Actual   string `json:"actual,omitempty"`
	From     string `json:"from,omitempty"` // what was read to know them
}

// GlobalsArgs asks for package variables: of the frame's package, or of all
// user packages whose qualified name contains Filter.
type GlobalsArgs struct {
	FrameArgs
	Filter string `json:"filter,omitempty"`
}

// ReturnedArgs asks for what the function just stepped out of returned.
type ReturnedArgs struct {
	Goroutine int `json:"goroutine"`
}

// VariablesBody is a list of values, without references: EvaluateName opens them.
type VariablesBody struct {
	Variables []godap.Variable `json:"variables"`
	Total     int              `json:"total"` // may exceed what is listed
}

// ModulesArgs asks for the modules whose path contains Filter.
type ModulesArgs struct {
	Filter string `json:"filter,omitempty"`
}

// ModulesBody lists the Go modules linked into the program, the main one first.
type ModulesBody struct {
	Modules []godap.Module `json:"modules"`
}
