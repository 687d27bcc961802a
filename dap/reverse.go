package dap

import (
	"encoding/json"
	"errors"
	"fmt"
)

// maxReverse is how many reverse requests are worked on at a time.
const maxReverse = 16

// handleRequest answers a reverse request on a goroutine of its own, because that may
// mean starting a program or a connection. Too many at once are refused.
func (c *Conn) handleRequest(m message) {
	if c.options.OnRequest == nil {
		c.respond(m, nil, fmt.Errorf("%s is not supported", m.Command))
		return
	}
	select {
	case c.reverse <- struct{}{}:
	default:
		c.respond(m, nil, errors.New("too many requests at once"))
		return
	}
	go func() {
		defer func() { <-c.reverse }()
		defer c.guard("answering a request of the adapter")
		body, err := c.options.OnRequest(c.ctx, m.Command, m.Arguments)
		c.respond(m, body, err)
	}()
}

// respond sends the reply to a reverse request.
func (c *Conn) respond(m message, body any, failure error) {
	raw, err := encode(body)
	if failure == nil && err != nil {
		failure = fmt.Errorf("encoding the reply: %w", err)
	}
	r := reply{Type: "response", RequestSeq: m.Seq, Command: m.Command, Success: failure == nil}
	if failure != nil {
		r.Message = failure.Error()
		raw = errorBody(r.Message)
	}
	r.Body = raw

	c.mu.Lock()
	defer c.mu.Unlock()
	r.Seq = c.seq + 1
	if err := c.post(r.Seq, r); err != nil {
		c.log.Debug("a reverse request stays unanswered", "command", m.Command, "error", err)
		return
	}
	c.options.Trace.answer(c.options.Name, r)
}

// errorBody says the reason where well-behaved adapters look for it.
func errorBody(text string) json.RawMessage {
	var body struct {
		Error struct {
			ID     int    `json:"id"`
			Format string `json:"format"`
		} `json:"error"`
	}
	body.Error.ID, body.Error.Format = 1, text
	raw, _ := json.Marshal(body) // two plain fields cannot fail
	return raw
}
