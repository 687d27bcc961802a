// Package judge judges what went wrong with a program by what a session showed
// where it failed, hung or ended: the verdict, the statement that failed, and which of
// its parts was bad first.
//
// It is pure: it knows no session, no connection and no language by name, and decides
// nothing that the evidence does not show.
package judge

import (
	"slices"
	"strings"

	"aidb-mcp/adapters"
)

// Verdict is what became of a run, in the contract's words.
type Verdict string

// The verdicts.
const (
	Exception   Verdict = "exception"
	Panic       Verdict = "panic"
	Signal      Verdict = "signal"
	TestFailure Verdict = "test_failure"
	Deadlock    Verdict = "deadlock"
	Blocked     Verdict = "blocked"   // everything waits, for something outside of the program
	BusyLoop    Verdict = "busy_loop" // a loop makes no progress
	Cut         Verdict = "cut"       // it was still computing when the time was over
	Input       Verdict = "waiting_for_input"
	ExitCode    Verdict = "exit_code"
	NoTestRan   Verdict = "no_test_ran"
	BuildFailed Verdict = "build_failed"
	Flaky       Verdict = "flaky"
	Leftover    Verdict = "leftover" // it ended well, and has left something running
	OK          Verdict = "ok"
)

// The verdicts on what a detector has reported.
const (
	DataRace          = Verdict(adapters.DataRace)
	MemoryFault       = Verdict(adapters.MemoryFault)
	UndefinedBehavior = Verdict(adapters.UndefinedBehavior)
	LockOrder         = Verdict(adapters.LockOrder)
)

// Stop is where a program was stopped by a failure.
type Stop struct {
	Type    string // of the exception; "panic", "test failure", "signal"
	Message string
	Signal  bool // it is a signal of the system
	Testing bool // tests were run
	// Statement is that of the user's code where it stopped; empty: unknown.
	Statement string
	// Qualified is the exception's type with its module, where that is known.
	Qualified string
	// Library says that it was raised in what the statement calls of a library.
	Library bool
	// Syntax is how the language writes failures.
	Syntax adapters.FailureSyntax
	// Sides are what the adapter knows of an expectation's two values.
	Sides Sides
	// Comparison is what the statement compares, see [ComparisonOf].
	Comparison Comparison
}

// Overflows says that a failure is that of a stack which was too small.
func (s Stop) Overflows(message string) bool {
	return s.Syntax.Overflow.MatchString(message)
}

// IsDeliberate says that the statement does nothing but fail, as a throw does.
func (s Stop) IsDeliberate() bool { return s.Syntax.Fails.MatchString(s.Statement) }

// Verdict is what kind of failure it is.
func (s Stop) Verdict() Verdict {
	kind := strings.ToLower(s.Type)
	switch {
	case s.Syntax.Deadlock.MatchString(s.Message):
		return Deadlock
	case kind == "test failure", s.Testing && (s.isUnmet() || (kind == "panic" || kind == "") && strings.HasPrefix(s.Statement, "assert")):
		return TestFailure
	case s.Signal || kind == "signal" || strings.HasPrefix(s.Type, "SIG"):
		return Signal
	case kind == "panic" || kind == "fatal error":
		return Panic
	}
	return Exception
}

// isUnmet says whether a failure is an expectation of a test that was not met.
func (s Stop) isUnmet() bool {
	return slices.ContainsFunc(s.Syntax.Unmet, func(f adapters.FailureType) bool { return f.Matches(s.Type, s.Message) })
}

// End is how a program ended that no failure has stopped.
type End struct {
	ExitCode   *int
	Signal     string
	NoTestRan  bool
	TestFailed string // why tests failed that stopped nowhere
}

// Verdict is what the end means.
func (e End) Verdict() Verdict {
	switch {
	case e.NoTestRan:
		return NoTestRan
	case e.Signal != "":
		return Signal
	case e.TestFailed != "":
		return TestFailure
	case e.ExitCode != nil && *e.ExitCode != 0:
		return ExitCode
	}
	return OK
}

// Hangs says that a run does not end.
func (v Verdict) Hangs() bool {
	return v == Deadlock || v == Blocked || v == BusyLoop || v == Cut || v == Input
}

// IsDetected says that a detector has reported it.
func (v Verdict) IsDetected() bool {
	return v == DataRace || v == MemoryFault || v == UndefinedBehavior || v == LockOrder
}
