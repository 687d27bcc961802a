// Package tunnel is a connection of bytes over a line, for what speaks HTTP and no frames.
//
// It knows nothing of who listens at its ends.
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

// Operations on a line.
const (
	OpBytes  = "bytes"
	OpClosed = "closed"
)

// The bounds of one.
const (
	mostUnread = 8 << 20   // bytes that nobody has read: then it is closed
	flushEvery = 512 << 10 // bytes, after which the writer waits for the other end
	flushFor   = 30 * time.Second
	closeFor    = 2 * time.Second
)

// ErrUnread is why a connection is closed that is not read.
var ErrUnread = errors.New("the connection is not read")

// Conn is one end.
type Conn struct {
	line *wire.Line
	over func() // called once, when it is closed

	writing sync.Mutex // held by who writes
	since   int        // bytes since the last flush; guarded by writing

	mu     sync.Mutex // guards the fields below
	changed   sync.Cond
	in     []byte
	err    error
	closed bool
}

// New is an end without a line, which it is given by Over.
func New(over func()) *Conn {
	c := &Conn{over: over}
	c.changed.L = &c.mu
	return c
}

// Over has the connection use a line. It is called before anything comes.
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

// Fail ends it for a reason. What has come can be read before.
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

// Write says bytes, and waits now and then until the other end has them.
func (c *Conn) Write(bytes []byte) (int, error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	c.mu.Lock()
	err := c.err
	c.mu.Unlock()
	if err != nil {
		return 0, net.ErrClosed
	}
	c.line.Say(OpBytes, append([]byte(nil), bytes...)) // which its caller will use again
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

// Close ends it. The other end is told.
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

// LocalAddr and RemoteAddr have no more to say.
func (c *Conn) LocalAddr() net.Addr { return addr{} }

// RemoteAddr is as LocalAddr.
func (c *Conn) RemoteAddr() net.Addr { return addr{} }

// SetDeadline does nothing: who uses the connection bounds its requests.
func (c *Conn) SetDeadline(time.Time) error { return nil }

// SetReadDeadline does nothing, too.
func (c *Conn) SetReadDeadline(time.Time) error { return nil }

// SetWriteDeadline does nothing, too.
func (c *Conn) SetWriteDeadline(time.Time) error { return nil }
