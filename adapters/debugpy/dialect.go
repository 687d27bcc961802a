package debugpy

import (
	"slices"
	"strings"
	"sync/atomic"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/observe/attach"
	"aidb-mcp/internal/text/pattern"
)

// dialect is how debugpy departs from the protocol's plain word. It belongs to
// one session.
type dialect struct {
	base
	tests    bool                      // the program is a test framework
	attached bool                      // the program's streams are not ours
	searched []string                  // directories in which the interpreter looks for modules
	home     string                    // directory of the adapter, empty for a remote one
	follows  func(command string) bool // of processes that outlive the first; nil: it is over with that
	scratch  string                    // a private directory, empty for a remote one
	remote   bool                      // the program may be on another machine
	armed    attach.ArmedRecorders
	profiles *adapter // which profiles the program while it runs; nil where it cannot

	stacks  stackFilters
	raised  atomic.Bool                      // exceptions stop where they are raised
	testRun atomic.Pointer[adapters.TestRun] // nil when none has been reported
	left    atomic.Int64                     // processes that still ran when the program was over
}

// base has the protocol's plain behaviour.
type base = adapters.Base

func plainBase() base {
	return base{
		ID: "debugpy", Name: "debugpy",
		Uncaught: []string{"uncaught"},
		Meanings: map[string][]string{"all": {"raised", "uncaught"}},
	}
}

// Initialize: children are announced by a request, and the program is started
// in a terminal of the engine's.
func (d *dialect) Initialize(args *godap.InitializeRequestArguments) {
	d.base.Initialize(args)
	args.SupportsRunInTerminalRequest = true
	args.SupportsStartDebuggingRequest = true
}

// Filters: what fails a test stops with those that nobody catches, see tests.py.
func (d *dialect) Filters(choice []string, advertised []godap.ExceptionBreakpointsFilter) ([]string, error) {
	filters, err := d.base.Filters(choice, advertised)
	if err == nil {
		d.raised.Store(slices.Contains(filters, "raised"))
	}
	return filters, err
}

// Correct takes back what debugpy claims: it binds any function name, existing
// or not, so the engine looks for the definition.
func (*dialect) Correct(caps *godap.Capabilities) {
	caps.SupportsFunctionBreakpoints = false
}

// notLoaded begins what our adapter says of a breakpoint in a file that the program
// has not loaded.
const notLoaded = "the program has not loaded this file"

// Pending says that of it.
func (*dialect) Pending(reason string) bool { return strings.HasPrefix(reason, notLoaded) }

// escaped is what is put behind the type of an exception that leaves the user's code.
var escaped = pattern.New(`\s+\(note: full exception trace is shown but execution is paused at: .*\)$`)

// skips are exceptions by which a test framework steers: no failures.
var skips = []string{"SkipTest", "Skipped", "XFailed", "_ShouldStop", "Exit", "_SkipTest"}

// Stopped: the text of a stop on an exception is its type, the description its message.
func (d *dialect) Stopped(body godap.StoppedEventBody) adapters.Stop {
	stop := d.base.Stopped(body)
	// Ids count from 0, which is no id for the engine: it goes by the place then.
	stop.Hit = slices.DeleteFunc(slices.Clone(stop.Hit), func(id int) bool { return id == 0 })
	if stop.Reason == "exception" {
		stop.Description, stop.Text = escaped.ReplaceAllString(body.Text, ""), ownMessage(body.Description)
		own := stop.Description[strings.LastIndexByte(stop.Description, '.')+1:]
		stop.Resume = d.tests && slices.Contains(skips, own)
		stop.Ask = d.raised.Load() && !stop.Resume
	}
	return stop
}

// Truth is Python's own: empty collections, zero of any kind and None are false.
func (*dialect) Truth(expr string) string { return "bool((" + expr + "))" }

// Expression: statements are executed, expressions evaluated.
func (*dialect) Expression(expr string) (rewritten, context string) {
	expr = strings.TrimSpace(expr)
	if isStatement(expr) {
		return expr, "repl"
	}
	return expr, "watch"
}

// statement matches what begins with a word that no expression begins with.
var statement = pattern.New(`^(import|from|del|assert|raise|for|while|with|def|class|pass|global|nonlocal|try|if|return|async)\b`)

// isStatement tells an assignment or another statement from an expression.
func isStatement(text string) bool {
	if statement.MatchString(text) {
		return true
	}
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"', '\'':
			i = afterString(text, i)
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '\n', ';':
			if depth == 0 {
				return true
			}
		case '=':
			switch {
			case i+1 < len(text) && text[i+1] == '=':
				i++
			case depth == 0 && (i == 0 || strings.IndexByte("<>!:", text[i-1]) < 0 || i > 1 && text[i-1] == text[i-2]):
				return !strings.HasPrefix(text, "lambda ")
			}
		}
	}
	return false
}

// afterString is the index of the last character of the string that begins at i.
func afterString(text string, i int) int {
	quote := text[i : i+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(text[i:], triple) {
		quote = triple
	}
	for at := i + len(quote); at < len(text); at++ {
		if text[at] == '\\' {
			at++
		} else if strings.HasPrefix(text[at:], quote) {
			return at + len(quote) - 1
		}
	}
	return len(text)
}

// chained is what the frames of an exception's causes are called: they lie below
// the stack and are no part of it.
const chained = "[Chained Exc: "

// Internal says that of libraries, of debugpy and of frames that are shown for
// an exception's causes.
func (*dialect) Internal(frame godap.StackFrame) bool {
	if frame.Source == nil || strings.HasPrefix(frame.Name, chained) || frame.PresentationHint == "subtle" {
		return true
	}
	return isLibrary(frame.Source.Path)
}

// installed matches where interpreters keep the standard library and packages.
var installed = pattern.New(`[/\\](site-packages|dist-packages)[/\\]|[/\\][Ll]ib[/\\](python|pypy)\d[\d.]*t?[/\\]|[/\\]debugpy[/\\](_vendored|server|launcher|adapter)[/\\]|^<frozen |[/\\]Python\d*[/\\]Lib[/\\]`)

func isLibrary(path string) bool {
	return path == "" || installed.MatchString(path) || strings.HasPrefix(path, "<") && !strings.HasPrefix(path, "<string")
}

// current is what the name of the frame is given where an exception leaves the user's code.
const current = " (Current frame)"

// Frame leaves the function's own name.
func (*dialect) Frame(f godap.StackFrame) godap.StackFrame {
	f.Name = strings.TrimSuffix(f.Name, current)
	if f.Column == 1 {
		f.Column = 0 // it is always said and never known
	}
	return f
}

// waits are functions of the standard library that wait, by file and name.
var waits = []struct{ file, name, what string }{
	{"threading.py", "wait", "a lock or event (threading)"},
	{"threading.py", "join", "the end of a thread (join)"},
	{"threading.py", "_wait_for_tstate_lock", "the end of a thread (join)"},
	{"threading.py", "acquire", "a lock (threading)"},
	{"thread.py", "_worker", "work for its executor"},
	{"queue.py", "get", "an item in a queue"},
	{"queue.py", "put", "room in a queue"},
	{"selectors.py", "select", "input, output or a timer (select)"},
	{"socket.py", "accept", "a connection (socket)"},
	{"socket.py", "readinto", "data (socket)"},
	{"subprocess.py", "wait", "the end of a process"},
	{"subprocess.py", "communicate", "a process"},
	{"connection.py", "poll", "another process (pipe)"},
	{"connection.py", "_recv", "another process (pipe)"},
	{"popen_fork.py", "poll", "the end of a process"},
	{"synchronize.py", "__enter__", "a lock between processes"},
}

// Wait knows a few functions of the standard library.
func (*dialect) Wait(frames []godap.StackFrame) string {
	waiting := ""
	for _, f := range frames[:min(len(frames), 4)] {
		if f.Source == nil || !isLibrary(f.Source.Path) {
			break
		}
		for _, w := range waits {
			if f.Name == w.name && strings.HasSuffix(f.Source.Path, w.file) {
				waiting = w.what // the nearest to the user's code says most
			}
		}
	}
	return waiting
}

var (
	_ adapters.Dialect = (*dialect)(nil)
)
