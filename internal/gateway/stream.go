package gateway

import (
	"slices"
	"sync"
	"time"

	"aidb-mcp/internal/frame"
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
// notifications, and its oldest questions where those alone fill it; answers it
// never loses.
type stream struct {
	number int

	mu      sync.Mutex // guards the fields below
	events  []event
	next    int // number of the event to come, from 1
	size    int // of all events, in bytes
	bytes   int // of notifications and questions
	several int // notifications and questions
	ended   bool
	at      time.Time     // when it ended
	changed chan struct{} // closed and replaced at each change
}

type event struct {
	number int
	frame  frame.Frame
}

func newStream(number int) *stream {
	return &stream{number: number, next: 1, changed: make(chan struct{})}
}

// add appends a message.
func (s *stream) add(f frame.Frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	s.events = append(s.events, event{s.next, f})
	s.next++
	s.size += len(f.Bytes())
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
// false: there is none. mu is held.
func (s *stream) drop(kind frame.Kind) bool {
	for i, e := range s.events[:len(s.events)-1] {
		if e.frame.Kind() == kind {
			n := len(e.frame.Bytes())
			s.size, s.bytes, s.several = s.size-n, s.bytes-n, s.several-1
			s.events = slices.Delete(s.events, i, i+1)
			return true
		}
	}
	return false
}

// end says that nothing more comes.
func (s *stream) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended {
		s.ended, s.at = true, time.Now()
		s.change()
	}
}

// change wakes those who wait; mu is held.
func (s *stream) change() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// after returns the events behind a number, whether there will be no more, and
// what is closed when that changes.
func (s *stream) after(number int) (events []event, ended bool, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, e := range s.events {
		if e.number > number {
			events = append(events, s.events[i:]...)
			break
		}
	}
	return events, s.ended, s.changed
}

// kept is how much is kept of a stream that has ended, and since when; false: it has not.
func (s *stream) kept() (size int, since time.Time, ended bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.size, s.at, s.ended
}
