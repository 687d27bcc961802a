package attempt

import (
	"cmp"
	"errors"
	"sync"
	"time"

	"aidb-mcp/investigate/spread"
)

// trialPool makes trials beside each other, so many at once, in the time that there is: here, and on
// machines that help.
type trialPool struct {
	over     time.Time
	here     chan struct{} // holds the trials that are made here
	there    chan Helper   // has a machine once for each trial that it has room for
	trials   sync.WaitGroup
	progress func(done int)

	mu      sync.Mutex // guards what follows
	waiting int        // trials that need some of the time still
	places  int        // in which they are made
	failed  error
	done    int
}

// mostHelp is how many trials are made elsewhere at once.
const mostHelp = 200

func newTrialPool(over time.Time, trials, parallel int, progress func(done int)) *trialPool {
	return &trialPool{
		over: over, waiting: trials, places: parallel, progress: progress,
		here: make(chan struct{}, parallel), there: make(chan Helper, mostHelp),
	}
}

// start begins a trial when there is room for it. What a machine has not done is made here, with a nil
// helper as all else that is.
func (l *trialPool) start(do func(helper Helper, limit time.Duration) error) {
	helper := l.take()
	limit := l.share(-1)
	l.trials.Go(func() {
		err := do(helper, limit)
		var undone *spread.NotDone
		switch {
		case helper == nil:
			<-l.here
		case errors.As(err, &undone):
			l.offer(helper, 1)
			l.here <- struct{}{}
			err = do(nil, l.share(0))
			<-l.here
		default:
			l.offer(helper, 1)
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		l.failed = cmp.Or(l.failed, err)
		l.done++
		l.progress(l.done)
	})
}

// take waits for room for a trial, rather here than elsewhere: nil is here.
func (l *trialPool) take() Helper {
	select {
	case l.here <- struct{}{}:
		return nil
	default:
	}
	for {
		select {
		case l.here <- struct{}{}:
			return nil
		case helper := <-l.there:
			if helper.Aside() == "" {
				return helper
			}
		}
	}
}

// offer says that a machine has room for so many trials.
func (l *trialPool) offer(helper Helper, trials int) {
	for range trials {
		select {
		case l.there <- helper:
		default: // there is more room than is used
		}
	}
}

// join adds a machine.
func (l *trialPool) join(helper Helper) {
	n := helper.Parallel()
	l.mu.Lock()
	l.places += n
	l.mu.Unlock()
	l.offer(helper, n)
}

// share is how long the next trial may take; more is how many wait more than before it.
func (l *trialPool) share(more int) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	limit := shareTime(l.over, max(l.waiting, 1), l.places)
	l.waiting += more
	return limit
}

// wait waits for all that were started.
func (l *trialPool) wait() error {
	l.trials.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failed
}

// shareTime is how long one trial may take of the time until over: others wait for
// their share, and one that hangs must not take it.
func shareTime(over time.Time, waiting, parallel int) time.Duration {
	left := time.Until(over)
	turns := (waiting + parallel - 1) / parallel
	return min(left, max(left/time.Duration(max(turns, 1)), shortestCheck))
}
