package pool

import (
	"context"
	"slices"
	"sync"
)

// places are what workers take. Those who wait for one are served in the order
// in which they came, but a principal that has fewer workers before one that has more.
type places struct {
	mu    sync.Mutex // guards the fields below
	free  int
	taken map[string]int // by principal
	queue []*waiter
}

type waiter struct {
	principal string
	granted   chan struct{}
}

func newPlaces(n int) *places { return &places{free: n, taken: map[string]int{}} }

// take waits for a place until ctx ends.
func (p *places) take(ctx context.Context, principal string) error {
	p.mu.Lock()
	w := &waiter{principal: principal, granted: make(chan struct{})}
	p.queue = append(p.queue, w)
	p.grant()
	p.mu.Unlock()
	select {
	case <-w.granted:
		return nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.queue, w); i >= 0 {
		p.queue = slices.Delete(p.queue, i, i+1)
		return context.Cause(ctx)
	}
	return nil // granted in the same moment
}

// leave gives a place back.
func (p *places) leave(principal string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free++
	if p.taken[principal]--; p.taken[principal] == 0 {
		delete(p.taken, principal)
	}
	p.grant()
}

// grant gives free places away; mu is held.
func (p *places) grant() {
	for p.free > 0 && len(p.queue) > 0 {
		next := slices.MinFunc(p.queue, func(a, b *waiter) int { return p.taken[a.principal] - p.taken[b.principal] })
		p.queue = slices.DeleteFunc(p.queue, func(w *waiter) bool { return w == next })
		p.free--
		p.taken[next.principal]++
		close(next.granted)
	}
}

// full says that nobody would get a place now.
func (p *places) full() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.free == 0
}

func (p *places) waiting() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.queue)
}
