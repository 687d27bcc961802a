package adapters

import (
	godap "github.com/google/go-dap"

	"aidb-mcp/internal/system/netstat"
)

// Start is what is to be known of an adapter while a session begins: its answer to
// initialize, the request launch or attach, and the processes that come of it.
type Start struct {
	// Correct takes back what an adapter claims of itself and does badly, so that the engine
	// supplies it; it is called with the answer to initialize and with each event capabilities.
	Correct func(caps *godap.Capabilities)
	// NoInput says what would let the program have standard input; empty where it has some, or
	// where the adapter may yet ask for a terminal (runInTerminal).
	NoInput string

	// AttachKeepsRunning: an attach never ends in a stop, whatever it was asked for.
	AttachKeepsRunning bool
	// AttachEndsInPause: an attach ends with the event of a pause, also where the program has
	// stopped for a reason of its own by then, which that event would hide.
	AttachEndsInPause bool
	// IgnoresRequestsUntilProcess: what the adapter is asked for between the end of its
	// configuration and its event process, it may never answer.
	IgnoresRequestsUntilProcess bool

	// Helper is a part of the command of a process that the adapter has put beside the program,
	// below it: it is not one that the program has started.
	Helper string
	// Follows: the processes that the program starts are followed over its own connection.
	Follows bool
	// Follow is the adapter_options, as JSON, with which it would follow some of them; empty where it
	// cannot.
	Follow string
	// FollowsWhich says which those are, as the end of a sentence that begins with the options:
	// "follows the Go programs among them".
	FollowsWhich string
	// OfDebugger: at this socket a process of the program accepts connections for the
	// debugger's sake, not for the program's.
	OfDebugger func(netstat.Socket) bool
	// Accepts are the executables of programs that accept a debugger at a port themselves, with
	// no debugger's server beside them.
	Accepts []string
	// Serves is the program that is debugged at the port of a process of this machine: the process
	// itself, or another one, if the process is a debugger's server. 0 where that is not known; nil:
	// the process is the program itself if Accepts has its executable.
	Serves func(pid int) int
}
