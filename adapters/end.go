package adapters

import "context"

// MostForks is how many processes are counted at least.
const MostForks = 50

// End is how a program and its adapter part: what the program's end means, and what becomes
// of the program when the adapter is disconnected. It belongs to the events exited and
// terminated and to the requests terminate and disconnect.
type End struct {
	// Read looks, when the program has ended and the adapter still answers, what its exit code
	// means; the dialect's Signal is asked after that.
	Read func(ctx context.Context, c Caller, exitCode int)
	// Warning casts a doubt, at the program's end and after Read, on what was shown before;
	// empty when there is none.
	Warning func() string
	// Forks are how many processes the program has started by fork or posix_spawn, in which no
	// breakpoint is hit; known once it has ended. MostForks are MostForks or more.
	Forks func() int
	// Forked is the id of the program's process, for debuggers that do not tell it earlier; known
	// once the program has ended. 0: the program has started no process, or its id is not known.
	Forked func() int
	// Follows says of a process that has outlived the one that the program began with, by its
	// command line, that a connection debugs it or is about to: the session goes on until those
	// have ended. Nil: the program is over when that one is.
	Follows func(command string) bool
	// Left is what the program has left running ([Request.Left]): it is asked once it has ended,
	// or stands where it cannot have come to before its end, and before [Plan.Close]. Nil: it
	// was not asked for, or is not known for programs of this kind.
	Left func() Left
	// DoubtfulExitCode: the adapter's exit codes are not to be believed; replies omit them.
	DoubtfulExitCode bool
	// CrashAdvice says what to do otherwise when the adapter itself has died; empty when
	// nothing is known. It is called once the adapter is dead.
	CrashAdvice func() string

	// Release has an adapter, which may leave in a program what it has put there, take
	// everything out, with all threads standing, and let go. It is called before the adapter is
	// disconnected and told to leave the program running, in any state of a program that was
	// attached to.
	Release func(ctx context.Context, c Caller) error
	// RunsOnAtDisconnect: the adapter lets a program go that it is told to end, before it ends
	// it. The engine ends what it has started itself.
	RunsOnAtDisconnect bool
	// StandsAtDisconnect: the adapter serves whoever comes next, and leaves the program
	// standing where it stands and with the breakpoints that it has. The engine takes them back
	// and lets it go on before.
	StandsAtDisconnect bool
	// LeavesBy is an expression that takes out of a program that stands what the adapter would
	// leave in it; with StandsAtDisconnect only. Empty: it takes its breakpoints back by DAP.
	LeavesBy string
	// EndsAtDisconnect: the adapter may end a program that it is told to leave running, and
	// says so.
	EndsAtDisconnect Ending
	// HeldBySystem: at a stop the system itself holds the program (ptrace), so that only
	// SIGKILL can end it there.
	HeldBySystem bool
}

// Ending is how an adapter ends a program that was to run on.
type Ending struct {
	Said string // a part of what it says then
	Why  string // for people: "it was started …"
}
