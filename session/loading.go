package session

import (
	"sync"
	"time"
)

// loading follows what an adapter tells of the sources of a program that had loaded them
// before the adapter came. No event says that it has told all; that it has begun, and has
// been silent for a while, does. The lock is its own.
type loading struct {
	mu      sync.Mutex
	heard   time.Time // when it last told of a source
	setting int       // how many breakpoints are being set anew for that
}

const (
	loadsApart = 500 * time.Millisecond // between two sources that are told of one after the other
	bindSoon   = 10 * time.Second       // after it has joined, an adapter that tells of no source is waited for no longer
)

func (o *loading) hear() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.heard = time.Now()
}

// set counts a breakpoint that is being set anew, until done is called.
func (o *loading) set() (done func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.setting++
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.setting--
	}
}

// isOver says that what was loaded has been told, and that its breakpoints are set.
func (o *loading) isOver() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.setting == 0 && !o.heard.IsZero() && time.Since(o.heard) > loadsApart
}
