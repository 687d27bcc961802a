package dap

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"aidb-mcp/internal/telemetry"
	"aidb-mcp/internal/text/jsonwords"
)

// Pending is a request that has been sent. It may be waited for more than once.
type Pending struct {
	command string
	sent    time.Time
	limit   time.Duration

	done  chan struct{}
	reply message // all are written before done is closed
	err   error
	ended time.Time

	recorded atomic.Bool // in the trace of the first who has waited
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
	p.reply, p.err, p.ended = reply, err, time.Now()
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
	p.record(ctx, err)
	if err != nil {
		return fmt.Errorf("%s: %w", p.command, err)
	}
	return nil
}

// record tells of the request in the trace of the call that waits for it, once.
func (p *Pending) record(ctx context.Context, err error) {
	if p.recorded.Swap(true) {
		return
	}
	ended := time.Now()
	select {
	case <-p.done:
		ended = p.ended
	default:
	}
	telemetry.Record(ctx, "dap", p.command, kindOf(err), p.sent, ended)
}

// kindOf is one word for what has failed, empty for nothing. What an adapter says of it
// can hold values.
func kindOf(err error) string {
	_, refused := errors.AsType[*RequestError](err)
	switch {
	case err == nil:
		return ""
	case refused:
		return "refused"
	case errors.Is(err, ErrTimeout):
		return "timeout"
	case errors.Is(err, ErrClosed):
		return "closed"
	case errors.Is(err, ErrUnreadable):
		return "unreadable"
	}
	return "cancelled"
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
