package session

import "aidb-mcp/adapters"

// Left is what the program has left running at its end, where that was asked for
// ([adapters.Request.Left]); known is false where it was not, or is not known for programs
// of this kind.
func (s *Session) Left() (left adapters.Left, known bool) {
	l := s.currentRun()
	if l == nil {
		return left, false
	}
	<-l.started
	return l.readLeft()
}

// readLeft reads what was left, and keeps it once the run is released.
func (l *run) readLeft() (left adapters.Left, known bool) {
	if l.plan() == nil || l.plan().Capabilities.End.Left == nil {
		return left, false
	}
	l.noting.Lock()
	defer l.noting.Unlock()
	if l.left != nil {
		return *l.left, true
	}
	return l.plan().Capabilities.End.Left(), true
}

// keepLeft reads it for the last time: Close takes it away.
func (l *run) keepLeft() {
	if left, known := l.readLeft(); known {
		l.noting.Lock()
		defer l.noting.Unlock()
		l.left = &left
	}
}
