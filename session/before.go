package session

import (
	"context"
	"errors"
	"time"

	"aidb-mcp/internal/fault"
)

// Before is what is done before each run of a program, outside of it: a task that
// builds it, or a server that it needs. Doing is told what is under way. Errors are
// *fault.Error, or those of ctx, and leave nothing behind.
type Before func(ctx context.Context, doing func(string)) (Done, error)

// Done is what was done before a run.
type Done struct {
	Warnings []string
	// After ends what was begun, and cleans up, when the program and its debugger are
	// gone; nil: there is nothing to do. Its error is told as a warning.
	After func(ctx context.Context) error
}

// afterLimit is how long what is done after a program may take.
const afterLimit = 20 * time.Second

// runBefore does what comes before the program.
func (l *run) runBefore() error {
	if l.s.request.Before == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(l.ctx, l.s.limits.Build)
	defer cancel()
	done, err := l.s.request.Before(ctx, l.setStep)
	if err != nil {
		return beforeError(l.ctx, err)
	}
	if done.After != nil {
		l.after.Store(&done.After)
	}
	l.notices.add(done.Warnings...)
	return nil
}

// beforeError is why there is no run; ctx is the session's.
func beforeError(ctx context.Context, err error) error {
	_, coded := errors.AsType[*fault.Error](err)
	switch {
	case ctx.Err() != nil:
		return errStopped
	case coded:
		return err
	}
	return fault.New(fault.SessionStart, "what comes before the program: %w", err)
}

// runAfter does what comes after it.
func (l *run) runAfter() {
	after := l.after.Swap(nil)
	if after == nil {
		return
	}
	if err := withAfterLimit(*after); err != nil {
		l.warn(err.Error())
	}
}

func withAfterLimit(after func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), afterLimit)
	defer cancel()
	return after(ctx)
}
