package session

import (
	"context"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/session/output"
)

// beforeAlone does what comes before such a run, and gives what comes after it.
func (m *Manager) beforeAlone(ctx context.Context, r StartRequest, over time.Time, progress func(string)) (after func(), err error) {
	after = func() {}
	if r.Before == nil {
		return after, nil
	}
	if progress == nil {
		progress = func(string) {}
	}
	preparing, cancel := context.WithTimeout(ctx, min(m.Limits().Build, time.Until(over)))
	defer cancel()
	done, err := r.Before(preparing, progress)
	if err != nil {
		return nil, err
	}
	if done.After != nil {
		after = func() { _ = withAfterLimit(done.After) }
	}
	return after, nil
}

// planAlone asks an adapter how a program is run, which may take the time of a build.
func planAlone[P any](ctx context.Context, m *Manager, over time.Time, plan func(context.Context) (P, error), release func(P)) (planned P, err error) {
	building, cancel := context.WithTimeout(ctx, min(m.Limits().Build, time.Until(over)))
	defer cancel()
	planned, err = plan(building)
	if building.Err() != nil && ctx.Err() == nil {
		if err == nil {
			release(planned)
		}
		err = fault.New(fault.SessionStart, "the time was over before the program was ready to run").WithField("timeout_ms").
			WithHint("raise timeout_ms: what was built until now is kept, so the next call is faster")
	}
	return planned, err
}

// admitAlone says why a program may not be run as it is planned, and learns what is to be masked.
func (m *Manager) admitAlone(r StartRequest, spec process.Spec) error {
	if r.changed == nil {
		if err := m.policy.Path("target", spec.Dir); err != nil {
			return err
		}
	}
	m.mask.Learn(environmentMap(spec.Env), nil)
	return nil
}

// aloneRun is a run of a program without a debugger.
type aloneRun struct {
	exit   *process.ExitStatus // nil: it was ended by us when its time was over
	lasted time.Duration
	queued time.Duration // of that, it has waited for a processor; looked at where it may last only so long
	// wasParent: it has started other processes, and waited for them, as far as the system tells.
	wasParent bool
	out       *output.Buffer
}

// until is when such a run is ended.
type until struct {
	over time.Time
	// longest is how long it may last, but for the time in which it waited for a processor;
	// 0: until the time is over.
	longest time.Duration
}

// queuedEvery is how often a run is asked how long it has waited for a processor.
const queuedEvery = 250 * time.Millisecond

// wait waits until a child has ended, or its time is over.
func (u until) wait(ctx context.Context, child *process.Child) (queued time.Duration, over bool, err error) {
	begun := time.Now()
	last := time.NewTimer(time.Until(u.over))
	defer last.Stop()
	var looks <-chan time.Time
	if u.longest > 0 {
		ticker := time.NewTicker(min(queuedEvery, u.longest))
		defer ticker.Stop()
		looks = ticker.C
	}
	for {
		select {
		case <-child.Done():
			return queued, false, nil
		case <-last.C:
			return queued, true, nil
		case <-looks:
			queued = max(queued, process.Queued(child.Pid()))
			if time.Since(begun) > u.longest+queued {
				return queued, true, nil
			}
		case <-ctx.Done():
			return queued, false, context.Cause(ctx)
		}
	}
}

// beside is what is done beside such a run. Either may be nil.
type beside struct {
	// begin is called before the program has its input; its error ends the run.
	begin func(ctx context.Context, pid int, ended <-chan struct{}) error
	// finish is called when the time is over, before the program is ended.
	finish func(ctx context.Context) error
}

// finishLimit bounds how long what is beside a program may take to write down what it has.
const finishLimit = 35 * time.Second

// runAlone runs a program without a debugger until it ends, or until its time is over: it is
// ended then. Its standard input has the text that is given, and ends. Errors are *fault.Error.
func runAlone(ctx context.Context, spec process.Spec, stdin *string, end until, limits Limits, by beside) (run aloneRun, err error) {
	spec.Streams = true
	begun := time.Now()
	child, err := process.Start(spec)
	if err != nil {
		return run, fault.New(fault.SessionStart, "%w", err)
	}
	run.out = output.New(limits.OutputRing, nil)
	run.out.Attach(child.Stdout, child.Stderr)
	if by.begin != nil {
		if err := by.begin(ctx, child.Pid(), child.Done()); err != nil {
			child.Kill()
			return run, err
		}
	}
	newInput(child.Stdin, stdin, false)

	queued, over, err := end.wait(ctx, child)
	switch run.queued = queued; {
	case err != nil:
		child.Kill()
		return run, err
	case over:
		if by.finish != nil {
			finishing, cancel := context.WithTimeout(ctx, finishLimit)
			err = by.finish(finishing)
			cancel()
		}
		child.Kill()
		if err != nil {
			return run, err
		}
	default:
		status := child.Exit()
		run.exit = &status
		run.wasParent = child.WasParent()
	}
	run.lasted = time.Since(begun)
	run.out.Drain()
	return run, nil
}
