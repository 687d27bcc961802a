package grants

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Rates hold principals to the calls that they may make a minute. The zero value is one for
// a gateway. Its methods may be called from any goroutine.
type Rates struct {
	// Slack is how many times as many calls may come at once: what others have let
	// through at its time arrives in its own.
	Slack int

	mu sync.Mutex // guards the field below
	of map[string]*rate.Limiter
}

// mostRates is of how many principals it is known how fast they call.
const mostRates = 10_000

// Wait takes one call of those that a principal may make a minute, and is how long it must
// wait when there is none. Those of ten seconds may come at once.
func (r *Rates) Wait(principal string, calls int) time.Duration {
	if calls == 0 {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	one := r.limiter(principal, calls).Reserve()
	wait := one.Delay()
	if wait > 0 {
		one.Cancel()
	}
	return wait
}

// Spend takes calls that have been made elsewhere. What they take too much, the next ones
// wait for.
func (r *Rates) Spend(principal string, calls, made int) {
	if calls == 0 || made <= 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.limiter(principal, calls)
	for made = min(made, calls); made > 0; {
		n := min(made, l.Burst())
		l.ReserveN(time.Now(), n)
		made -= n
	}
}

// limiter is that of a principal; mu is held.
func (r *Rates) limiter(principal string, calls int) *rate.Limiter {
	each, burst := rate.Limit(float64(calls)/time.Minute.Seconds()), max(1, calls/6)*max(1, r.Slack)
	l := r.of[principal]
	if l == nil {
		if len(r.of) >= mostRates || r.of == nil {
			r.of = map[string]*rate.Limiter{}
		}
		l = rate.NewLimiter(each, burst)
		r.of[principal] = l
	}
	if l.Limit() != each {
		l.SetLimit(each)
		l.SetBurst(burst)
	}
	return l
}
