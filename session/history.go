package session

import (
	"slices"
	"sync"
)

// history is the last operations, numbered on from the first.
type history struct {
	mu    sync.Mutex // guards the fields below
	limit int
	next  int
	list  []Operation
}

// Record adds an operation to the history and numbers it.
func (s *Session) Record(op Operation) {
	s.history.add(op)
	s.publishNews(News{Recorded: true, Altered: !op.Looked})
}

func (h *history) add(op Operation) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.next++
	op.N = h.next
	h.list = append(h.list, op)
	if extra := len(h.list) - h.limit; extra > 0 {
		h.list = slices.Delete(h.list, 0, extra)
	}
}

// History lists the last operations, oldest first.
func (s *Session) History() []Operation {
	s.history.mu.Lock()
	defer s.history.mu.Unlock()
	return slices.Clone(s.history.list)
}
