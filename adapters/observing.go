package adapters

import (
	"context"

	"aidb-mcp/internal/recording/live"
)

// Observing is recording in a program that runs on: nothing stops it. DAP has no such
// request; the engine asks when an agent arms a trace.
type Observing struct {
	// Arm puts a recorder into the program. Nil: this program cannot be observed, and Why says
	// why not, or what to do for it.
	Arm func(ctx context.Context, w live.Spec) (Recorder, error)
	Why string
	// Cost is what a hit of what Arm or Enter puts in costs the program, in a few words. It is told
	// before anything is put in; the recorder itself says it of the places that it has taken.
	Cost string
	// Stacks says that what Arm puts in can note the callers of a hit.
	Stacks bool
	// Remote: there is no debugger, and nothing that Arm could put a recorder into. Why says what there is.
	Remote bool
	// Enter does the same in a program that has the debugger in it. Arm is nil there.
	Enter func(ctx context.Context, p Entered, w live.Spec) (Recorder, error)
}

// IsAlone says that the session has no debugger: nothing stops the program.
func (o Observing) IsAlone() bool { return o.Arm != nil || o.Remote }

// NoRecorder is what to do in a language in whose running programs nothing records.
const NoRecorder = `nothing records in a running program of this language: breakpoint with log_message logs values at each hit without stopping, and trace with target makes a recorded run of its own`

// Entered is a program that has the debugger in it.
type Entered struct {
	PID    int    // 0: it is not known
	Caller Caller // of its first process
}

// Recorder is what is armed in a program. It is safe for concurrent use, and must be closed.
type Recorder interface {
	// Read gives the rows since the last call, the oldest first and at most that many.
	Read(most int) ([]live.Row, live.State)
	// Close takes it out of the program, and gives the state at the end.
	Close() live.State
}
