package inspector

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
)

// Proxied speaks the inspector's own protocol over a web socket that js-debug serves. It is safe for concurrent use.
type Proxied struct {
	s     *socket
	event func(method string, params json.RawMessage)
	ended chan struct{} // closed when nothing more is received

	mu      sync.Mutex // guards the fields below
	last    int
	waiting map[int]chan<- proxiedReply
}

type proxiedReply struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// Dial connects to an inspector. Event is called with what comes without being asked for, on
// the goroutine that receives, which ends with the connection. The client must be closed.
func Dial(address string, event func(method string, params json.RawMessage)) (*Proxied, error) {
	s, err := dial(address)
	if err != nil {
		return nil, fmt.Errorf("connecting to the inspector: %w", err)
	}
	c := &Proxied{s: s, event: event, ended: make(chan struct{}), waiting: map[int]chan<- proxiedReply{}}
	go c.receive()
	return c, nil
}

func (c *Proxied) receive() {
	defer close(c.ended)
	for {
		text, err := c.s.receive()
		if err != nil {
			return
		}
		var r proxiedReply
		if json.Unmarshal(text, &r) != nil {
			continue
		}
		if r.Method != "" {
			c.event(r.Method, r.Params)
			continue
		}
		c.mu.Lock()
		to := c.waiting[r.ID]
		delete(c.waiting, r.ID)
		c.mu.Unlock()
		if to != nil {
			to <- r // it has room
		}
	}
}

// Call makes a request and reads its result into what is given, which may be nil.
func (c *Proxied) Call(ctx context.Context, method string, params, into any) error {
	answer := make(chan proxiedReply, 1)
	c.mu.Lock()
	c.last++
	id := c.last
	c.waiting[id] = answer
	c.mu.Unlock()
	text, err := json.Marshal(proxiedRequest{ID: id, Method: method, Params: params})
	if err == nil {
		err = c.s.send(text)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	select {
	case r := <-answer:
		if r.Error != nil {
			return fmt.Errorf("%s: %s", method, r.Error.Message)
		}
		if into == nil {
			return nil
		}
		return json.Unmarshal(r.Result, into)
	case <-c.ended:
		return fmt.Errorf("%s: the inspector has hung up", method)
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, context.Cause(ctx))
	}
}

type proxiedRequest struct {
	ID     int    `json:"id"`
	Method string `json:"method"`
	Params any    `json:"params,omitempty"`
}

// Close ends the connection, and waits for its goroutine.
func (c *Proxied) Close() {
	c.s.close()
	c.s.conn.Close()
	<-c.ended
}
