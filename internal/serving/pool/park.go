package pool

import (
	"time"

	"aidb-mcp/internal/serving/handle"
)

// settles is how long after its last message a worker may still tell of a session that
// it has begun with it.
const settles = 500 * time.Millisecond

// Leave gives the client up. A worker that has had debug sessions stays, for as long as
// somebody of the principal goes on with them or reads what is left of them, because some
// clients have a connection for each call; any other ends.
func (s *ClientSlot) Leave() {
	s.mu.Lock()
	w := s.worker
	s.mu.Unlock()
	if w == nil || s.pool.o.Keep < 0 {
		s.Close()
		return
	}
	w.mu.Lock()
	since, tells := time.Since(w.stirred), w.tells
	w.mu.Unlock()
	switch {
	case s.park(w):
	case tells && since < settles:
		time.AfterFunc(settles-since, func() {
			if !s.park(w) {
				s.Close()
			}
		})
	default:
		s.Close()
	}
}

// park has the worker go on without its client. False: it has had no session.
func (s *ClientSlot) park(w *worker) bool {
	w.mu.Lock()
	if w.gone || w.why != nil || !w.held {
		w.mu.Unlock()
		return false
	}
	w.rests = s.pool.o.Keep
	w.mu.Unlock()
	s.mu.Lock()
	s.parked = true
	s.mu.Unlock()
	w.stir()
	w.handleRest() // who waits for a place may have it, if all sessions have ended
	return true
}

// closeBook notes what has become of the sessions of a worker that has ended.
func (s *ClientSlot) closeBook(w *worker, crash bool, reason, said string) {
	fate, why := handle.Ended, "its client has ended it"
	switch {
	case crash:
		fate, why = handle.Lost, said
	case reason == "idle":
		w.mu.Lock()
		why = "nobody used it for " + w.rests.String()
		w.mu.Unlock()
	}
	s.pool.book.Close(s.principal, w.name, fate, why)
}
