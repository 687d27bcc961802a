package lifecycle

import (
	"slices"
	"time"

	"aidb-mcp/internal/fault"
)

// Status is where a session stands, in the words of the contract.
type Status string

// The statuses of execution_state.
const (
	Starting          Status = "starting"
	Running           Status = "running"
	StoppedEntry      Status = "stopped_at_entry"
	StoppedBreakpoint Status = "stopped_at_breakpoint"
	StoppedStep       Status = "stopped_after_step"
	StoppedException  Status = "stopped_at_exception"
	Paused            Status = "paused"
	Terminated        Status = "terminated"
)

// Stopped says whether the program stands still and can be looked at.
func (s Status) Stopped() bool {
	switch s {
	case StoppedEntry, StoppedBreakpoint, StoppedStep, StoppedException, Paused:
		return true
	}
	return false
}

// statusOf is the status that a stop reason means.
func statusOf(reason string) Status {
	switch reason {
	case "breakpoint", "function breakpoint", "data breakpoint", "instruction breakpoint":
		return StoppedBreakpoint
	case "step":
		return StoppedStep
	case "entry":
		return StoppedEntry
	case "exception", "signal":
		return StoppedException
	}
	return Paused
}

// State is a consistent snapshot of where a session stands.
type State struct {
	Status            Status
	Reason            string // stop reason: breakpoint, step, pause, entry, exception, signal, data breakpoint, function breakpoint, goto
	ThreadID          int    // of the stop; -1 when none
	BreakpointsActive bool   // at least one enabled breakpoint is bound
	Hit               []int  // our breakpoint ids
	ExitCode          *int
	Signal            string        // that ended the program, or stopped it
	Doing             string        // while starting: "building ./cmd/app", "launching"
	Done, Total       int           // how far that is, 0 where it cannot be counted
	Running           time.Duration // since the last resume or start, while running or starting
	Failed            bool          // the start failed (Note says why): there was no program
	Note              string        // something true and worth saying: "the step was cut short by breakpoint 2"
}

func (s State) clone() State {
	s.Hit = slices.Clone(s.Hit)
	return s
}

// NotStoppedError is the error of what needs a stopped program.
func (s State) NotStoppedError() error {
	switch s.Status {
	case Terminated:
		return s.EndedError()
	case Starting:
		return fault.New(fault.NotPaused, "the program is still starting (%s)", s.Doing).
			WithHint("wait for it with execute(action: wait)")
	}
	return fault.New(fault.NotPaused, "the program is running").
		WithHint("stop it with execute(action: pause), or wait for a stop with execute(action: wait)")
}

// EndedError is the error of everything that needs a living program.
func (s State) EndedError() error {
	how := "the program has ended"
	switch {
	case s.ExitCode != nil:
		how = fault.New("", "the program has ended with exit code %d", *s.ExitCode).Message
	case s.Signal != "":
		how = "the program was ended by " + s.Signal
	case s.Note != "":
		how = "the session has ended: " + s.Note
	}
	return fault.New(fault.SessionTerminated, "%s", how).
		WithHint("run it again with session(action: restart); its breakpoints and output are still there")
}
