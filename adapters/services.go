package adapters

import (
	"context"
	"encoding/json"

	godap "github.com/google/go-dap"

	"aidb-mcp/internal/profiling"
	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/system/process"
)

// Services are what an adapter can do without a session: what is asked before a start, and
// runs in place of one. A function is nil where the adapter cannot. The zero value is an
// adapter that only plans sessions.
type Services struct {
	// Advertise says what a session will be able to do, before anything is started.
	Advertise func() (Advertised, error)

	// DebugPort is the port at which a process waits for its debugger, for adapters that attach
	// by one; 0 when it cannot be known. It only looks.
	DebugPort func(pid int) int
	// Address is where a program runs already that adapter_options name in a way of the adapter's
	// own; none where they name none. What cannot be meant is a *fault.Error.
	Address func(options json.RawMessage) (host string, port int, err error)
	// Files are those that a program which runs already runs or was built from, by its own
	// paths, as far as that can be known before it is attached to: for adapters that take path
	// mappings, and whose programs know their files by path. It only looks; what cannot be
	// looked at is left out.
	Files func(ctx context.Context, r Request) []string

	// Record plans a run under a recorder of the adapter's own, in place of a debugger: nothing
	// stops it. It validates the request as Plan does, builds what must be built and answers
	// how to run the program so that it notes what is asked for. What the spec names and the
	// program does not have is an error. Errors are *fault.Error.
	Record func(ctx context.Context, r Request, w recording.Spec, progress func(string)) (*Recorded, error)
	// Ahead begins with what Record would have to build for a request with such a spec as
	// [Request.Record], beside the request's Plan, whose own build comes first. Until done is called,
	// which must be, Record takes it for requests with the same pointer. Nil: there is nothing to build.
	Ahead func(ctx context.Context, r Request) (done func())
	// Recordable is what the recorder can note.
	Recordable Recordable

	// Profile plans a run under a profiler, in place of a debugger: nothing stops it. It
	// validates the request as Plan does, builds what must be built and answers how to run the
	// program. Errors are *fault.Error; what a language has no profiler for is one that says
	// what to take in its place.
	Profile func(ctx context.Context, r Request, w profiling.Spec, progress func(string)) (*ProfiledRun, error)

	// Detect plans a run under a detector of the faults of a check, in place of a debugger.
	// It validates and builds as Record does, apart from what else is built of the program.
	// What this language or this machine has no detector for is an error that says so, and
	// what can be done in place of it. Nil: it has none. Errors are *fault.Error.
	Detect func(ctx context.Context, r Request, s Check, progress func(string)) (*Detected, error)

	// Prepare does once, when the adapter is installed, what would otherwise make its first
	// session slow. Errors are *fault.Error.
	Prepare func(ctx context.Context, progress func(string)) error
	// Prepared names the folder, among the installed ones, that holds what Prepare has made.
	Prepared string
}

// Advertised is what an adapter says of itself before anything is started.
type Advertised struct {
	Protocol     godap.Capabilities // as it will answer initialize, corrected
	Capabilities Capabilities
}

// Recordable is what a recorder can note beyond what all can.
type Recordable struct {
	Frames  bool // values of callers too ([recording.Values.Frames])
	Moments bool // the moments at which a condition comes to hold ([recording.First])
	Each    bool // and for each instance of a type ([recording.First.Each])
	Named   bool // beside the writes to a part of an object, which object's the expression names ([recording.Values.Places])
	Pure    bool // expressions run none of the program's code: what would has no value
	// Leaves: functions alone that are called too often, in a run of its own too ([recording.Thin]).
	// So many calls that it only counts cost a run less than a quarter of a second; 0: it leaves none.
	Leaves int64
	// Sparse: of all writes only the first and the last ones ([recording.Sparse]). So many events it
	// notes in less than a quarter of a second; 0: it notes all.
	Sparse int64
	// Ends: so it does where the first and the last writes to an expression are enough, and not by
	// itself in one run ([recording.Writes.Ends]).
	Ends  bool
	Stops bool // while the debugger is in the program ([Request.Record]): the failure that it stops for, unless that is another process's
}

// Recorded is how a run under a recorder is started.
type Recorded struct {
	Spec     process.Spec
	Records  string // the directory of the recording; it is there until Close
	Target   string // what runs, for people
	How      string // where the recorder is: "sys.monitoring of Python 3.12"
	Warnings []string
	// Watches says that not all writes can be noted, only those to places that are
	// given ([recording.Writes.Watch]): where a value lies is asked by a run before.
	Watches bool
	// Begins says that the recorder makes [recording.Head] before the program runs: without
	// it nothing was recorded, whatever the program did.
	Begins bool
	// Debugger says that it is a debugger that starts the program, which tells itself of the
	// processes that this has started.
	Debugger bool
	// EachRound says that each round of a loop which stands in one line is a pass of it.
	EachRound bool
	Output    Output // what of the program's streams is the recorder's own: Noise and Planted
	Close     func() // is called exactly once, after the records were read
}
