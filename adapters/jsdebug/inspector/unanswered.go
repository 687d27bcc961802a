package inspector

import (
	"sync"
	"time"
)

// unanswered are the requests that node has not answered yet, by their numbers. It is safe for
// concurrent use.
type unanswered struct {
	mu   sync.Mutex
	open map[int]bool
	none chan struct{} // closed when there are none, once that is waited for; else nil
}

func (u *unanswered) add(id int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.open == nil {
		u.open = map[int]bool{}
	}
	u.open[id] = true
}

// answer takes note of an answer, and says whether it was waited for.
func (u *unanswered) answer(id int) (wasOpen bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	wasOpen = u.open[id]
	delete(u.open, id)
	u.settle()
	return wasOpen
}

// settle says that there are none, if it is waited for; mu is held.
func (u *unanswered) settle() {
	if u.none != nil && len(u.open) == 0 {
		close(u.none)
		u.none = nil
	}
}

// wait waits until all are answered, unless node has gone or the time is over.
func (u *unanswered) wait(gone <-chan struct{}, limit <-chan time.Time) (isAnswered bool) {
	u.mu.Lock()
	none := make(chan struct{})
	u.none = none
	u.settle()
	u.mu.Unlock()
	select {
	case <-none:
		return true
	case <-gone:
	case <-limit:
	}
	return false
}
