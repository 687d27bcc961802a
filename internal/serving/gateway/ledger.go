package gateway

import (
	"container/list"
	"sync"
)

// The bounds of what is kept for clients until they take it, or come back for it,
// in bytes: of all, and of one principal.
const (
	maxKeptOfAll = 64 << 20
	maxKeptOfOne = 32 << 20
)

// ledger counts the bytes of all streams. Those that have ended are kept for
// clients that come back, and make room for what is new: the oldest of the
// principal that asks, and where that is not enough, of the one that has the most.
//
// Its lock is that of the streams, too.
type ledger struct {
	most, share int

	mu    sync.Mutex // guards the fields below and those of the streams
	all   int
	of    map[string]int        // by principal
	ended map[string]*list.List // of *stream, by principal, the oldest first
}

func newLedger() *ledger {
	return &ledger{most: maxKeptOfAll, share: maxKeptOfOne, of: map[string]int{}, ended: map[string]*list.List{}}
}

// room makes room for more bytes of a principal. False: all that it has is in use. mu is held.
func (l *ledger) room(principal string, n int) bool {
	for l.of[principal]+n > l.share {
		if !l.dropOldest(principal) {
			return false
		}
	}
	for l.all+n > l.most {
		most, has := "", 0
		for name := range l.ended {
			if l.of[name] > has {
				most, has = name, l.of[name]
			}
		}
		if has == 0 || !l.dropOldest(most) {
			return false
		}
	}
	return true
}

// dropOldest forgets what is kept of a stream that has ended; mu is held.
func (l *ledger) dropOldest(principal string) bool {
	of := l.ended[principal]
	if of == nil {
		return false
	}
	s := of.Front().Value.(*stream)
	s.events, s.lost = nil, true
	l.release(s)
	return true
}

// count adds what a stream has got, or lost; mu is held.
func (l *ledger) count(s *stream, n int) {
	if s.released {
		return
	}
	s.size += n
	l.all += n
	if l.of[s.principal] += n; l.of[s.principal] == 0 {
		delete(l.of, s.principal)
	}
}

// release counts a stream out; mu is held.
func (l *ledger) release(s *stream) {
	l.count(s, -s.size)
	l.unlist(s)
	s.released = true
}

// enlist notes that a stream has ended that nobody reads: it may go; mu is held.
func (l *ledger) enlist(s *stream) {
	if !s.ended || s.readers > 0 || s.released || s.place != nil {
		return
	}
	if l.ended[s.principal] == nil {
		l.ended[s.principal] = list.New()
	}
	s.place = l.ended[s.principal].PushBack(s)
}

func (l *ledger) unlist(s *stream) {
	if s.place == nil {
		return
	}
	of := l.ended[s.principal]
	of.Remove(s.place)
	if s.place = nil; of.Len() == 0 {
		delete(l.ended, s.principal)
	}
}
