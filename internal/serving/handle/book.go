package handle

import (
	"slices"
	"strings"
	"sync"
	"time"
)

// Session is one of debugging, as its worker tells of it.
type Session struct {
	ID       string    `json:"id"`
	Language string    `json:"language"`
	Program  string    `json:"program,omitempty"`
	State    string    `json:"state,omitempty"`
	Since    time.Time `json:"since,omitzero"` // when it was started
}

// Fate is what has become of a session.
type Fate int

// A session lives at its worker, has ended, or was lost with its worker.
const (
	Live Fate = iota + 1
	Ended
	Lost
)

// Entry is what the book has of a session.
type Entry struct {
	Session
	Worker string
	Fate   Fate
	Why    string    // it was lost or has ended
	At     time.Time // when
}

// The bounds of a book: how many sessions that are gone it remembers of one principal,
// and of all.
const (
	maxGone      = 100
	maxGoneOfAll = 10_000
)

// Book is which sessions the workers of one keeper hold, and held, by principal. To whom a
// session does not belong, the book has none of it. Its methods may be called from any goroutine.
type Book struct {
	mu   sync.Mutex        // guards the fields below
	of   map[string]*shelf // by principal
	gone []gone            // the oldest first
	now  func() time.Time  // the tests' may stand still
}

type shelf struct {
	live map[string]Entry // by id
	gone map[string]Entry
	old  []string // ids of those that are gone, the oldest first
}

// gone says whose a session was that is remembered.
type gone struct{ principal, id string }

// NewBook makes an empty book.
func NewBook() *Book { return &Book{of: map[string]*shelf{}, now: time.Now} }

// Tell notes which sessions a worker holds now: those that it held before and holds no
// more have ended.
func (b *Book) Tell(principal, worker string, now []Session) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.of[principal]
	if s == nil {
		if len(now) == 0 {
			return
		}
		s = &shelf{live: map[string]Entry{}, gone: map[string]Entry{}}
		b.of[principal] = s
	}
	for id, e := range s.live {
		if e.Worker == worker && !slices.ContainsFunc(now, func(x Session) bool { return x.ID == id }) {
			b.bury(principal, s, e, Ended, "")
		}
	}
	for _, x := range now {
		s.live[x.ID] = Entry{Session: x, Worker: worker, Fate: Live}
		if _, was := s.gone[x.ID]; was { // it was started again
			b.forget(principal, x.ID)
		}
	}
}

// Close notes that a worker is gone: what it still held has this fate, and why.
func (b *Book) Close(principal, worker string, fate Fate, why string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.of[principal]
	if s == nil {
		return
	}
	for _, e := range s.live {
		if e.Worker == worker {
			b.bury(principal, s, e, fate, why)
		}
	}
}

// bury remembers a session that is gone, and forgets the oldest where there are too
// many; mu is held.
func (b *Book) bury(principal string, s *shelf, e Entry, fate Fate, why string) {
	delete(s.live, e.ID)
	e.Fate, e.Why, e.At = fate, why, b.now()
	s.gone[e.ID] = e
	s.old = append(s.old, e.ID)
	b.gone = append(b.gone, gone{principal, e.ID})
	if len(s.old) > maxGone {
		b.forget(principal, s.old[0])
	}
	for len(b.gone) > maxGoneOfAll {
		first := b.gone[0]
		b.forget(first.principal, first.id)
	}
}

// forget drops a session that is gone; mu is held.
func (b *Book) forget(principal, id string) {
	b.gone = drop(b.gone, gone{principal, id})
	s := b.of[principal]
	if s == nil {
		return
	}
	delete(s.gone, id)
	if s.old = drop(s.old, id); len(s.old) == 0 && len(s.live) == 0 {
		delete(b.of, principal)
	}
}

// drop is a list without the first that is equal.
func drop[T comparable](list []T, x T) []T {
	if i := slices.Index(list, x); i >= 0 {
		return slices.Delete(list, i, i+1)
	}
	return list
}

// Find is a session of a principal. False: it has none of this id, or it was forgotten.
func (b *Book) Find(principal, id string) (Entry, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.of[principal]
	if s == nil {
		s = &shelf{} // a stranger's question takes the same way
	}
	if e, ok := s.live[id]; ok {
		return e, true
	}
	e, ok := s.gone[id]
	return e, ok
}

// Live is the sessions of a principal that live, the oldest first.
func (b *Book) Live(principal string) []Entry {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []Entry
	if s := b.of[principal]; s != nil {
		for _, e := range s.live {
			all = append(all, e)
		}
	}
	slices.SortFunc(all, func(a, b Entry) int {
		if c := a.Since.Compare(b.Since); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return all
}
