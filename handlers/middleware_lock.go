package handlers

import (
	"context"
	"sync"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/session"
)

// lock finds the session that the call speaks of and waits for its turn: one
// operation at a time on one session, and no session waits for another. What
// passes (pause, status, stop) does not wait.
func (ch *callChain) lock(next Handler) Handler {
	return func(ctx context.Context, c *Call) (Result, error) {
		c.queue = ch.queue
		s, err := ch.find(c)
		if err != nil {
			return Result{}, err
		}
		defer func() {
			if c.unlock != nil {
				c.unlock()
			}
		}()
		if s != nil {
			c.speakOf(s)
			if !c.request.rule.passes {
				if c.unlock, err = ch.queue.enter(ctx, s, c); err != nil {
					return Result{}, err
				}
			}
		}
		return next(ctx, c)
	}
}

// find is the session that was asked for, else the current one, else nil if
// the tool can do without.
func (ch *callChain) find(c *Call) (*session.Session, error) {
	need := c.request.rule.session
	if need == none {
		return nil, nil
	}
	id := c.request.Session()
	if id == "" && need == optional {
		return ch.Sessions.Current(), nil
	}
	return ch.Sessions.Get(id)
}

// queue knows who holds each session, so that who waits in vain can be told.
type queue struct {
	mu    sync.Mutex // guards holds
	holds map[*session.Session]hold
}

type hold struct {
	what  string
	since time.Time
}

// patience is how long a call queues that has no timeout of its own.
const patience = 20 * time.Second

// enter takes the session's lock within the call's timeout. Time spent in the
// queue is taken off it, so that the call as a whole keeps its limit.
func (q *queue) enter(ctx context.Context, s *session.Session, c *Call) (leave func(), err error) {
	limit := patience
	if c.request.Waits() {
		limit = max(c.request.Timeout(), time.Second) // a timeout of 0 may still queue behind a quick call
	}
	start := time.Now()
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	leave, err = q.take(bounded, s, c.what())
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return nil, q.busy(s, limit)
	}
	c.request.Spend(time.Since(start))
	return leave, nil
}

// take takes the session's lock in the name of what.
func (q *queue) take(ctx context.Context, s *session.Session, what string) (leave func(), err error) {
	unlock, err := s.Lock(ctx)
	if err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.holds[s] = hold{what, time.Now()}
	return func() {
		q.mu.Lock()
		delete(q.holds, s)
		q.mu.Unlock()
		unlock()
	}, nil
}

// busy says which operation holds the session.
func (q *queue) busy(s *session.Session, waited time.Duration) error {
	q.mu.Lock()
	held, known := q.holds[s]
	q.mu.Unlock()
	err := fault.New(fault.NotPaused, "session %s is busy: another call holds it, %s of waiting were not enough", s.ID(), waited)
	if known {
		err = fault.New(fault.NotPaused, "session %s is busy: %s has held it for %s", s.ID(), held.what, time.Since(held.since).Round(100*time.Millisecond))
	}
	return err.WithHint("execute(pause) stops the program and ends that call; session(status) works meanwhile")
}
