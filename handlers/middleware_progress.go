package handlers

import (
	"context"
	"fmt"
	"time"

	"aidb-mcp/session"
)

// heartbeat is how often a waiting client hears of us.
const heartbeat = 5 * time.Second

// progress tells the client every few seconds what a long call waits for. One
// goroutine a call, gone when the call returns.
func progress(next Handler) Handler {
	return func(ctx context.Context, c *Call) (Result, error) {
		done, gone := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(gone)
			beat(done, c)
		}()
		defer func() {
			close(done)
			<-gone // no progress after the answer
		}()
		return next(ctx, c)
	}
}

func beat(done <-chan struct{}, c *Call) {
	start := time.Now()
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
			doing, done, total := waitingFor(c.subject.Load(), c.doing.Load())
			c.Client.Progress(fmt.Sprintf("%s, %s", doing, time.Since(start).Round(time.Second)), float64(done), float64(total))
		}
	}
}

// waitingFor says what a call waits for, and how far that is where it is counted.
func waitingFor(s *session.Session, doing *string) (what string, done, total int) {
	if s == nil && doing != nil {
		return *doing, 0, 0
	}
	if s == nil {
		return "still working", 0, 0
	}
	switch st := s.State(); {
	case st.Status == session.Starting && st.Doing != "":
		return st.Doing, st.Done, st.Total
	case st.Status == session.Running:
		return "the program is still running", 0, 0
	}
	return "still waiting", 0, 0
}
