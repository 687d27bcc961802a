// Package tunnel is a net.Conn over a line of the cluster (package wire), for what speaks HTTP and
// not MCP.
//
// It does not know who is at its ends, nor what they say.
package tunnel

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"aidb-mcp/internal/cluster/wire"
)

// The operations of the line that are the connection's.
const (
	OpBytes  = "bytes"
	OpClosed = "closed"
)

// The bounds of one.
const (
	mostUnread = 8 << 20   // bytes that came and were not read; with more it is closed
	flushEvery = 512 << 10 // bytes, after which a writer waits until the other end has them
	flushFor   = 30 * time.Second
	closeFor   = 2 * time.Second
)

// ErrUnread is why a connection was closed whose owner did not read what came.
var ErrUnread = errors.New("the connection is not read")

// Conn is one end of a connection.
type Conn struct {
	line *wire.Line
	over func() // called once, when it is closed

	writing sync.Mutex // held by who writes
	since   int        // bytes since the last flush; guarded by writing

	mu      sync.Mutex // guards the fields below
	changed sync.Cond
	in      []byte
	err     error
	closed  bool
}

// New is an end that has no line yet: Over gives it one.
func New(over func()) *Conn {
	c := &Conn{over: over}
	c.changed.L = &c.mu
	return c
}

// Over gives the connection the line that it runs over. It is called before anything comes.
func (c *Conn) Over(line *wire.Line) { c.line = line }

// Hear takes a message of the line. It does not block.
func (c *Conn) Hear(op string, body []byte) {
	switch op {
	case OpBytes:
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.err != nil {
			return
		}
		if c.in = append(c.in, body...); len(c.in) > mostUnread {
			c.in, c.err = nil, ErrUnread
			go c.Close()
		}
		c.changed.Broadcast()
	case OpClosed:
		c.Fail(io.EOF)
	}
}

// Fail ends the connection for a reason, which Read returns after all that has come.
func (c *Conn) Fail(why error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = why
	}
	c.changed.Broadcast()
}

// Read waits for bytes.
func (c *Conn) Read(to []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.in) == 0 {
		if c.err != nil {
			return 0, c.err
		}
		c.changed.Wait()
	}
	n := copy(to, c.in)
	if c.in = c.in[n:]; len(c.in) == 0 {
		c.in = nil
	}
	return n, nil
}

// Write sends bytes. After each flushEvery of them it waits until the other end has them.
func (c *Conn) Write(bytes []byte) (int, error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	c.mu.Lock()
	err := c.err
	c.mu.Unlock()
	if err != nil {
		return 0, net.ErrClosed
	}
	c.line.Say(OpBytes, append([]byte(nil), bytes...)) // a copy: the caller may use its buffer again
	if c.since += len(bytes); c.since >= flushEvery {
		c.since = 0
		ctx, cancel := context.WithTimeout(context.Background(), flushFor)
		defer cancel()
		c.line.Flush(ctx)
		if ctx.Err() != nil {
			c.Fail(context.Cause(ctx))
			return 0, ctx.Err()
		}
	}
	return len(bytes), nil
}

// Close ends the connection and tells the other end.
func (c *Conn) Close() error {
	c.Fail(net.ErrClosed)
	c.mu.Lock()
	closed := c.closed
	c.closed = true
	c.mu.Unlock()
	if closed {
		return nil
	}
	c.line.Say(OpClosed, nil)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), closeFor)
		defer cancel()
		c.line.Flush(ctx)
		c.line.Close()
		c.over()
	}()
	return nil
}

type addr struct{}

func (addr) Network() string { return "cluster" }
func (addr) String() string  { return "cluster" }

// LocalAddr is the same for all.
func (c *Conn) LocalAddr() net.Addr { return addr{} }

// RemoteAddr is as LocalAddr.
func (c *Conn) RemoteAddr() net.Addr { return addr{} }

// SetDeadline does nothing: whoever uses the connection bounds its requests in time.
func (c *Conn) SetDeadline(time.Time) error { return nil }

// SetReadDeadline does nothing either.
func (c *Conn) SetReadDeadline(time.Time) error { return nil }

// SetWriteDeadline does nothing either.
func (c *Conn) SetWriteDeadline(time.Time) error { return nil }
