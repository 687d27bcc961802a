package native

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/native/binary"
	"aidb-mcp/adapters/native/build"
	"aidb-mcp/internal/text/pattern"
)

// common is what is said the same of all native programs, whatever the debugger.
type common struct {
	adapters.Base
	commands  string // context of evaluate in which the debugger's commands are run and answer
	lang      build.Language
	entry     string
	modules   []string
	pid       int  // of a program that was attached to
	bare      bool // there is no debug information that would tell the user's code
	entryStop bool // stop_on_entry
	core      bool
	plain     bool // the program's output comes as events
	section   bool // it is a part of a test that is to run

	forks  atomic.Int64 // how often the program has forked, known at its end
	forked atomic.Int64 // which process that was; 0: not known
	throws atomic.Bool  // stops at exceptions when they are thrown

	mu     sync.Mutex
	remote bool              // nothing has been heard yet of a program on a server
	joined bool              // the next stop is that of joining it, which CodeLLDB tells once more when it is ready
	signal string            // of the last stop, if a signal caused it
	killer string            // the signal that ended the program, where the debugger says so
	origin []adapters.Thrown // of the exception of the last stop, which was thrown again: the frames of its first throw
	report bool              // the last stop is the report of a sanitizer
	parts  map[int]int       // breakpoints of the debugger's that are parts of one: id of the part → id that was answered
	ways   map[int]int       // breakpoints of ours on the other ways to a line: id → that of the one on the line
	none   bool              // nothing of the kind is to stop it, not even what ends it
}

func newCommon(id, commands string, s *start) common {
	return common{
		Base:     adapters.Base{ID: id, Name: s.debugger.String(), Uncaught: []string{}},
		commands: commands, lang: s.lang, entry: s.entry, modules: s.modules,
		pid: s.pid, core: s.program.core != "", entryStop: s.StopOnEntry, remote: s.remote != "", bare: s.options.NoDebugInfo,
		joined: s.remote != "" && s.debugger.kind == codeLLDB,
		plain:  s.starts() && s.io == nil, section: namesSection(s.args),
	}
}

// Entry: the debuggers' own entry stop is in the dynamic loader.
func (c *common) Entry() string { return c.entry }

// Filters notes whether exceptions stop the program as they are thrown. An
// uncaught one always does: it ends in SIGABRT.
func (c *common) Filters(choice []string, advertised []godap.ExceptionBreakpointsFilter) ([]string, error) {
	filters, err := c.Base.Filters(choice, advertised)
	c.throws.Store(len(filters) > 0)
	c.mu.Lock()
	c.none = len(choice) == 1 && choice[0] == "none"
	c.mu.Unlock()
	return filters, err
}

// startCode are functions that run before and after the user's, whatever file they name.
var startCode = pattern.New(`^(_start|_dl_\w+|__libc_\w+|_?_?GI_\w+|__pthread_\w+|start_thread|(__)?clone3?|raise|abort|__assert\w*|_?_?pthread_kill\w*|` +
	`__restore_rt|std::terminate.*|__cxa_\w+|__gxx_\w+|___lldb_unnamed_symbol\w*|\?\?\??)$`)

// Internal says that of the system's libraries and of what has no source.
func (c *common) Internal(frame godap.StackFrame) bool {
	if frame.Source == nil || frame.Source.Path == "" {
		return !c.bare || startCode.MatchString(frame.Name)
	}
	path := frame.Source.Path
	if strings.Contains(path, "/usr/include/") || framework.MatchString(frame.Name) || sanitizer.MatchString(frame.Name) {
		return true
	}
	for _, root := range c.modules {
		if strings.HasPrefix(path, root+string(filepath.Separator)) {
			return false
		}
	}
	return !filepath.IsAbs(path) || binary.System(path) || startCode.MatchString(frame.Name)
}

// framework matches the functions of a test framework, which is often built as
// part of the user's own project.
var framework = pattern.New(`^(?:[\w:<>*& ]+ )?(?:Catch::|doctest::|testing::(?:internal::|UnitTest::|Test::|TestInfo::|TestSuite::))`)

// sanitizer matches the functions of the sanitizers' runtimes.
var sanitizer = pattern.New(`^(?:[\w:<>*& ]+ )?_*(?:asan|tsan|ubsan|lsan|hwasan|msan|sanitizer|interceptor)_*(?:::|_)`)

// Signal: the debuggers tell the number of the signal as if it were an exit
// code. It is one when the program stopped for that very signal before.
func (c *common) Signal(exitCode int) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.killer != "" {
		return fmt.Sprintf("%s (%s)", c.killer, signalText(c.killer))
	}
	if exitCode == -1 { // LLDB's word for a program that was gone when it was to go on
		return "SIGKILL (killed while it stood still)"
	}
	if c.signal == "" || signalNumber(c.signal) != exitCode {
		return ""
	}
	return fmt.Sprintf("%s (%s)", c.signal, signalText(c.signal))
}

// noteSignal notes the signal of a stop, and that others were not of one, unless it is
// that of a further thread: the first may have been.
func (c *common) noteSignal(stop adapters.Stop, further bool) adapters.Stop {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !further {
		c.signal, c.origin, c.report = "", nil, false
	}
	stop.Hit = c.mergeParts(stop.Hit)
	if c.joined {
		c.joined, stop.Echo = false, true
		return stop
	}
	if c.remote { // the server's program stands where it was stopped for us
		c.remote = false
		stop.Reason, stop.Description, stop.Text = "entry", "", ""
		stop.Resume, stop.Ask = !c.entryStop, false
		return stop
	}
	if stop.Reason == "signal" {
		c.signal = stop.Description
		stop.Resume = c.none && slices.Contains(fatal, stop.Description)
		stop.Ask = stop.Ask && !stop.Resume
	}
	return stop
}

// fatal are the signals by which a program ends for a fault of its own.
var fatal = []string{"SIGABRT", "SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGSYS"}

func cutPair(pair string) (name, value string, ok bool) { return strings.Cut(pair, "=") }
