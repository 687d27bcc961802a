// Package adapters is the contract between the session engine and the debug
// adapters of each language: how one is found, started and shaken hands with,
// and what it does differently from the protocol's word.
//
// A language is one folder below this one and one line in the registry. The
// package and its folders know nothing of sessions and nothing of MCP.
package adapters

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/dap"
	"aidb-mcp/internal/process"
)

// Mode is how the debuggee comes to be debugged.
type Mode string

// The modes of session_start.
const (
	Launch       Mode = "launch"
	Test         Mode = "test"
	Exec         Mode = "exec"
	Core         Mode = "core"
	Attach       Mode = "attach"
	RemoteAttach Mode = "remote_attach"
)

// Info says what an adapter is, without looking at the machine.
type Info struct {
	Language   string   // "go"; also the prefix of session ids
	Aliases    []string // "golang"
	Name       string   // "Delve"
	Extensions []string // ".go"
	Modes      []Mode

	// LaunchTypes are the types of launch.json entries that mean this adapter,
	// beside its language and aliases; LaunchOptions the members of such entries
	// that are options of this adapter, and what it calls them; "name[]" is a list
	// that an entry may write as one text.
	LaunchTypes   []string
	LaunchOptions map[string]string
}

// PathMapping translates between the program's paths and ours.
type PathMapping struct {
	Local  string `json:"local"`
	Remote string `json:"remote"`
}

// Request is what the user asked to debug. Paths are as given; Workspace is absolute.
type Request struct {
	Target, Module, Test string
	Mode                 Mode // empty: infer
	Args                 []string
	Env                  map[string]string
	EnvFile              string
	Cwd                  string
	RuntimePath          string
	BuildArgs            []string
	PID                  int
	Host                 string
	Port                 int
	CoreFile             string
	PathMappings         []PathMapping
	SourcePaths          []string
	StopOnEntry          bool
	JustMyCode           *bool
	Options              json.RawMessage // adapter_options, passed through
	Workspace            string          // absolute
}

// Adapter knows one debug adapter. Implementations are stateless and safe for
// concurrent use; what belongs to one session lives in the Plan and Dialect
// that Plan returns.
type Adapter interface {
	Info() Info

	// Claims says how surely the request is this language's: 0 not at all, 100
	// certain (an existing file with its extension). It only looks at files.
	Claims(Request) int

	// Check says whether the adapter can run here, and what would mend it.
	Check(ctx context.Context) Readiness

	// Plan validates the request, infers its mode, builds what must be built and
	// answers how to start. It may take as long as a build; ctx ends it, with
	// every process it started. Progress may be nil. Errors are *fault.Error.
	Plan(ctx context.Context, r Request, progress func(string)) (*Plan, error)
}

// Advertiser is an adapter that can say what it will be able to do before
// anything is started.
type Advertiser interface {
	Advertise() (godap.Capabilities, Dialect, error)
}

// Preparer is an adapter that can do once, when it is installed, what would
// otherwise make its first session slow. Errors are *fault.Error.
type Preparer interface {
	Prepare(ctx context.Context, progress func(string)) error
	Prepared() string // name of the folder, among the installed ones, that holds it
}

// Readiness is the state of an adapter on this machine.
type Readiness struct {
	Ready   bool
	Absent  bool // not ready because it is not installed, which is no fault of the machine
	Version string
	Path    string
	Problem string // why not, or a warning
	Remedy  string // what to do about it
}

// Plan is how one session is started. Close releases what it holds (scratch
// files, streams) and is called exactly once, whatever happened after.
type Plan struct {
	Mode    Mode     // as inferred
	Target  string   // what is debugged, for people: "./cmd/app", "TestParse in ./pkg"
	Dir     string   // the program's working directory, absolute, empty if unknown
	Modules []string // roots that count as user code (absolute directories)

	// Open starts or dials the adapter. The stream ends when the adapter does.
	Open func(ctx context.Context) (*Peer, error)

	Request   string // "launch" or "attach"
	Arguments any    // of that request, marshalled as they are

	// Warnings are told once, with the first reply.
	Warnings []string

	// Streams of the program when we hold them ourselves, else nil and output
	// comes as DAP events.
	Streams *Streams

	// Detach: leave the program running at the end unless told to kill it.
	Detach bool

	// Child connects a session that the adapter asks for with the
	// startDebugging reverse request (or that an Announcer made out of an event):
	// another process, or another thread, of the same program. It is called on a
	// goroutine of its own, once for each. Nil: such requests are refused.
	Child func(ctx context.Context, request string, configuration json.RawMessage) (*Child, error)
	// Broker: the connection of Open has no program of its own and only asks for
	// child sessions. It is sent no breakpoints, and the first child that it asks
	// for is the program.
	Broker bool
	// OneThreadSpace: thread ids are unique across the connections. Otherwise the
	// engine tells the threads of later connections apart by renumbering them.
	OneThreadSpace bool
	// ThreadsFromZero: the adapter counts threads from 0, and we from 1, for
	// whom 0 is no thread.
	ThreadsFromZero bool

	Dialect Dialect
	Close   func()
}

// Child is how one child session is connected and shaken hands with.
type Child struct {
	Peer      *Peer // its Kill must not end what other connections need
	Name      string
	Request   string // "launch" or "attach"
	Arguments any
}

// Peer is a running adapter. For a remote one only Stream is set.
type Peer struct {
	Stream io.ReadWriteCloser
	// Done is closed when the adapter's process tree is gone, nil for remote ones.
	Done <-chan struct{}
	// Kill ends the whole tree at once and waits for it. Never nil.
	Kill func()
	// Stderr returns the last lines of the adapter's stderr. Never nil.
	Stderr func() string
	// Program is the process when it is the program itself that serves DAP, else
	// nil: its streams and its end are the program's.
	Program *process.Child
}

// Streams are the program's standard streams. The readers end with the program.
type Streams struct {
	Stdin          io.WriteCloser
	Stdout, Stderr *os.File
}

// Dialect is what one adapter says differently, consulted by the engine at the
// named moments. Base has the protocol's plain behaviour: embed it.
type Dialect interface {
	// AdapterID and ClientCaps go into initialize.
	Initialize(*godap.InitializeRequestArguments)
	// Filters turns the user's choice (uncaught, all, none or filter names) into
	// filters among those the adapter advertised. Unknown names are an error that lists the known.
	Filters(choice []string, advertised []godap.ExceptionBreakpointsFilter) ([]string, error)
	// Entry names a function to break on in place of stopOnEntry; empty when the
	// adapter's own entry stop is useful.
	Entry() string
	// Stopped translates a stopped event to its plain meaning.
	Stopped(godap.StoppedEventBody) Stop
	// Expression rewrites what the user wrote into what the adapter evaluates.
	// Context is "watch" or "repl".
	Expression(expr string) (rewritten, context string)
	// Range is the expression for elements [start,start+count) of a value, for
	// adapters that cannot page; empty when it cannot be said.
	Range(expr, typ string, start, count int) string
	// Fault turns an adapter's error text into plain words and a hint ("" if none).
	Fault(op string, err error) (message, hint string)
	// Internal says whether a frame belongs to the runtime or a library, so
	// that the user's frames are shown first.
	Internal(frame godap.StackFrame) bool
	// Wait says what a thread with these frames (top first) waits for, empty if it runs.
	Wait(frames []godap.StackFrame) string
	// ThreadName cleans the name of a thread.
	ThreadName(godap.Thread) string
	// Signal turns an exit code into a signal name, empty when it is a plain code.
	Signal(exitCode int) string
	// Variables tidies the children of a scope or value: drops pseudo entries, names nameless ones.
	Variables(parent string, vars []godap.Variable) []godap.Variable
	// CanJump and so on are asked of the optional interfaces below.
}

// Stop is a stopped event in plain words.
type Stop struct {
	Reason      string // breakpoint, function breakpoint, data breakpoint, instruction breakpoint, step, entry, pause, exception, signal, error
	Description string
	Text        string
	ThreadID    int // 0 with HasThread false: ask threads
	HasThread   bool
	Hit         []int // adapter's ids
	// Vague: the adapter gives this reason to the end of a step too; the engine
	// looks where the program stands.
	Vague bool
	// Resume: the adapter wants "continue" to finish an interrupted step; the
	// engine does so by itself and no stop is reported.
	Resume bool
	// Gone: the adapter has found that the program is no longer there; how it
	// went: "SIGKILL (killed)". It is the end of the program.
	Gone string
	// Echo: nothing has happened, the program stands where it stood. Such an event
	// is passed over.
	Echo bool
	// Ask: the dialect has to look at the program first; it is a StopReader.
	Ask bool
	// Error: the stop reports a failed command or condition, not an event of the program.
	Error string
}

// Caller sends requests of an adapter's own kind.
type Caller interface {
	Call(ctx context.Context, command string, arguments, body any) error
	Send(command string, arguments any) *dap.Pending
}

// The optional powers of a dialect: things beyond the protocol that one
// adapter can do. The engine asks with a type assertion and supplies the plain
// way, or says that it is impossible, when the answer is no.
type (
	// ThreadDigester lists threads with stacks and what they wait for in one go.
	ThreadDigester interface {
		Digest(ctx context.Context, c Caller, depth int) ([]ThreadState, error)
	}
	// LineFinder names the lines of a file nearest to line that can hold a
	// breakpoint, nearest first, at most n; or the functions whose names are like name.
	LineFinder interface {
		Lines(ctx context.Context, c Caller, file string, line, n int) ([]int, error)
		Functions(ctx context.Context, c Caller, name string, n int) ([]string, error)
	}
	// Jumper moves the point of execution of a thread.
	Jumper interface {
		Jump(ctx context.Context, c Caller, thread int, file string, line int) error
	}
	// MemoryReader reads memory at any address (0x…).
	MemoryReader interface {
		Memory(ctx context.Context, c Caller, address uint64, length int) ([]byte, error)
	}
	// RegisterReader reads the registers of a frame.
	RegisterReader interface {
		Registers(ctx context.Context, c Caller, thread, frame int) ([]godap.Variable, error)
	}
	// PackageLister lists the global variables (of the frame's package when all is false).
	GlobalLister interface {
		Globals(ctx context.Context, c Caller, thread, frame int, filter string) ([]godap.Variable, error)
	}
	// ReturnReader reads the values that a stepped-out-of function returned.
	ReturnReader interface {
		Returned(ctx context.Context, c Caller, thread int) ([]godap.Variable, error)
	}
	// Snapshotter marks adapters whose scopes hold the values of the moment of
	// the stop, whatever is set since: the engine then asks for each name.
	Snapshotter interface {
		Snapshots()
	}
	// Momentary knows pauses that caught a thread at a moment which shows nothing
	// of the program, such as the delivery of a signal: the engine pauses again.
	Momentary interface {
		Momentary(frames []godap.StackFrame) bool
	}
	// CallJudge knows by the results of a call, made for an expression that
	// Expression has rewritten, that it failed, and why.
	CallJudge interface {
		Failed(results []godap.Variable) (why string, failed bool)
	}
	// LateLeaver marks adapters whose step out stands still in the function that it
	// leaves, at its end: the engine takes the last step.
	LateLeaver interface {
		LeavesLate() bool
	}
	// FramedExpression takes the place of Expression where the frame (its DAP id)
	// must stand in what the adapter evaluates.
	FramedExpression interface {
		ExpressionIn(frame int, expr string) (rewritten, context string)
	}
	// ResultJudge knows by the result of an evaluation that it failed, and why,
	// where the adapter reports a success.
	ResultJudge interface {
		Judge(result godap.EvaluateResponseBody) (why string, failed bool)
	}
	// Assigner writes an assignment as an expression, for adapters that can
	// evaluate one and have no request for it; empty when it cannot be said.
	Assigner interface {
		Assignment(name, value string) string
	}
	// Measurer knows the length in bytes of a value that the adapter has cut; 0
	// when the value is whole or the length unknown.
	Measurer interface {
		FullLength(v godap.Variable) int
	}
	// Indirection knows children that only stand for the value itself, such as
	// what a pointer points to: the engine shows what they hold in their place.
	Indirection interface {
		Indirect(child godap.Variable) bool
	}
	// ArgumentLister names the arguments of a frame's function, where the scopes
	// do not tell them from locals.
	ArgumentLister interface {
		Arguments(ctx context.Context, c Caller, thread, frame int) ([]string, error)
	}
	// AddressTaker gives an expression whose value is the address of what
	// another names (with or without the language's own sign for it).
	AddressTaker interface {
		AddressOf(expression string) string
	}
	// AddressFinder finds the first instruction of a line, or of a function when it is named.
	AddressFinder interface {
		Address(ctx context.Context, c Caller, file string, line int, function string) (uint64, error)
	}
	// WatchDropper marks adapters that forget a watchpoint without a word when
	// its variable goes out of scope, and that leave alone, with its id, one that
	// is set again: the engine then looks at each stop which are left.
	WatchDropper interface {
		DropsWatches()
	}
	// Announcer finds in an event of an adapter's own kind the wish for a child
	// session, as if it were a startDebugging request.
	Announcer interface {
		Announced(event string, body json.RawMessage) (request string, configuration json.RawMessage, ok bool)
	}
	// StopsOnFailure marks adapters that stop, without a word, where a condition
	// cannot be evaluated: the engine evaluates it once more to say so.
	StopsOnFailure interface {
		StopsOnFailedConditions()
	}
	// Counter finds the number of elements of a value among its children, where
	// the adapter does not tell it with the value and sends only the first ones.
	Counter interface {
		Count(children []godap.Variable) (n int, known bool)
	}
	// Pager reads elements [start,start+count) of a value by its path, for
	// adapters that can only list all of them. The frame is a DAP frame id. An
	// empty answer leaves it to the adapter.
	Pager interface {
		Page(ctx context.Context, c Caller, frame int, path string, start, count int) ([]godap.Variable, error)
	}
	// WatchFinder names the memory of an expression for setDataBreakpoints, where
	// the adapter's own dataBreakpointInfo does not read expressions. The frame
	// is counted from the very top of the thread.
	WatchFinder interface {
		DataID(ctx context.Context, c Caller, thread, frame int, expression string) (string, error)
	}
	// StopReader completes a stop that has Ask set, and one at a breakpoint whose
	// condition the adapter has checked: Error says that this failed.
	StopReader interface {
		ReadStop(ctx context.Context, c Caller, stop Stop) Stop
	}
	// Binder corrects what the adapter says about a breakpoint, in place.
	Binder interface {
		Bound(b *godap.Breakpoint)
	}
	// Corrector takes back what an adapter claims of itself and does badly, so
	// that the engine supplies it; it is called with each word on capabilities.
	Corrector interface {
		Correct(caps *godap.Capabilities)
	}
	// ScopeTeller says which scopes besides locals the adapter's frames have, so
	// that it can be told before one has been looked at.
	ScopeTeller interface {
		HasScopes() (registers, globals bool)
	}
	// OpaqueJudge knows that a value's text does not show what is in it, such as
	// "Order" or "size=3": the engine then opens one that was asked for.
	OpaqueJudge interface {
		Opaque(value, typ string) bool
	}
	// ScopeTidier says by their hints (locals, arguments, globals, registers)
	// which of a frame's scopes are what, and leaves out those of no interest.
	ScopeTidier interface {
		Scopes(scopes []godap.Scope) []godap.Scope
	}
	// FilterConditioner puts conditions to exception filters, which the adapter
	// checks, in words of its own: those that it names are sent with a condition
	// (further ones too) in place of the plain filter.
	FilterConditioner interface {
		Conditioned(filters []string) []godap.ExceptionFilterOptions
	}
	// FrameTidier puts a frame in the words of the language: a name without a
	// hash or a wrapper's prefix. It must not change ids.
	FrameTidier interface {
		Frame(godap.StackFrame) godap.StackFrame
	}
	// NoiseJudge knows whole lines (without their end) that the runtime writes
	// into the program's streams because it is debugged: they are not shown.
	// Stream is stdout or stderr.
	NoiseJudge interface {
		Noise(stream, line string) bool
	}
	// OutputSifter looks at each output event before it is kept: it may change
	// the category (stdout, stderr, console, important, telemetry, and log for
	// what a logpoint wrote) and the text,
	// and drops the event when it says so. It is called on the reading goroutine.
	OutputSifter interface {
		Sift(event godap.OutputEventBody) (kept godap.OutputEventBody, keep bool)
	}
	// DefinitionFinder finds where a function is defined by reading the user's
	// source below the roots (absolute): for adapters without function
	// breakpoints, and for those that bind any name. Line is the first line with
	// code in the body. Like names near misses when there is no such function.
	DefinitionFinder interface {
		Definitions(ctx context.Context, name string, roots []string) (at []Place, like []string, err error)
	}
	// Patcher replaces code in the running program; the program stands still in
	// the frame. The frame is a DAP frame id.
	Patcher interface {
		Patch(ctx context.Context, c Caller, thread, frame int, p Patch) (Patched, error)
	}
	// ExceptionReader completes what exceptionInfo said (empty when the adapter has
	// no such request) with what else can be asked: causes, a message, the place.
	ExceptionReader interface {
		Exception(ctx context.Context, c Caller, thread int, said *godap.ExceptionInfoResponseBody) (*godap.ExceptionDetails, error)
	}
	// ModuleLister lists the program's modules (packages, libraries) with versions.
	ModuleLister interface {
		Modules(ctx context.Context, c Caller, filter string) ([]godap.Module, error)
	}
)

// Place is a line of a file.
type Place struct {
	File string // absolute
	Line int    // from 1
}

// Patch is code that is to take the place of what runs.
type Patch struct {
	Name string // of the function, method or class; may be empty when the code says it
	Code string // its new definition, whole
	File string // absolute path of the file that the code belongs to, empty when not said
}

// Patched says what was replaced.
type Patched struct {
	Name  string   // as the program knows it: "shop.pricing.discount"
	Notes []string // what still runs the old code, such as frames that are active
}

// ThreadState is one thread (or goroutine) of a digest.
type ThreadState struct {
	ID      int
	Name    string
	Waiting string        // "chan receive", "sync.Mutex.Lock", empty when running
	Since   time.Duration // how long it has waited, 0 when unknown
	Object  string        // what it waits on, where known: "chan 0xc000012345"
	Labels  map[string]string
	System  bool
	Frames  []godap.StackFrame // user's view, top first, without ids
}
