package diagnose

import (
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/investigate/evidence"
	"aidb-mcp/session"
)

// Result is what became of a program, and what shows why.
type Result struct {
	Verdict judge.Verdict // of the last run
	Runs    Runs
	Seed    uint16 // of the last run: what it draws at random, where its runtime takes one

	Target      string           // what ran, for people
	Workspace   string           // against which places are shown
	Unrun       bool             // nothing was run: it does not build, or there is no such test
	Session     *session.Session // of the last run; nil where that did not start
	View        *session.View    // where it came to; nil without a session
	SessionOpen bool             // the session stands at the failure; else it has ended

	Message   string
	Causes    []Cause
	ExitCode  *int
	Signal    string
	Overflow  bool // the stack was too small
	Recursion *Recursion

	Place     Place
	Excerpt   *Excerpt
	Parts     []judge.Part // of the statement that failed, in the order of evaluation: those that say something
	Culprit   evidence.Finding[Culprit]
	Sides     evidence.Finding[judge.Sides]
	Unread    bool                           // the statement compares something, and not both values are known
	Operand   string                         // of a comparison of which no side is to blame: one that was read, and can be asked about
	Busy      evidence.Finding[judge.Thread] // that computes, of a program that does not end
	Still     evidence.Finding[Stall]        // of a loop, which makes no progress
	Moment    evidence.Finding[judge.Moment] // of the failure, in the run whose calls are shown
	Handled   evidence.Finding[string]       // what has stopped the program, and was handled by it
	Lost      evidence.Finding[string]       // of a program that ended well: an exception that nobody has caught
	Locals    []session.Variable             // on which the statement depends
	Frames    []Frame                        // of the user's code, the innermost first
	Samples   []judge.Sample                 // of a program that did not end
	Waits     session.Waits                  // of one that waits: who for what
	Changed   []Change                       // variables, between the last two of them
	Report    string                         // of a sanitizer
	Accesses  []Access                       // of which a fault consists that a detector has reported
	Detector  *Detector                      // by which the runs were looked through; nil: by none
	Elsewhere bool                           // the place is a report's, or that of an exception's first throw, and not where the program stands
	Build     *BuildFailure
	Calls     Calls
	Unnoted   []string       // functions whose calls another run would note, which was not made
	Short     time.Duration  // how long the program ran, where the time did not allow a run that notes calls; else 0
	Output    session.Output // apart from what is told already
	Warnings  []string
	Left      Leftover // of a program that ended well
	Children  []string // the child processes that failed and no debugger followed, with how they ended

	Hits           int // of the place where the run was changed
	Passed, Failed int // tests, as their framework counts them

	called map[string]bool  // functions, by their last names
	here   map[string]bool  // those that the place of the failure has called itself
	before *session.Session // the current one, when it was asked
}

// Called says that a recorded run has called a function of the user's code by that name.
func (r *Result) Called(name string) bool { return name != "" && r.called[name] }

// Getter is the function that has told what an expression ends in, as line.size may be told by one;
// empty where that is read.
func (r *Result) Getter(expression string) string {
	if name := judge.Member(expression); r.here[name] {
		return name
	}
	return ""
}

// anew is an empty result of the same run.
func (r *Result) anew() *Result {
	return &Result{Session: r.Session, Workspace: r.Workspace, Seed: r.Seed, Target: r.Target, Runs: r.Runs, Hits: r.Hits, before: r.before}
}

// shows says that a variable is shown already: as a part of the statement, or as an
// argument of the function.
func (r *Result) shows(name string) bool {
	return len(r.Frames) > 0 && slices.ContainsFunc(r.Frames[0].Arguments, func(a Argument) bool { return a.Name == name }) ||
		slices.ContainsFunc(r.Parts, func(p judge.Part) bool { return p.Text == name })
}

// showAt makes a place that of the diagnosis, with the source around it.
func (r *Result) showAt(code userCode, p Place, column int) {
	r.Place, r.Excerpt = p, code.excerpt(p.File, p.Line, column)
}

// warn adds a note, where there is something to say.
func (r *Result) warn(note string) {
	if note = strings.TrimPrefix(note, "; "); note != "" {
		r.Warnings = append(r.Warnings, note)
	}
}

// Flaky says that others than the run that failed did not. What a detector has reported is a fault
// of the program in each of them.
func (r *Result) Flaky() bool {
	return r.Runs.Made > r.Runs.Failed && r.Runs.Failed > 0 && !r.Verdict.IsDetected()
}

// Runs counts those that were made until one failed.
type Runs struct{ Made, Failed int }

// Place is where something is or happened. File is absolute where that is known.
type Place struct {
	File     string
	Line     int
	Function string
}

// Excerpt is source around a line.
type Excerpt struct {
	First, Current, Column int
	Lines                  []string
}

// Cause is an exception that stands behind the failure: within it, or caught before it.
type Cause struct {
	*session.Exception
	Caught bool
	Apart  bool  // it was raised in another thread than the failure
	Raised Place // empty where that is not known
}

// Recursion is a stack that repeats without end.
type Recursion struct {
	Frames  int
	AtLeast bool // there are more than that
	Period  int  // how many frames are one round
	Silent  bool // the runtime did not say that the stack was too small
}

// Culprit is the part of the failed statement that was bad first.
type Culprit struct {
	Expression string
	Value      string // empty: not known
	Why        string // what is wrong with it, where the value does not show it
}

// Frame is a call of the user's code that the failure stopped.
type Frame struct {
	Place
	Arguments []Argument
	Times     int  // so often in a row; 0 is once
	AtLeast   bool // more often perhaps: the stack was not looked at any deeper
	Left      int  // calls that it was made from, and that are not shown
	More      bool // it was made from calls that were not looked at
}

// Argument is one of a call's.
type Argument struct{ Name, Value string }

// Change is a variable that moved.
type Change struct{ Name, Old, New string }

// BuildFailure is why a program cannot be built.
type BuildFailure struct {
	Others  []fault.SourceError // beside the first
	Details any                 // where no error has a place
}

// Calls are the last calls that led to the failure, as a table.
type Calls struct {
	Columns []string
	Rows    [][]string
}
