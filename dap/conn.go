package dap

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"
)

// queueSize is how many messages may wait for an adapter that does not read.
const queueSize = 256

// Conn is one client connection to a debug adapter. All methods may be called
// from any goroutine.
//
// Goroutines, all gone soon after the end of the connection: one reads, one
// writes, and one for each reverse request in progress.
type Conn struct {
	rw      io.ReadWriteCloser
	frames  *frames
	options Options
	log     *slog.Logger

	out     chan outgoing
	reverse chan struct{} // one token for each reverse request in progress
	ctx     context.Context
	cancel  context.CancelFunc
	done    chan struct{}

	// mu guards what follows, and keeps the order of seq and out the same.
	mu      sync.Mutex
	seq     int
	pending map[int]*Pending // by the seq of the request
	err     error            // why the connection ended
}

// outgoing is a framed message and its sequence number.
type outgoing struct {
	frame []byte
	seq   int
}

// New starts reading from rw and returns the connection, which closes rw when
// either side ends it.
func New(rw io.ReadWriteCloser, o Options) *Conn {
	o.Timeout = cmp.Or(o.Timeout, defaultTimeout)
	c := &Conn{
		rw:      rw,
		frames:  newFrames(rw),
		options: o,
		log:     o.Log.With("conn", o.Name),
		out:     make(chan outgoing, queueSize),
		reverse: make(chan struct{}, maxReverse),
		done:    make(chan struct{}),
		pending: make(map[int]*Pending),
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	go c.read()
	go c.write()
	return c
}

// Send writes a request now and returns its pending reply. Requests sent
// together share a round trip. Send never waits for the adapter.
func (c *Conn) Send(command string, arguments any) *Pending {
	p := &Pending{
		command: command,
		sent:    time.Now(),
		limit:   c.options.Timeout,
		done:    make(chan struct{}),
	}
	raw, err := encode(arguments)
	if err != nil {
		p.finish(message{}, fmt.Errorf("encoding the arguments: %w", err))
		return p
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	seq := c.seq + 1
	if err := c.post(seq, Request{Seq: seq, Type: "request", Command: command, Arguments: raw}); err != nil {
		p.finish(message{}, err)
		return p
	}
	c.pending[seq] = p
	c.options.Trace.request(c.options.Name, command, seq, raw)
	return p
}

// Call sends a request and waits for its reply; body may be nil.
func (c *Conn) Call(ctx context.Context, command string, arguments, body any) error {
	return c.Send(command, arguments).Wait(ctx, body)
}

// Done is closed when the stream has ended, after its last event was handled;
// Err says why (io.EOF for a clean end).
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err is why the connection ended; nil while it is open.
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Nonsense is the beginning of what came that is no part of any message, empty when all was understood.
func (c *Conn) Nonsense() string { return c.frames.odd.String() }

// Close ends the connection and fails what is pending. Events that are being
// handled then may still return after it.
func (c *Conn) Close() error { return c.end(ErrClosed) }

// guard ends the connection when a goroutine of it has panicked: that costs a
// session, not the server. To be deferred.
func (c *Conn) guard(doing string) {
	if p := recover(); p != nil {
		c.log.Error("panic", "doing", doing, "panic", p, "stack", string(debug.Stack()))
		_ = c.end(fmt.Errorf("%w while %s: %v", ErrPanic, doing, p)) // closing adds nothing
	}
}

// read handles all incoming messages in their order until the stream ends.
func (c *Conn) read() {
	defer c.guard("handling a message of the adapter")
	frames := c.frames
	for {
		body, err := frames.next()
		if frames.skipped > 0 {
			c.log.Debug("skipped bytes that are no message", "bytes", frames.skipped)
		}
		if err != nil {
			_ = c.end(err) // it has ended already; closing adds nothing
			return
		}
		m, err := parse(body)
		if err != nil {
			c.log.Warn("skipped a message that cannot be read", "error", err, "bytes", len(body))
			continue
		}
		c.handle(m)
	}
}

func (c *Conn) handle(m message) {
	switch m.Type {
	case "response":
		c.answer(m)
	case "event":
		c.options.Trace.event(c.options.Name, m)
		if c.options.OnEvent != nil {
			c.options.OnEvent(Event{Name: m.Event, Body: m.Body})
		}
	case "request":
		c.options.Trace.reverse(c.options.Name, m)
		c.handleRequest(m)
	default:
		c.log.Warn("skipped a message of unknown type", "type", m.Type)
	}
}

// answer completes the request that m replies to. Its seq alone decides: some
// adapters leave the command out, and some reply twice.
func (c *Conn) answer(m message) {
	p := c.takePending(m.RequestSeq)
	if p == nil {
		c.log.Debug("dropped a reply that nobody waits for", "request_seq", m.RequestSeq, "command", m.Command)
		return
	}
	c.options.Trace.reply(c.options.Name, p, m)
	p.finish(m, nil)
}

// write sends the queue. After an error nothing can be sent any more, but the
// connection stays open: the adapter's last messages may still be on their way.
func (c *Conn) write() {
	defer c.guard("writing to the adapter")
	var err error
	for {
		select {
		case <-c.done:
			return
		case o := <-c.out:
			if err == nil {
				_, err = c.rw.Write(o.frame)
			}
			if err != nil {
				c.failUnsent(o.seq, err)
			}
		}
	}
}

// post queues a message under its sequence number; mu is held.
func (c *Conn) post(seq int, m any) error {
	if c.err != nil {
		return closedError(c.err)
	}
	body, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("encoding a message: %w", err)
	}
	select {
	case c.out <- outgoing{frame: frame(body), seq: seq}:
		c.seq = seq
		return nil
	default:
		return fmt.Errorf("%w: it does not read what it is sent", ErrTimeout)
	}
}

// failUnsent fails the request of that number, if it is one.
func (c *Conn) failUnsent(seq int, err error) {
	if p := c.takePending(seq); p != nil {
		p.finish(message{}, closedError(err))
	}
}

// takePending removes and returns the request that was sent as seq, nil if it is done.
func (c *Conn) takePending(seq int) *Pending {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.pending[seq]
	delete(c.pending, seq)
	return p
}

// end closes the stream and fails what is pending. The first reason counts.
func (c *Conn) end(reason error) error {
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return nil
	}
	c.err = reason
	orphans := c.pending
	c.pending = nil
	c.mu.Unlock()

	for _, p := range orphans {
		p.finish(message{}, closedError(reason))
	}
	c.cancel()
	close(c.done)
	return c.rw.Close()
}

// closedError is ErrClosed with its reason, where that says more.
func closedError(reason error) error {
	if errors.Is(reason, ErrClosed) || errors.Is(reason, io.EOF) {
		return ErrClosed
	}
	return fmt.Errorf("%w: %w", ErrClosed, reason)
}

// encode marshals arguments as they are; nil means none.
func encode(arguments any) (json.RawMessage, error) {
	if arguments == nil {
		return nil, nil
	}
	return json.Marshal(arguments)
}
