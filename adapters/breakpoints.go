package adapters

import (
	"context"
	"encoding/json"

	godap "github.com/google/go-dap"
)

// Breakpoints is what an adapter knows of places to stop at: where one can be, what binds,
// and which of their conditions it checks as the language means them. It belongs to
// setBreakpoints, setFunctionBreakpoints, setDataBreakpoints and dataBreakpointInfo, and to
// the event breakpoint.
type Breakpoints struct {
	// Lines are those of a file nearest to line that can hold a breakpoint, nearest first, at
	// most n. It is asked where a breakpoint did not bind.
	Lines func(ctx context.Context, c Caller, file string, line, n int) ([]int, error)
	// Functions are at most n functions with names like name; asked as Lines is.
	Functions func(ctx context.Context, c Caller, name string, n int) ([]string, error)
	// Bound corrects what the adapter says about a breakpoint, in place, in an answer and in an
	// event. The id 0 is none.
	Bound func(b *godap.Breakpoint)
	// Placed hears of the answer to setBreakpoints, before the program goes on: the adapter may
	// have put a breakpoint where the program does not come by, of several ways to a line.
	Placed func(ctx context.Context, c Caller, list []godap.Breakpoint)
	// Pending: by the adapter's word an unbound breakpoint only waits for its file to be
	// loaded; nothing has to be found in its place.
	Pending func(reason string) bool
	// BindsLoadedSilently: of a file that the program had loaded before the adapter came it says
	// that it is loaded, and not that a breakpoint in it has been bound. The engine asks again.
	BindsLoadedSilently bool

	// FunctionRequest is sent in place of setFunctionBreakpoints, where the adapter's search by
	// name misses functions or takes others for them; it names all breakpoints on functions
	// that there are to be from now on.
	FunctionRequest func(list []godap.FunctionBreakpoint) (command string, arguments any)
	// FunctionReply reads the body of the answer to FunctionRequest: one breakpoint for each
	// that was asked for, in the same order. The message of a verified one is for the user.
	FunctionReply func(body json.RawMessage) ([]godap.Breakpoint, error)
	// FunctionPlace is where a function breakpoint would bind, by what the debugger knows, in
	// any file where none is named: for adapters that refuse one where a breakpoint on a line
	// is, or whose function has to be of that file.
	FunctionPlace func(ctx context.Context, c Caller, function, file string) (Place, error)
	// Definitions finds where a function is defined by reading the user's source below the
	// roots (absolute): for adapters without function breakpoints, and for those that bind any
	// name. Line is the first line with code in the body. Like names near misses when there is
	// no such function.
	Definitions func(ctx context.Context, name string, roots []string) (at []Place, like []string, err error)
	// EntryMode is the mode of a line breakpoint (in DAP's sense) that stands for a function's
	// entry and stops once a call; empty where the line alone is known.
	EntryMode string

	// ReadsCondition: the adapter itself checks this condition as the language means it; the
	// engine checks the others. Where it is nil the adapter checks all.
	ReadsCondition func(condition string) bool
	// ReadsLogged says the same of the expressions of log messages.
	ReadsLogged func(expression string) bool
	// StopsOnFailedCondition: the adapter stops, without saying why, where a condition cannot
	// be evaluated. The engine evaluates it again for the reason.
	StopsOnFailedCondition bool

	// WatchID names the memory of an expression for setDataBreakpoints, where the adapter's own
	// dataBreakpointInfo does not read expressions. The frame is counted from the very top of
	// the thread.
	WatchID func(ctx context.Context, c Caller, thread, frame int, expression string) (string, error)
	// IgnoresWatchConditions: the adapter says that it checks conditions, and leaves out those
	// of watchpoints. The engine checks them.
	IgnoresWatchConditions bool
	// DropsWatchpoints: the adapter forgets a watchpoint without an event when its variable
	// goes out of scope, and leaves alone, with its id, one that is set again. The engine
	// checks at each stop which are left.
	DropsWatchpoints bool
}

// Place is a line of a file.
type Place struct {
	File string // absolute
	Line int    // from 1
}
