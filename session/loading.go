package session

import (
	"sync"
	"time"
)

// loading follows the loadedSource events of an adapter that has attached to a program which had
// loaded its sources before. No event says that the last one has come. It is taken to have come
// when there was one, and none has followed for a while. The lock is its own.
type loading struct {
	mu      sync.Mutex
	last    time.Time // when the last event came; zero: none has
	setting int       // how many breakpoints are being set anew because of one
}

const (
	sourceGap = 500 * time.Millisecond // no two events that belong together are further apart
	bindSoon  = 10 * time.Second       // after an adapter has attached, its first event is not waited for any longer
)

// noteSource notes that an event has come.
func (o *loading) noteSource() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last = time.Now()
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

// isOver says that all sources have been told of, and that their breakpoints are set.
func (o *loading) isOver() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.setting == 0 && !o.last.IsZero() && time.Since(o.last) > sourceGap
}
