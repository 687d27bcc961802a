package gateway

import (
	"container/list"
	"fmt"
	"slices"
	"time"

	"aidb-mcp/internal/mcp/answer"
	"aidb-mcp/internal/mcp/frame"
)

// The bounds of what is kept for a client that does not take it.
const (
	maxStreamBytes  = 4 << 20
	maxStreamEvents = 1000
)

// stream is what one request is answered with, or what a client that listens is
// told: a log of messages, each with its number, that stays for a while so that
// a client whose connection broke can take up where it was.
//
// Who writes never waits for who reads. A log that is full loses its oldest
// notifications, and its oldest questions where those alone fill it; an answer for
// which there is no room at all is replaced by one that says so.
type stream struct {
	number    int
	principal string
	ledger    *ledger

	// Its lock is the ledger's, which guards the fields below.
	events   []event
	next     int // number of the event to come, from 1
	size     int // of all events, in bytes
	bytes    int // of notifications and questions
	several  int // notifications and questions
	readers  int
	ended    bool
	lost     bool          // its events have made room for others
	released bool          // it is not counted any more
	place    *list.Element // among those that have ended
	at       time.Time     // when it ended
	changed  chan struct{} // closed and replaced at each change
}

type event struct {
	number int
	frame  frame.Frame
}

func (l *ledger) stream(principal string, number int) *stream {
	return &stream{number: number, principal: principal, ledger: l, next: 1, changed: make(chan struct{})}
}

// shortAnswer is how long a message may be that is kept in any case, in bytes: so many
// of those as may wait cost little.
const shortAnswer = 4 << 10

// add appends a message.
func (s *stream) add(f frame.Frame) {
	s.ledger.mu.Lock()
	defer s.ledger.mu.Unlock()
	if s.ended {
		return
	}
	if !s.ledger.room(s.principal, len(f.Bytes())) && (f.Kind() != frame.Answer || len(f.Bytes()) > shortAnswer) {
		if f.Kind() != frame.Answer {
			return
		}
		f = answer.Error(f.ID(), answer.CodeServer, fmt.Sprintf("the answer has %d bytes, and too many wait to be read already: read them, and ask again", len(f.Bytes())), nil)
	}
	s.events = append(s.events, event{s.next, f})
	s.next++
	s.ledger.count(s, len(f.Bytes()))
	if f.Kind() != frame.Answer {
		s.bytes, s.several = s.bytes+len(f.Bytes()), s.several+1
		for s.bytes > maxStreamBytes || s.several > maxStreamEvents {
			if !s.drop(frame.Notification) && !s.drop(frame.Request) {
				break
			}
		}
	}
	s.change()
}

// drop forgets the oldest event of a kind, but never the newest event of all;
// false: there is none. The lock is held.
func (s *stream) drop(kind frame.Kind) bool {
	for i, e := range s.events[:len(s.events)-1] {
		if e.frame.Kind() == kind {
			n := len(e.frame.Bytes())
			s.bytes, s.several = s.bytes-n, s.several-1
			s.ledger.count(s, -n)
			s.events = slices.Delete(s.events, i, i+1)
			return true
		}
	}
	return false
}

// end says that nothing more comes.
func (s *stream) end() {
	s.ledger.mu.Lock()
	defer s.ledger.mu.Unlock()
	if !s.ended {
		s.ended, s.at = true, time.Now()
		s.ledger.enlist(s)
		s.change()
	}
}

// change wakes those who wait; the lock is held.
func (s *stream) change() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// read keeps the stream from being dropped until done is called.
func (s *stream) read() (done func()) {
	s.ledger.mu.Lock()
	defer s.ledger.mu.Unlock()
	s.readers++
	s.ledger.unlist(s)
	return func() {
		s.ledger.mu.Lock()
		defer s.ledger.mu.Unlock()
		s.readers--
		s.ledger.enlist(s)
	}
}

// eventsAfter returns the events behind a number, whether there will be no more, and
// what is closed when that changes.
func (s *stream) eventsAfter(number int) (events []event, ended bool, changed <-chan struct{}) {
	s.ledger.mu.Lock()
	defer s.ledger.mu.Unlock()
	for i, e := range s.events {
		if e.number > number {
			events = append(events, s.events[i:]...)
			break
		}
	}
	return events, s.ended, s.changed
}

// keptSize is how much is kept of a stream that has ended, and since when; false: it has not.
func (s *stream) keptSize() (size int, since time.Time, ended bool) {
	s.ledger.mu.Lock()
	defer s.ledger.mu.Unlock()
	return s.size, s.at, s.ended
}

// isLost says that what it had is not kept any more.
func (s *stream) isLost() bool {
	s.ledger.mu.Lock()
	defer s.ledger.mu.Unlock()
	return s.lost
}

// forget counts the stream out: nobody can come back for it. Who reads it may read on.
func (s *stream) forget() {
	s.ledger.mu.Lock()
	defer s.ledger.mu.Unlock()
	s.ledger.release(s)
}
