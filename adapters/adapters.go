// Package adapters is the contract between the session engine and the debug
// adapters of each language: how one is found, started and shaken hands with,
// and what it does differently from the protocol's word.
//
// A language is one folder below this one and one line in the registry. The
// package and its folders know nothing of sessions and nothing of MCP.
package adapters

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"os"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters/install"
	"aidb-mcp/internal/commands/bench/debuggee"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/exprsyntax"
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

// Editors are the names of a language's debugger in editors; empty where there is none.
type Editors struct {
	VSCode     string // the type of a launch.json entry
	VSCodeMode string // its mode, where that type wants one
	Zed        string // the adapter of an entry of debug.json
}

// Info says what an adapter is, without looking at the machine.
type Info struct {
	Language   string   // "go"; also the prefix of session ids
	Title      string   // "C++", for people; empty: Language with a capital
	Aliases    []string // "golang"
	Name       string   // "Delve"
	Extensions []string // ".go"
	Modes      []Mode

	// Traces: it holds the processes that it attaches to by the system's means, of
	// which each process can have one.
	Traces bool

	// OneClient: what serves its programs to debuggers at a port accepts connections
	// while a debugger is attached, and turns them away.
	OneClient bool

	// Elsewhere says what installs an adapter that is neither part of this program
	// nor fetched by it; empty for all others.
	Elsewhere string

	// LaunchTypes are the types of launch.json entries that mean this adapter,
	// beside its language and aliases; LaunchOptions the members of such entries
	// that are options of this adapter, and what it calls them; "name[]" is a list
	// that an entry may write as one text.
	LaunchTypes   []string
	LaunchOptions map[string]string
	// LaunchRest: every member of such an entry that is no parameter of a start is an
	// option, under its own name.
	LaunchRest bool

	// Editors is what editors call a debugger of this language, for a person who joins a
	// session with theirs.
	Editors Editors

	// Reads is nil for an expression that only reads, and says else why not: "it
	// calls a function". A nil Reads: what an expression does is not known.
	Reads func(expression string) error
	// Effects is like Reads, but takes a call of what the language itself has for reading,
	// as len(x), for no call: that is enough to say what a run was changed by, and not to
	// allow it. Nil: it is as Reads.
	Effects func(expression string) error

	// Parts takes a statement apart into what it evaluates, in that order; nil: nobody
	// knows how.
	Parts func(statement string) []exprsyntax.Part
	// Above are entries of the folders above a workspace that a program in it is run
	// with: what is installed for several of them.
	Above []string

	// Apart is the directory outside of workspaces in which programs of the language, on this
	// machine, find each other: each trial gets one of its own. Empty or nil: there is none.
	Apart func() string

	// Statements reads statements of the language; nil: nobody can.
	Statements Statements
	// Body is what a function evaluates that is written on a line and takes one of the
	// names that are known where it runs; nil: nobody knows.
	Body func(line string, known func(name string) bool) string

	// Comment is what begins a remark that ends with its line; empty: not known.
	Comment string
	// Failures is how failures are written.
	Failures FailureSyntax

	// Project is what its projects look like; nil: only that they have its extensions is known.
	Project *workspace.Support

	// Components are what can be downloaded for it; nil: nothing. Several languages may name the same.
	Components func() []install.Component

	// Sample is the program with which an installation is tried; without a target it is not.
	Sample Sample
	// Bench is what the benchmark measures of the language; nil: nothing.
	Bench func() debuggee.Set
}

// LanguageTitle is the language's name for people.
func (i Info) LanguageTitle() string {
	return cmp.Or(i.Title, strings.ToUpper(i.Language[:1])+i.Language[1:])
}

// Statements reads what the value may be that a statement puts somewhere, and what it gives
// to the functions that it calls.
type Statements interface {
	Sources(statement string) []exprsyntax.Source
	Calls(statement, function string) [][]exprsyntax.Argument
	Written(statement string) []exprsyntax.Written
	Reserved(word string) bool // it is none of the program's names
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

	// Services are what it can do beside that, without a session.
	Services() Services
}

// Readiness is the state of an adapter on this machine.
type Readiness struct {
	Ready   bool
	Absent  bool // not ready because it is not installed, which is no fault of the machine
	Unbuilt bool // ready, but nothing can be built: there is no toolchain
	Version string
	Path    string
	Problem string // why not, or a warning
	Remedy  string // what to do about it
}

// TrueCause says what the machine lacks, when that is its problem.
func (r Readiness) TrueCause() Readiness {
	failure := fault.New(fault.AdapterNotFound, "%s", r.Problem).WithHint("%s", r.Remedy).TrueCause()
	if r.Problem != "" {
		r.Problem, r.Remedy = failure.Message, failure.Hint
	}
	return r
}

// Plan is how one session is started. Close releases what it holds (scratch
// files, streams) and is called exactly once, whatever happened after.
type Plan struct {
	Mode    Mode     // as inferred
	Target  string   // what is debugged, for people: "./cmd/app", "TestParse in ./pkg"
	Dir     string   // the program's working directory, absolute, empty if unknown
	Modules []string // roots that count as user code (absolute directories)
	// Program is the file of a program that was there before the session, absolute, or the
	// system's name of a process's; empty where it was built for the session, or its sources run.
	Program string

	// Open starts or dials the adapter. The stream ends when the adapter does.
	Open func(ctx context.Context) (*Peer, error)

	Request   string // "launch" or "attach"
	Arguments any    // of that request, marshalled as they are

	// Warnings are told once, with the first reply.
	Warnings []string

	// Records is the directory of what the program notes ([Request.Record]), which is
	// there until Close; empty: it notes nothing.
	Records string

	// Streams of the program when we hold them ourselves, else nil and output
	// comes as DAP events.
	Streams *Streams

	// Detach: leave the program running at the end unless told to kill it.
	Detach bool

	// Child connects a session that the adapter asks for with the
	// startDebugging reverse request:
	// another process, or another thread, of the same program. It is called on a
	// goroutine of its own, once for each. Nil: such requests are refused.
	Child func(ctx context.Context, request string, configuration json.RawMessage) (*Child, error)
	// Broker: the connection of Open has no program of its own and only asks for
	// child sessions. It is sent no breakpoints, and the first child that it asks
	// for is the program.
	Broker bool

	Dialect      Dialect
	Capabilities Capabilities
	Close        func()
}

// Child is how one child session is connected and shaken hands with.
type Child struct {
	Peer      *Peer // its Kill must not end what other connections need
	Name      string
	PID       int    // of its process, 0 when not known
	Request   string // "launch" or "attach"
	Arguments any
}

// Peer is a running adapter. For a remote one only Stream is set.
type Peer struct {
	Stream io.ReadWriteCloser
	// Done is closed when the adapter's process tree is gone, nil for remote ones.
	Done <-chan struct{}
	// PID is the adapter's process, 0 where it is none that we have started.
	PID int
	// Kill ends the whole tree at once and waits for it. Never nil.
	Kill func()
	// Stderr returns the last lines of the adapter's stderr. Never nil.
	Stderr func() string
	// Orphans are the processes that the program has left behind; nil: not known.
	Orphans func() []process.Other
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
	// Truth is an expression, as a user would write it, whose value is true or
	// false (or a number) by the language's own judgement of expr: "bool(expr)".
	// Conditions that the engine checks are evaluated so.
	Truth(expr string) string
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
}
