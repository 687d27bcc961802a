package session

import (
	"context"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/session/output"
)

// aloneRun is a run of a program without a debugger.
type aloneRun struct {
	exit   *process.ExitStatus // nil: it was ended by us when its time was over
	lasted time.Duration
	// wasParent: it has started other processes, and waited for them, as far as the system tells.
	wasParent bool
	out       *output.Buffer
}

// runAlone runs a program without a debugger until it ends, or until the time is over: it is
// ended then. Its standard input has the text that is given, and ends. Errors are *fault.Error.
func runAlone(ctx context.Context, spec process.Spec, stdin *string, over time.Time, limits Limits) (run aloneRun, err error) {
	spec.Streams = true
	begun := time.Now()
	child, err := process.Start(spec)
	if err != nil {
		return run, fault.New(fault.SessionStart, "%w", err)
	}
	run.out = output.New(limits.OutputRing, func() {})
	run.out.Attach(child.Stdout, child.Stderr)
	newInput(child.Stdin, stdin, false)

	timer := time.NewTimer(time.Until(over))
	defer timer.Stop()
	select {
	case <-child.Done():
		status := child.Exit()
		run.exit = &status
		run.wasParent = child.WasParent()
	case <-timer.C:
		child.Kill()
	case <-ctx.Done():
		child.Kill()
		return run, context.Cause(ctx)
	}
	run.lasted = time.Since(begun)
	run.out.Drain()
	return run, nil
}
