// Package mend looks at a program that a debugger has let go, and takes out of it what
// a debugger left that was killed: breakpoint instructions in its text, traps that wait
// to be delivered, debug registers, a stop that nobody ends.
//
// The original instructions are those of the file that the text was mapped from. What
// stood there before the debugger came (another tool's probes) stays.
//
// It works where the system shows a program's memory and lets it be traced: on Linux.
// What was in a thread's hands when its debugger died cannot be undone: the kernel
// delivers the trap at which the thread stood at once, and that ends the program.
//
// The package knows nothing about debuggers, sessions or adapters.
package mend

// Sight is what the system shows of a program at one moment.
type Sight struct {
	IsAlive   bool
	Tracer    int    // the thread that holds it with ptrace, 0 without one
	IsStopped bool   // by a signal (SIGSTOP): it does not run, and nobody traces it
	Traps     []Trap // breakpoint instructions in its text that its file does not have
}

// IsFree says that the program runs on as if nobody had ever debugged it.
func (s Sight) IsFree() bool {
	return s.IsAlive && s.Tracer == 0 && !s.IsStopped && len(s.Traps) == 0
}

// Trap is a breakpoint instruction that was written into a program's text.
type Trap struct {
	Address  uint64
	original []byte // what the file has there
}

// Original is what the file has there.
func (t Trap) Original() []byte { return t.original }

// Since are the traps that were not there before.
func (s Sight) Since(before Sight) []Trap {
	known := make(map[uint64]bool, len(before.Traps))
	for _, t := range before.Traps {
		known[t.Address] = true
	}
	var left []Trap
	for _, t := range s.Traps {
		if !known[t.Address] {
			left = append(left, t)
		}
	}
	return left
}
