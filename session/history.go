package session

import "slices"

// history is the last operations, numbered on from the first. The session's mu
// guards it.
type history struct {
	limit int
	next  int
	list  []Operation
}

// Record adds an operation to the history and numbers it.
func (s *Session) Record(op Operation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.publishNews(News{Recorded: true, Altered: !op.Looked})
	h := &s.history
	h.next++
	op.N = h.next
	h.list = append(h.list, op)
	if extra := len(h.list) - h.limit; extra > 0 {
		h.list = slices.Delete(h.list, 0, extra)
	}
}

// History lists the last operations, oldest first.
func (s *Session) History() []Operation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.history.list)
}
