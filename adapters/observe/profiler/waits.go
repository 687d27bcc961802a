package profiler

import (
	"context"
	"fmt"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/observe/sample"
	"aidb-mcp/internal/profiling"
)

// takeWaits looks where threads stand, or goroutines.
func (l Language) takeWaits(ctx context.Context, p adapters.Profiled, w profiling.Spec) (*profiling.Profile, error) {
	some := w.For
	if p.Stands {
		some = time.Millisecond
	}
	stopped := make(chan struct{})
	looking, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { // ends with the call
		defer close(stopped)
		select {
		case <-p.Ended:
		case <-gone(looking, p.PID):
		}
	}()
	stood, err := sample.Stand(ctx, p.PID, some, stopped)
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, failure(err)
	}
	made := &profiling.Profile{
		Data: stood.Profile.Profile(), Lasted: stood.Lasted, Library: l.isLibrary, Ended: stood.Lasted+time.Second < some,
		How:  fmt.Sprintf("%d looks, each 50 ms at most, at each of up to %d threads: what the system tells of their system calls (/proc), and their stacks out of the program's memory", stood.Looks, stood.Threads),
		Cost: "nothing: the program's memory is read while it goes on",
	}
	if l.IsGo {
		made.How = fmt.Sprintf("%d looks, each 50 ms at most, at each of up to %d goroutines, out of the program's memory (runtime.allgs); those of the runtime itself are left out", stood.Looks, stood.Threads)
	}
	if stood.Partial > 0 {
		made.Notes = append(made.Notes, fmt.Sprintf("%d stacks could not be followed to their beginning: nobody knows the registers of a thread that goes on. Their callers are missing", stood.Partial))
	}
	if stood.Skipped > 0 {
		made.Notes = append(made.Notes, fmt.Sprintf("up to %d goroutines were not looked at: only the first 20,000 are", stood.Skipped))
	}
	if stood.Blind > 0 {
		made.Notes = append(made.Notes, fmt.Sprintf("of %d looks at a thread the system did not tell where it stood, for it ran or was held by a debugger", stood.Blind))
	}
	return made, nil
}
