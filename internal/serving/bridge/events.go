package bridge

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"aidb-mcp/internal/mcp/frame"
)

// events reads a stream of server-sent events.
type events struct {
	lines *frame.Reader
	body  io.Closer
	max   int    // bytes of the data of one event
	long  bool   // one had more, and was passed over
	last  string // id of the newest event that came whole
	quiet *time.Timer
	limit time.Duration // of silence; only held where the stream shows that it lives
}

func newEvents(body io.ReadCloser, max int, silence time.Duration) *events {
	return &events{lines: frame.NewReader(body, max), body: body, max: max, limit: silence}
}

// next returns the data of the next event that has any. The error is the stream's end.
func (e *events) next() ([]byte, error) {
	var data []byte
	id, long := e.last, false
	for {
		line, err := e.lines.Next()
		if e.quiet != nil {
			e.quiet.Reset(e.limit)
		}
		if errors.Is(err, frame.ErrTooLong) {
			long = true
			continue
		}
		if err != nil {
			return nil, err
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch {
		case len(line) == 0:
			e.last = id // not before: an event that breaks off is to come again
			if len(data) > 0 && !long {
				return data, nil
			}
			e.long = e.long || long
			data, long = nil, false
		case len(field) == 0: // a comment, by which a stream shows that it lives
			if e.quiet == nil {
				e.quiet = time.AfterFunc(e.limit, func() { e.body.Close() })
			}
		case string(field) == "data":
			if data != nil {
				data = append(data, '\n')
			}
			if data = append(data, value...); len(data) > e.max {
				data, long = nil, true
			}
		case string(field) == "id":
			id = string(value)
		}
	}
}

func (e *events) close() {
	if e.quiet != nil {
		e.quiet.Stop()
	}
	e.body.Close()
}

// stream reads events up to the answer to f. Others go to event.
func (r *remote) stream(ctx context.Context, body io.ReadCloser, f frame.Frame, event func(frame.Frame)) (frame.Frame, error) {
	e := newEvents(body, r.max, r.silence)
	defer e.close()
	for {
		data, err := e.next()
		if err != nil {
			if ctx.Err() != nil {
				return frame.Frame{}, context.Cause(ctx)
			}
			if e.long && f.Kind() == frame.Request {
				return r.tooLongAnswer(f), nil
			}
			return frame.Frame{}, &brokenError{e.last}
		}
		message, err := frame.Parse(data)
		switch {
		case err != nil: // what is no message is nobody's
		case message.Kind() == frame.Answer && string(message.ID()) == string(f.ID()) && f.Kind() == frame.Request:
			return message, nil
		case message.Kind() == frame.Answer: // to nothing that is asked here
		case event != nil:
			event(message)
		}
	}
}
