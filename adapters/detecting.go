package adapters

import (
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/pattern"
)

// Check is the kind of fault that a run is checked for by a detector, beside whether it ends well.
type Check string

// The checks, by the names that agents use.
const (
	Races     Check = "races"
	Memory    Check = "memory"
	Undefined Check = "undefined"
)

// Suspect is how a runtime says that it has come upon what a fault has done before, which a
// detector sees when it is done.
type Suspect struct {
	Words *pattern.Pattern // of the failure's message, or of what was printed to stderr
	Check Check
	// Unexplained: it is so only where no part of the statement is known to be the cause.
	Unexplained bool
}

// Detected is how a program is run under a detector: a sanitizer that is built into it, or a
// machine that executes it. There is no debugger beside it.
type Detected struct {
	Spec     process.Spec
	Target   string // what runs, for people
	By       string // the detector: "the race detector of Go (-race)"
	Blind    string // what it does not see, in a clause: "what this run has not done"
	Warnings []string
	Tests    Tests // of a run of tests; zero where it is none
	// Stops: a debugger stops at the report, in a session whose request has the same
	// [Request.Check].
	Stops bool
	// Read reads, once the program has ended, what the detector has written. A run that it has
	// not looked through is an error.
	Read func() (Detection, error)
	// Refused says, by the end of what was printed to stderr, why the detector did not begin; nil: it
	// writes that where Read reads.
	Refused func(stderr string) error
	Close   func() // is called exactly once, after that
}

// Detection is what a detector has written of a run.
type Detection struct {
	Faults []DetectedFault
	Notes  []string // that are no faults: what was left allocated
	Unread int      // reports beyond those that were read
}

// FaultKind is what kind of fault a detector has seen.
type FaultKind string

// The kinds.
const (
	DataRace          FaultKind = "data_race"
	MemoryFault       FaultKind = "memory_fault"
	UndefinedBehavior FaultKind = "undefined_behavior"
	LockOrder         FaultKind = "lock_order" // locks that are taken in one order here and in another there
)

// DetectedFault is one report of a detector, taken apart.
type DetectedFault struct {
	Kind     FaultKind
	Message  string   // in a line, without what differs from run to run
	Accesses []Access // what happened first; then the other one, or what was done to the memory before
	Text     string   // as the detector has written it
}

// Access is one thing that was done, of those that a fault consists of.
type Access struct {
	Kind   string   // in a word or two, for people: "read", "write", "freed", "allocated", "crash", "native call"
	Frames []Thrown // where, the innermost first
	Thread string   // "goroutine 7", "main thread"; empty where the detector does not say
	Made   []Thrown // where that thread was made, the innermost first
	Value  string   // what was read or computed, as the detector writes it; empty: it does not say
}

// MostFaults are the reports of one run that are taken apart.
const MostFaults = 20
