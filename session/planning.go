package session

import (
	"context"
	"runtime/debug"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
)

// planResult is what came of asking an adapter how to start.
type planResult struct {
	plan     *adapters.Plan
	err      error
	panicked any
}

// planWithin asks the adapter how to start. When ctx ends, what the adapter has
// started ends too, and so it answers. One that does not, because it waits for the
// system (a disk that does not answer), is waited for no longer than planLimit:
// the session ends without it.
func (l *run) planWithin(ctx context.Context) (*adapters.Plan, error) {
	answered := make(chan planResult, 1)
	// It owns the plan until that is taken, and ends with the adapter's answer.
	go func() { answered <- l.callPlan(ctx) }()
	select {
	case p := <-answered:
		return p.result()
	case <-ctx.Done():
	}
	limit := time.NewTimer(planLimit)
	defer limit.Stop()
	select {
	case p := <-answered:
		return p.result()
	case <-limit.C:
	}
	l.s.log.Warn("what prepares the program does not end; the session ends without it", "session", l.s.id)
	// It owns the plan that comes late, and ends when that is closed.
	l.spawn("closing a plan that came late", func() {
		if p := <-answered; p.plan != nil && p.plan.Close != nil {
			p.plan.Close()
		}
	})
	return nil, context.Cause(ctx)
}

// callPlan asks the adapter for its plan. A panic there is returned, so that it is
// raised on the goroutine of the start.
func (l *run) callPlan(ctx context.Context) (p planResult) {
	defer func() {
		if p.panicked = recover(); p.panicked != nil {
			l.s.log.Error("panic", "session", l.s.id, "doing", "preparing the program", "panic", p.panicked, "stack", string(debug.Stack()))
		}
	}()
	p.plan, p.err = l.s.adapter.Plan(adapters.WithCount(ctx, l.setProgress), l.withMappings(ctx, l.s.request.Program), l.setStep)
	return p
}

func (p planResult) result() (*adapters.Plan, error) {
	if p.panicked != nil {
		panic(p.panicked)
	}
	return p.plan, p.err
}

// withholdSource takes the code out of an error that lies outside of the policy's folders:
// compilers and interpreters quote it.
func (m *Manager) withholdSource(err error, workspace string) error {
	if !m.policy.Confined() {
		return err
	}
	rewrite := func(text string) string { return m.policy.Withhold(text, workspace) }
	return fault.Changed(err, func(f *fault.Error) {
		f.Message = rewrite(f.Message)
		if d, ok := f.Details.(interface{ Rewritten(func(string) string) any }); ok {
			f.Details = d.Rewritten(rewrite)
		}
	})
}
