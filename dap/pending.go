package dap

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"aidb-mcp/internal/text/jsonwords"
)

// Pending is a request that has been sent. It may be waited for more than once.
type Pending struct {
	command string
	sent    time.Time
	limit   time.Duration

	done  chan struct{}
	reply message // both are written before done is closed
	err   error
}

// Wait returns when the reply has come (decoded into body when that is not
// nil), ctx has ended, the request's limit has passed or the connection has
// closed. The error is a *RequestError, ErrUnreadable, ErrTimeout, ErrClosed or
// ctx's cause, wrapped with the command. A reply of an abandoned request is dropped quietly.
func (p *Pending) Wait(ctx context.Context, body any) error {
	limit := time.NewTimer(p.limit - time.Since(p.sent))
	defer limit.Stop()
	return p.wait(ctx, limit.C, body)
}

// WaitOpen is Wait without the request's own limit, for replies that come only
// when something else has happened (launch, attach).
func (p *Pending) WaitOpen(ctx context.Context, body any) error {
	return p.wait(ctx, nil, body)
}

// finish completes the request; it is called once.
func (p *Pending) finish(reply message, err error) {
	p.reply, p.err = reply, err
	close(p.done)
}

func (p *Pending) wait(ctx context.Context, limit <-chan time.Time, body any) error {
	var err error
	select {
	case <-p.done:
	default:
		select {
		case <-p.done:
		case <-ctx.Done():
			err = context.Cause(ctx)
		case <-limit:
			err = ErrTimeout
		}
	}
	if err == nil {
		err = p.result(body)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", p.command, err)
	}
	return nil
}

// result reads the outcome of a request that is done.
func (p *Pending) result(body any) error {
	switch {
	case p.err != nil:
		return p.err
	case !p.reply.Success:
		return requestError(p.command, p.reply)
	case body == nil || len(p.reply.Body) == 0:
		return nil
	}
	if err := json.Unmarshal(p.reply.Body, body); err != nil {
		return fmt.Errorf("%w: %s", ErrUnreadable, jsonwords.Why(err))
	}
	return nil
}
