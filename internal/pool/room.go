package pool

import (
	"context"
	"time"
)

// makeRoom ends a worker that has nothing to do when all places are taken: that
// of another seat, without calls and, as far as it tells, without sessions. A
// worker that does not tell is left alone. The one that has rested longest goes.
func (p *Pool) makeRoom(asking *Seat) {
	if !p.places.full() {
		return
	}
	var resting *worker
	var since time.Time
	for _, s := range p.all() {
		if s == asking {
			continue
		}
		s.mu.Lock()
		w := s.worker
		s.mu.Unlock()
		if w == nil {
			continue
		}
		if at, free := w.restsSince(); free && (resting == nil || at.Before(since)) {
			resting, since = w, at
		}
	}
	if resting != nil {
		resting.retire(true)
	}
}

// retire dismisses a worker, unless a call has come meanwhile or, where those are
// to be spared, a session.
func (w *worker) retire(spare bool) {
	w.mu.Lock()
	if w.gone || w.why != nil || len(w.calls) > 0 || spare && len(w.sessions) > 0 {
		w.mu.Unlock()
		return
	}
	w.why = &ending{why: "idle"} // from here on a call waits for the next worker
	w.mu.Unlock()
	w.dismiss(context.Background(), "idle")
}

// dismiss asks a worker to end by itself, as a client does: by the end of its
// input. What is left when ctx ends is killed.
func (w *worker) dismiss(ctx context.Context, why string) {
	w.mu.Lock()
	if w.why == nil {
		w.why = &ending{why: why}
	}
	w.mu.Unlock()
	_ = w.child.Stdin.Close()
	limit := time.NewTimer(w.seat.pool.o.Grace)
	defer limit.Stop()
	select {
	case <-w.over:
		return
	case <-ctx.Done():
	case <-limit.C:
	}
	w.child.Kill()
	<-w.over
}
