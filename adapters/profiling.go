package adapters

import (
	"context"
	"time"

	"aidb-mcp/internal/profiling"
	"aidb-mcp/internal/system/process"
)

// Profiling is how a program that runs in a session is profiled. DAP has no such request; the
// engine asks when an agent does.
type Profiling struct {
	// Take profiles the program, which goes on meanwhile, for as long as the spec says, or until
	// it ends, which is no error, or ctx does, which is one. Errors are *fault.Error. Nil: Why says why not.
	Take func(ctx context.Context, p Profiled, w profiling.Spec) (*profiling.Profile, error)
	// Why says why programs of this adapter cannot be profiled in a session, or what to do for it.
	Why string
	// Standing are the kinds of profiles that want no program that runs: they are of one
	// that stands still too.
	Standing []profiling.What
}

// Profiled is the program of a session, as a profiler finds it.
type Profiled struct {
	PID    int    // 0: not known, or on another machine
	Caller Caller // of the debugger; nil where there is none
	// Stands: the program stands still.
	Stands bool
	// Ended is closed when the program has ended.
	Ended <-chan struct{}
}

// Wait waits for some time, and says whether the program has ended before that was over.
func (p Profiled) Wait(ctx context.Context, some time.Duration) (ended bool, err error) {
	timer := time.NewTimer(some)
	defer timer.Stop()
	select {
	case <-timer.C:
		return false, nil
	case <-p.Ended:
		return true, nil
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
}

// ProfiledRun is how a run of its own is started under a profiler.
type ProfiledRun struct {
	Spec     process.Spec
	Target   string // what runs, for people
	Warnings []string
	// Begin is called once the program's process has begun, where it is measured from outside
	// or is to be told to begin; nil: nothing is to be done. Pid is that of Spec's process, and
	// ended is closed with it. An error ends the run.
	Begin func(ctx context.Context, pid int, ended <-chan struct{}) error
	// Finish is called when the time is over and the program still runs, before it is ended, so
	// that what measures in it can write down what it has; nil: nothing is to be done.
	Finish func(ctx context.Context) error
	// Read reads what was measured, after the program's end; cut says that we ended it.
	// Errors are *fault.Error.
	Read  func(ctx context.Context, cut bool) (*profiling.Profile, error)
	Close func() // is called exactly once, whatever happened after
}
