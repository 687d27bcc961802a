package session

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
)

// planning is what came of asking an adapter how to start.
type planning struct {
	plan     *adapters.Plan
	err      error
	panicked any
}

// planned asks the adapter how to start. When ctx ends, what the adapter has
// started ends too, and so it answers. One that does not, because it waits for the
// system (a disk that does not answer), is waited for no longer than planLimit:
// the session ends without it.
func (l *run) planned(ctx context.Context) (*adapters.Plan, error) {
	answered := make(chan planning, 1)
	go func() { answered <- l.plans(ctx) }()
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
	l.spawn("closing a plan that came late", func() {
		if p := <-answered; p.plan != nil && p.plan.Close != nil {
			p.plan.Close()
		}
	})
	return nil, context.Cause(ctx)
}

// plans keeps a panic for the goroutine of the start.
func (l *run) plans(ctx context.Context) (p planning) {
	defer func() {
		if p.panicked = recover(); p.panicked != nil {
			l.s.log.Error("panic", "session", l.s.id, "doing", "preparing the program", "panic", p.panicked, "stack", string(debug.Stack()))
		}
	}()
	p.plan, p.err = l.s.adapter.Plan(adapters.WithCount(ctx, l.counted), l.mapped(ctx, l.s.request.Program), l.doing)
	return p
}

func (p planning) result() (*adapters.Plan, error) {
	if p.panicked != nil {
		panic(p.panicked)
	}
	return p.plan, p.err
}

// withholds takes the code out of an error that lies outside of the policy's folders:
// compilers and interpreters quote it.
func (m *Manager) withholds(err error, workspace string) error {
	var f *fault.Error
	if !m.policy.Confined() || !errors.As(err, &f) {
		return err
	}
	rewrite := func(text string) string { return m.policy.Withhold(text, workspace) }
	told := *f
	told.Message = rewrite(f.Message)
	if d, ok := f.Details.(interface{ Rewritten(func(string) string) any }); ok {
		told.Details = d.Rewritten(rewrite)
	}
	return &told
}
