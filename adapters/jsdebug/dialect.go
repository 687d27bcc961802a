package jsdebug

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf16"
	"unicode/utf8"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/jsdebug/inspector"
	"aidb-mcp/internal/system/netstat"
	"aidb-mcp/internal/text/pattern"
	"aidb-mcp/internal/text/quoted"
)

// dialect is how js-debug departs from the protocol's plain word.
type dialect struct {
	adapters.Base
	attached bool                             // the program was not started by us: it has no hook
	joins    bool                             // it was attached to by its number; a pause is lost on one that waits for its debugger (--inspect-brk), as one at a port may
	port     int                              // of the inspector that was attached to
	watchdog string                           // the script that js-debug has each node start beside itself
	modules  bool                             // the program begins with an ES module
	test     string                           // the name of the tests that are wanted
	names    []string                         // of the tests that the source shows
	tests    atomic.Pointer[adapters.TestRun] // what became of them, nil while that is unknown
	unheard  atomic.Bool                      // a run of tests has ended, and no runner has told of them
	observer *observer                        // records beside js-debug
	report   string                           // the file in which the program's tests are recorded, empty without tests

	mu        sync.Mutex      // guards what follows
	sightings []hookReport    // of the threads that stand at an exception
	origin    adapters.Origin // of the exception that was read last
}

// longestValue: js-debug cuts texts there without a word.
const longestValue = 100_000

// Assignment is for what is in no list: computed names, members that are new,
// and what belongs to globalThis.
func (*dialect) Assignment(name, value string) string { return name + " = (" + value + ")" }

func newDialect(j job) *dialect {
	return &dialect{
		Base:     adapters.Base{ID: "pwa-node", Name: "js-debug", Uncaught: []string{"uncaught"}},
		attached: j.Mode == adapters.Attach || j.Mode == adapters.RemoteAttach,
		joins:    j.PID != 0, port: j.port,
	}
}

// Initialize lets the engine start node: then its streams, its exit code and
// its processes are ours.
func (d *dialect) Initialize(args *godap.InitializeRequestArguments) {
	d.Base.Initialize(args)
	args.SupportsRunInTerminalRequest = true
	args.SupportsInvalidatedEvent = false
}

// Stopped knows that the ids of threads and of breakpoints start at 0.
func (d *dialect) Stopped(e godap.StoppedEventBody) adapters.Stop {
	d.forget(e.ThreadId)
	stop := d.Base.Stopped(e)
	stop.HasThread = true
	stop.Hit = slices.Clone(stop.Hit)
	for i := range stop.Hit {
		stop.Hit[i]++
	}
	switch {
	case e.Description == "Paused on debugger statement":
		stop.Reason, stop.Ask = onStatement, true
	case e.Reason == "exception":
		stop.Text = ""
	default:
		stop.Description = "" // it repeats the reason
	}
	return stop
}

// Bound has the ids of breakpoints start at 1: js-debug counts from 0, which is no id, when
// there was none before the program ran.
func (*dialect) Bound(b *godap.Breakpoint) { b.Id++ }

// awaiting matches an expression that waits for another as a whole.
var awaiting = pattern.New(`(?s)^\s*await\s+(.*)$`)

// Truth is JavaScript's own.
func (*dialect) Truth(expr string) string { return "!!(" + expr + ")" }

// Expression: while the program stands still nothing that is awaited can come.
// The promise itself can be seen, with its result when it has one. The repl's
// answers are whole, up to a length, where a watch's are cut short.
func (*dialect) Expression(expr string) (rewritten, context string) {
	if m := awaiting.FindStringSubmatch(expr); m != nil {
		return m[1], "repl"
	}
	return expr, "repl"
}

// TextLength counts a text in the units that slice counts in, of UTF-16.
func (*dialect) TextLength(expr, typ string) string {
	if typ != "string" {
		return ""
	}
	return "(" + expr + ").length"
}

// TextUnits counts a text that js-debug shows whole, and says of others, of which
// it leaves out the middle or the end, that nothing is known.
func (*dialect) TextUnits(v godap.Variable) (n int, known bool) {
	switch {
	case v.Type != "string":
		return 0, false
	case strings.Contains(v.Value, "…") || len(v.Value) >= longestValue:
		return 0, true
	}
	text, ok := quoted.Text(v.Value)
	if inner, template := strings.CutPrefix(v.Value, "`"); template {
		text, ok = strings.TrimSuffix(inner, "`"), strings.HasSuffix(inner, "`") && !strings.Contains(inner, `\`)
	}
	if !ok {
		return 0, true // it has escapes
	}
	n = utf8.RuneCountInString(text)
	for _, r := range text {
		n += utf16.RuneLen(r) - 1
	}
	return n, true
}

// Range slices a text; js-debug gives the elements of other values by pages.
func (*dialect) Range(expr, typ string, start, count int) string {
	if typ != "string" {
		return ""
	}
	return fmt.Sprintf("(%s).slice(%d, %d)", expr, start, start+count)
}

// Correct takes back logpoints, which js-debug writes through the program's own
// console, where they cannot be told from what the program says, and the setting
// of expressions, which V8 does in a copy of the frame.
func (*dialect) Correct(caps *godap.Capabilities) {
	caps.SupportsLogPoints = false
	caps.SupportsSetExpression = false
}

// Opaque knows previews that leave something out.
func (*dialect) Opaque(value, _ string) bool {
	return strings.Contains(value, "…") || strings.Contains(value, "Array(") || strings.Contains(value, "(getter)")
}

// Internal: node's own code, packages, and the labels between asynchronous parts.
func (*dialect) Internal(frame godap.StackFrame) bool {
	if frame.Source == nil || frame.PresentationHint == "label" {
		return true
	}
	path := frame.Source.Path
	if base := filepath.Base(path); base == hookName || base == testHookName {
		return true
	}
	return frame.Source.PresentationHint == "deemphasize" || strings.HasPrefix(path, "<node_internals>") ||
		strings.HasPrefix(path, "node:") || isLibrary(path)
}

// Skipped: V8 stops in what node itself calls as a step goes into an async function.
func (*dialect) Skipped(frame godap.StackFrame) bool {
	return frame.Source != nil && strings.HasPrefix(frame.Source.Path, "<node_internals>")
}

// apart is what the hook adds to a file's name where it shows an error again.
const apart = "?aidb"

// receiver matches what V8 puts before a function's name to say what it was
// called on, where that tells nothing.
var receiver = pattern.New(`^(?:global|globalThis|Object|Function|Module|process)\.`)

// Frame leaves the name that stands in the source.
func (*dialect) Frame(frame godap.StackFrame) godap.StackFrame {
	name := frame.Name
	if i := strings.LastIndexAny(name, "{}"); i >= 0 { // V8 took a function's text for its name, or has what it was called on before it
		name = strings.TrimPrefix(name[i+1:], ".")
		if _, behind, cut := strings.Cut(name, "…."); cut {
			name = behind
		}
	}
	name = receiver.ReplaceAllString(name, "")
	if name == "<anonymous>" || name == "" {
		name = "(anonymous)"
	}
	frame.Name = name
	if frame.Source != nil && strings.HasSuffix(frame.Source.Path, apart) {
		source := *frame.Source
		source.Path, source.Name = strings.TrimSuffix(source.Path, apart), strings.TrimSuffix(source.Name, apart)
		frame.Source = &source
	}
	return frame
}

// failedCondition is how js-debug lets the program say that a condition failed.
const failedCondition = "Breakpoint condition error: "

// noise are the lines that node writes to its standard error because it is
// debugged.
var noise = []string{
	"Debugger attached.",
	"Debugger ending on ",
	"Debugger listening on ",
	"Waiting for the debugger to disconnect...",
	"For help, see: https://nodejs.org/en/docs/inspector",
	"For help, see: https://nodejs.org/learn/getting-started/debugging",
	failedCondition,
}

// planted is what stands for a breakpoint in a script (hook/plants.cjs): node quotes the line of
// an error.
var planted = pattern.New(`;if\(__aidb\.plants\[\d+\]\)debugger;`)

// Noise knows them.
func (*dialect) Noise(stream, line string) bool {
	return stream == "stderr" && slices.ContainsFunc(noise, func(n string) bool { return strings.HasPrefix(line, n) })
}

// OfDebugger knows the inspector that was attached to, and that of a process that the program has
// started: it is open before js-debug has attached to it.
func (d *dialect) OfDebugger(socket netstat.Socket) bool {
	port := int(socket.Address.Port())
	return d.port != 0 && port == d.port || inspector.IsOf(socket.PID, port) || isOpenedByNode(socket)
}

// Sift drops what js-debug tells its makers, and lifts what it says of itself
// out of what it repeats of the program's output.
func (*dialect) Sift(e godap.OutputEventBody) (godap.OutputEventBody, bool) {
	if strings.HasPrefix(e.Output, failedCondition) {
		return e, false // the stop tells it
	}
	if e.Category == "stderr" && ofBreakpoints.MatchString(e.Output) {
		e.Category = "important"
	}
	return e, e.Category != "telemetry"
}

// ofBreakpoints matches js-debug's own words about conditions.
var ofBreakpoints = pattern.New(`^(?:Syntax error setting breakpoint|Hit condition)`)

var (
	_ adapters.Dialect = (*dialect)(nil)
)
