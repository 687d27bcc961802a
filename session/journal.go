package session

import (
	"context"
	"errors"
	"sync"

	"aidb-mcp/internal/fault"
	"aidb-mcp/session/lifecycle"
)

// Event is a state that a session has come to.
type Event struct {
	Session *Session
	State   State
	Epoch   int        // the number of State, see Moment
	Code    fault.Code // of the failure that has ended it, empty when none has
}

// kept is how many events wait for somebody to take them.
const kept = 256

// Journal is what has happened in all sessions, in order, for one to read.
// Nobody waits for it: when it is not read, the oldest are lost.
type Journal struct {
	mu     sync.Mutex // guards the field below; the last to be taken
	events []Event
	wake   chan struct{} // has room for one
}

func newJournal() *Journal { return &Journal{wake: make(chan struct{}, 1)} }

// Wait waits until there is something to take; false: ctx has ended.
func (j *Journal) Wait(ctx context.Context) bool {
	select {
	case <-j.wake:
		return true
	case <-ctx.Done():
		return false
	}
}

// Take returns what has happened since the last time.
func (j *Journal) Take() []Event {
	j.mu.Lock()
	defer j.mu.Unlock()
	events := j.events
	j.events = nil
	return events
}

func (j *Journal) add(e Event) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.events) == kept {
		j.events = append(j.events[:0:0], j.events[1:]...)
	}
	j.events = append(j.events, e)
	select {
	case j.wake <- struct{}{}:
	default:
	}
}

// journalKey tells events apart: the journal has one for each epoch and status.
type journalKey struct {
	epoch  int
	status Status
}

// addToJournal notes the state in the journal, unless it stands there already.
func (s *Session) addToJournal(m *lifecycle.Machine) {
	now := journalKey{m.Epoch(), m.Status()}
	if s.id == "" || now == s.entered { // without a name it is not known yet
		return
	}
	s.entered = now
	s.publishState(m)
	e := Event{Session: s, State: s.snapshot(m), Epoch: m.Epoch()}
	var f *fault.Error
	switch {
	case m.Crash() != nil:
		e.Code = m.Crash().Code
	case errors.As(m.Failure(), &f):
		e.Code = f.Code
	}
	s.manager.journal.add(e)
}
