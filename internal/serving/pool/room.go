package pool

import (
	"context"
	"time"
)

// share ends workers that have nothing to do for those who wait for a place, as
// many as those lack: without calls and, as far as they tell, without sessions. A
// worker that does not tell is left alone. It is asked for when somebody begins to
// wait, and when a worker begins to rest.
func (p *Pool) share() {
	p.sharing.Lock() // two would end the same worker, each for another
	defer p.sharing.Unlock()
	for _, principal := range p.places.full() {
		if w := p.restingWorker(principal); w != nil {
			w.retire(true, false)
		}
	}
	for range p.places.lack() {
		w := p.restingWorker("")
		if w == nil {
			return
		}
		p.places.vacate() // before it can have left
		if !w.retire(true, true) {
			p.places.stay()
			return // what has come between begins to rest again, and asks
		}
	}
}

// restingWorker is the worker to end first, nil if none rests: of the principal that
// has the most places, or of the one that is given, the one that has rested longest.
func (p *Pool) restingWorker(of string) (first *worker) {
	var most int
	var since time.Time
	for _, s := range p.allSlots() {
		s.mu.Lock()
		w := s.worker
		s.mu.Unlock()
		if w == nil || of != "" && s.principal != of {
			continue
		}
		at, rests := w.restsSince()
		if has := p.places.has(s.principal); rests && (first == nil || has > most || has == most && at.Before(since)) {
			first, most, since = w, has, at
		}
	}
	return first
}

// retire dismisses a worker, unless a call has come meanwhile or, where those are
// to be spared, a session; vacates says that it is for who waits.
func (w *worker) retire(spare, vacates bool) bool {
	w.mu.Lock()
	if w.gone || w.why != nil || len(w.calls) > 0 || spare && len(w.sessions) > 0 {
		w.mu.Unlock()
		return false
	}
	w.why = &ending{why: "idle"} // from here on a call waits for the next worker
	w.vacates = vacates
	w.mu.Unlock()
	go w.dismiss(context.Background(), "idle")
	return true
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
