package debuggee

import (
	"context"
	"os/exec"
	"strconv"
	"strings"
)

// Rate is a language whose recorder is measured: how often a second it notes two
// values at a line. A short run and a long one are compared, so that what a start
// takes does not count; beside them stand log messages in a session.
type Rate struct {
	Session
	Few, Many int     // passes of the line
	Logged    int     // passes with a log message
	Least     float64 // wanted, a second
}

// Counted is the line of a [Rate] whose passes are counted.
const Counted = "total += i"

// A wide program has so many functions, in so many modules, of each of which its start
// calls some.
const (
	WideModules = 100
	wideEach    = 100
	wideCalled  = 10
	WideNoted   = WideModules * (wideCalled + 1) // with the function that calls them
)

// Wide is a language whose program of 10,000 functions is run by itself and with a
// trace of every call, in turns. Each function adds a bit to a number and hands it on; run
// calls some of its module.
type Wide struct {
	Name     string
	Module   func(n int) (file, text string)
	Main     func() (file, text string)
	More     map[string]string // files beside these
	Pattern  string            // of the trace
	Noted    int               // calls that it notes
	Target   string            // of the trace; empty: the main file
	Start    Object
	Build    func(ctx context.Context, dir string) error
	Plain    func(ctx context.Context, dir string) *exec.Cmd
	Compiled bool // the run by itself and the first trace build everything; the second trace finds that
}

// EachModule joins what is written of the number of each module, which stands for #.
func EachModule(text string) string { return insertEvery(1, WideModules, text) }

// EachFunction joins what is written of the number of each function of a module.
func EachFunction(text string) string { return insertEvery(1, wideEach, text) }

// EachCalled joins what is written of those functions that are called.
func EachCalled(text string) string { return insertEvery(wideEach/wideCalled, wideEach, text) }

func insertEvery(step, count int, text string) string {
	var all strings.Builder
	for i := 0; i < count; i += step {
		all.WriteString(strings.ReplaceAll(text, "#", strconv.Itoa(i)))
	}
	return all.String()
}

// Pace is a language whose program computes for a while and fails then. It is run by
// itself, in a session, in one with a breakpoint that is not hit, and by diagnose, at
// each size, so that one sees how the cost of each grows with the work. The program has a
// loop of two small functions, then a value that is not there, and a line that is never
// reached, which says so: "never".
type Pace struct {
	Name     string
	File     string
	Text     string
	Target   string            // of the server; empty: the file
	Start    Object            // what else a start is told
	Rounds   int               // of the smallest size
	More     map[string]string // files beside the program's
	Build    func(ctx context.Context, dir string) error
	Plain    func(ctx context.Context, dir, rounds string) *exec.Cmd
	Diagnose float64 // how many times as long as by itself a diagnose may take
	Writes   float64 // and a question about all writes; 0: five times
}

// Holding is a language whose program holds a collection of so many elements in a local,
// and goes on from the line that says "held" for six lines at least.
type Holding struct {
	Name   string // says what is held
	File   string
	Text   string
	Target string // of the server; empty: the file
	Start  Object
	Count  int
	More   map[string]string
	Build  func(ctx context.Context, dir string) error
}

// Armed is a language in whose running program values are noted at the line that says "armed".
// It is given how often a second it is to come there, at most 50 times between two pauses of a
// millisecond, and tells each half second "calls N gap G": how often it has come there since it
// began, and the longest time in milliseconds between two pauses since it told the last.
type Armed struct {
	Name  string
	File  string
	Text  string
	Value string // a variable at the line
	Build func(ctx context.Context, dir string) error
	Plain func(ctx context.Context, dir, rounds string) *exec.Cmd
	Start Object // what else is told to attach to it
}

// Builds is the command that builds a program in its directory.
func Builds(command string, args ...string) func(context.Context, string) error {
	return func(ctx context.Context, dir string) error {
		return Quietly(exec.CommandContext(ctx, command, args...), dir)
	}
}

// Runs is the program by itself: it is told its rounds last.
func Runs(command string, args ...string) func(ctx context.Context, dir, rounds string) *exec.Cmd {
	return func(ctx context.Context, dir, rounds string) *exec.Cmd {
		told := append(append([]string{}, args...), rounds)
		path := command
		if path[0] == '.' { // exec looks for it where we are, not where it will run
			path = dir + path[1:]
		}
		return exec.CommandContext(ctx, path, told...)
	}
}
