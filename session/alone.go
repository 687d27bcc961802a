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

// beside is what is done beside such a run. Either may be nil.
type beside struct {
	// begin is called before the program has its input; its error ends the run.
	begin func(ctx context.Context, pid int, ended <-chan struct{}) error
	// finish is called when the time is over, before the program is ended.
	finish func(ctx context.Context) error
}

// finishLimit bounds how long what is beside a program may take to write down what it has.
const finishLimit = 10 * time.Second

// runAlone runs a program without a debugger until it ends, or until the time is over: it is
// ended then. Its standard input has the text that is given, and ends. Errors are *fault.Error.
func runAlone(ctx context.Context, spec process.Spec, stdin *string, over time.Time, limits Limits, by beside) (run aloneRun, err error) {
	spec.Streams = true
	begun := time.Now()
	child, err := process.Start(spec)
	if err != nil {
		return run, fault.New(fault.SessionStart, "%w", err)
	}
	run.out = output.New(limits.OutputRing, func() {})
	run.out.Attach(child.Stdout, child.Stderr)
	if by.begin != nil {
		if err := by.begin(ctx, child.Pid(), child.Done()); err != nil {
			child.Kill()
			return run, err
		}
	}
	newInput(child.Stdin, stdin, false)

	timer := time.NewTimer(time.Until(over))
	defer timer.Stop()
	select {
	case <-child.Done():
		status := child.Exit()
		run.exit = &status
		run.wasParent = child.WasParent()
	case <-timer.C:
		if by.finish != nil {
			finishing, cancel := context.WithTimeout(ctx, finishLimit)
			err = by.finish(finishing)
			cancel()
		}
		child.Kill()
		if err != nil {
			return run, err
		}
	case <-ctx.Done():
		child.Kill()
		return run, context.Cause(ctx)
	}
	run.lasted = time.Since(begun)
	run.out.Drain()
	return run, nil
}
