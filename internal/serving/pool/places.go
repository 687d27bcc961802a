package pool

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// places are what workers take. Those who wait for one are served in the order
// in which they came, but a principal that has fewer workers before one that has more.
type places struct {
	mu      sync.Mutex // guards the fields below
	free    int
	leaving int            // taken by workers that end for the sake of who waits
	taken   map[string]int // by principal
	queue   []*waiter
}

type waiter struct {
	principal string
	most      int // how many places the principal may have, 0 for any number
	since     time.Time
	granted   chan struct{}
}

func newPlaces(n int) *places { return &places{free: n, taken: map[string]int{}} }

// ask gets into the queue. Most is how many places the principal may have, 0 for any number.
func (p *places) ask(principal string, most int) *waiter {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := &waiter{principal: principal, most: most, since: time.Now(), granted: make(chan struct{})}
	p.queue = append(p.queue, w)
	p.grant()
	return w
}

// await waits for the place that was asked for, until ctx ends.
func (p *places) await(ctx context.Context, w *waiter) error {
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

// leave gives a place back; vacated says that its worker ended for who waits.
func (p *places) leave(principal string, vacated bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free++
	if vacated {
		p.leaving--
	}
	if p.taken[principal]--; p.taken[principal] == 0 {
		delete(p.taken, principal)
	}
	p.grant()
}

// lack is how many of those who wait will have no place when those who leave have left. Who
// waits for a place of his own principal's is helped by no other (full).
func (p *places) lack() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	lacking := -p.free - p.leaving
	for _, w := range p.queue {
		if !p.isFull(w) {
			lacking++
		}
	}
	return lacking
}

// isFull says that the principal of one who waits has as many places as it may; mu is held.
func (p *places) isFull(w *waiter) bool { return w.most > 0 && p.taken[w.principal] >= w.most }

// full are the principals that have as many places as they may, and wait for more.
func (p *places) full() (principals []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range p.queue {
		if p.isFull(w) {
			principals = append(principals, w.principal)
		}
	}
	return principals
}

// vacate notes that a worker ends for who waits.
func (p *places) vacate() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.leaving++
}

// stay is vacate undone.
func (p *places) stay() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.leaving--
}

func (p *places) has(principal string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.taken[principal]
}

// all is how many places each principal has that has any.
func (p *places) all() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.taken)
}

// grant gives free places away; mu is held.
func (p *places) grant() {
	for p.free > 0 {
		var next *waiter // that came first, of those with the fewest
		for _, w := range p.queue {
			if !p.isFull(w) && (next == nil || p.taken[w.principal] < p.taken[next.principal]) {
				next = w
			}
		}
		if next == nil {
			return
		}
		p.queue = slices.DeleteFunc(p.queue, func(w *waiter) bool { return w == next })
		p.free--
		p.taken[next.principal]++
		close(next.granted)
	}
}

func (p *places) countWaiting() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.queue)
}
