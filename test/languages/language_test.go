//go:build linux

package languages

import (
	"os/exec"
	"regexp"
	"slices"
	"testing"

	"aidb-mcp/internal/testkit"
)

// language is how one language with one adapter differs from the others.
type language struct {
	Name    string   // in the names of tests: "go", "cpp-gdb"
	Title   string   // for people: "Go"
	Adapter string   // for people: "Delve"
	Folder  string   // below testdata; default: Name
	File    string   // of the tour, as locations show it: "main.go", "src/main.rs"
	Comment string   // the sign of a comment; default "//"
	Env     []string // of the server, beside ours
	Args    []string // of the server

	// Copy is the row whose copy of the tour this one has, too, where tests share it: both
	// build the same in it.
	Copy string
	// Prepare makes a copy of the tour ready (compiles it, installs what it
	// needs); nil: nothing to do. It runs once for the copy that tests share, and
	// once more for each that edits the program.
	Prepare func(t testing.TB, p *testkit.Program)
	// Share does once for the shared copy what the server would do at each start in it;
	// nil: nothing. Those that edit the program have it done by the server.
	Share func(t testing.TB, p *testkit.Program)
	// Rebuild does what a restart after an edit needs and the server does not do;
	// nil: nothing.
	Rebuild func(t testing.TB, p *testkit.Program)
	// Start are the arguments of session_start but args and breakpoints.
	Start func(p *testkit.Program) A
	// Outside is the tour as a process that the debugger has not started, and how
	// to attach to it; nil where attach is among Cannot.
	Outside func(t testing.TB, p *testkit.Program, part string) outside

	Phrases map[string]phrase // what differs from the phrases of all; see phrases
	Cannot  map[string]cannot // by the name of a behaviour

	// Again is the row whose suite this one runs again, with a second debugger or
	// through a compiler: in the short run it does what is essential, of which Short
	// names fewer where other rows have its debugger, too. New says that none has: then
	// it proves as well what it cannot where no call is refused. That others are refused
	// hangs on its capabilities, which it has to name.
	Again string
	Short []string
	New   bool
}

// essential are the behaviours that a row which does the suite again has in the short
// run, too: that its debugger starts, stops, shows, steps, ends and lets go.
var essential = []string{
	"run to the end", "line breakpoint", "condition", "function breakpoint", "step into", "run until", "stop view", "locals as real values",
	"evaluate", "uncaught exception", "output and exit code", "standard input", "pause", "attach", "restart after an edit", "killed at a stop",
}

// spoken are those that hang on the language: what of it is read, computed and shown.
var spoken = []string{
	"logpoint", "expressions to show", "condition that cannot be evaluated", "function that does not exist", "return value",
	"nested values", "evaluate a call", "evaluation that fails", "set a variable", "set a global variable",
	"list of a million", "text of a megabyte", "deep nesting", "caught exception", "no exceptions",
}

// suits leaves a behaviour to the long run where this row only does again what
// another does.
func (l *language) suits(t testing.TB, b behaviour) {
	t.Helper()
	switch {
	case l.does(b):
	case b.Engine:
		testkit.Long(t, "the engine's own, for which Go stands")
	case b.Among != nil:
		testkit.Long(t, "another test has it in this language")
	default:
		testkit.Long(t, "the suite again, of "+l.Again)
	}
}

// does says that a behaviour is tried in this run.
func (l *language) does(b behaviour) bool {
	lack, lacks := l.Cannot[b.Name]
	isOthers := b.Engine && !l.engine() || b.Among != nil && !testkit.IsLong() && !slices.Contains(b.Among, l.Name)
	if isOthers && !lacks {
		return false
	}
	short := essential
	if l.Short != nil {
		short = l.Short
	}
	return l.Again == "" || testkit.IsLong() || lack.Check != nil && l.New || slices.Contains(short, b.Name)
}

// engine says that this row tries what is the engine's own, which one does in the short run.
func (l *language) engine() bool { return l.Name == "go" || testkit.IsLong() }

// tellsAll says that all variants of one behaviour are tried, which the engine has for
// every adapter: in the short run one adapter does that.
func (l *language) tellsAll() bool { return l.Name == "go" || testkit.IsLong() }

// once leaves a test of each language to the long run where other rows have this
// one's language and its debugger.
func (l *language) once(t testing.TB) {
	t.Helper()
	if l.Again != "" && !l.New {
		testkit.Long(t, "the same with "+l.Again)
	}
}

// outside is a program that runs by itself.
type outside struct {
	// PausesWhenJoined: an attach ends with a pause, or two, where the program has not come
	// to a breakpoint by then.
	PausesWhenJoined bool

	Command *exec.Cmd // not started yet
	Port    string    // where its debugger listens, perhaps later than it runs; empty: nowhere
	Attach  func(pid int) A
}

// cannot is why an adapter cannot have a behaviour.
type cannot struct {
	Why string // for people, a clause: "debugpy has no data breakpoints"
	// Code is the error that is answered instead, without AIDB_; default
	// CAPABILITY_NOT_SUPPORTED.
	Code string
	// Check proves what happens instead, where the behaviour has no single call
	// that would be refused.
	Check func(s *subject)
}

// phrase is one thing to say to a program, and what is shown for it.
type phrase struct {
	Say  string // an expression, a name, a condition
	Show string // a pattern for the whole value shown
}

// phrases are what the behaviours say, with the words that most languages
// share. A language gives only what differs; an empty Say or Show is the one here.
var phrases = map[string]phrase{
	// In calls, at nested: count is 6, first is 12.
	"arithmetic": {"count * 2 + first", `24`},
	"call":       {"twice(21)", `42`},
	"syntax":     {"count +", `.+`}, // Show: the error's message
	"unknown":    {"nosuch", `.*nosuch.*`},
	"set":        {"100", `100`},                 // a value for count
	"reached":    {"", `call|nested`},            // Show: the marks where a step out of twice may stand
	"return":     {"", `12`},                     // what twice returned
	"function":   {"combine", `.*\bcombine\b.*`}, // Say: for a function breakpoint; Show: as frames are named
	"twice":      {"twice", `.*\btwice\b.*`},     // the same
	"part":       {"", `.*\bcalls\b.*`},          // the name of the frame of calls
	"main":       {"", `.*\bmain\b.*`},           // the name of the frame where it stops on entry

	// In calls, at twice: its argument, and of the caller.
	"n":       {"n", `6`},
	"count":   {"count", `6`},
	"counted": {"count == 6", ``},

	// In loop, at sum.
	"condition":     {"i == 7", ``},
	"even":          {"i % 2 == 0", ``},
	"bad-condition": {"nosuch > 3", `.*nosuch.*`}, // Show: what is said of it
	"log":           {"at {i} total {total}", ``},

	// In values: each local, and ways into them.
	"yes":     {"yes", `true`},
	"whole":   {"whole", `42`},
	"huge":    {"huge", `9007199254740993`},
	"ratio":   {"ratio", `1\.5`},
	"name":    {"name", `"grüße 🙂"`},
	"lines":   {"lines", `"one\\n\\"two\\""`},
	"list":    {"list", `.*10.*20.*30.*`},
	"ages":    {"ages", `.*one.*1.*two.*2.*`},
	"ada":     {"ada", `.*Ada.*36.*`},
	"nothing": {"nothing", `nil|null|None`},
	"bytes":   {"list", ``}, // Say: what lies in memory
	"element": {"list[1]", `20`},
	"entry":   {`ages["two"]`, `2`},
	"field":   {"ada.address.city", `"Paris"`},
	"tag":     {"ada.address.tags[1]", `"y"`},

	// In big.
	"million": {"million", ``},
	"last":    {"million[999999]", `999999`},
	"text":    {"text", `\d+`}, // Show: where the offered call for the rest begins; () where there is none
	"deep":    {"deep", ``},
	"third":   {"deep.next.next.depth", `3`},

	// In the other parts.
	"watch":     {"counter", ``},
	"patch":     {"", ``},   // Say: a twice that triples
	"exception": {"", `.+`}, // Show: the exception's type
	"message":   {"", `.*tour failed: 7.*`},
	"fail":      {"fail", `.*\bfail\b.*`},
	"threads":   {"", `20`},
	"limit":     {"1", `1`}, // in spin, a value for limit that ends it
	"spin":      {"", `.*\bspin\b.*`},
	"depth":     {"depth", `0`}, // in dive, at bottom
}

// say is what is to be said for a purpose.
func (l *language) say(purpose string) string {
	if said := l.Phrases[purpose].Say; said != "" {
		return said
	}
	return phrases[purpose].Say
}

// shown is the pattern for the whole of what is shown for a purpose.
func (l *language) shown(purpose string) *regexp.Regexp {
	show := l.Phrases[purpose].Show
	if show == "" {
		show = phrases[purpose].Show
	}
	return regexp.MustCompile(`(?s)^(?:` + show + `)$`)
}

func (l *language) folder() string {
	if l.Folder != "" {
		return l.Folder
	}
	return l.Name
}

// program is a copy of the tour, ready to be debugged.
func (l *language) program(t testing.TB) *testkit.Program {
	t.Helper()
	p := testkit.NewProgramOf(t, l.folder(), "tour")
	if l.Prepare != nil {
		l.Prepare(t, p)
	}
	return p
}
