// Package dap is the wire: requests, replies, events and reverse requests of
// the Debug Adapter Protocol (https://microsoft.github.io/debug-adapter-protocol)
// over one byte stream.
//
// It knows no adapter's quirks and keeps no debugging state. Message bodies are
// the types of github.com/google/go-dap; envelopes are decoded here, because
// adapters send events, commands and nulls that strict decoding refuses.
package dap

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"time"
)

// Options configure a Conn.
type Options struct {
	Name    string        // names the connection in logs and in the trace: "go-1"
	Log     *slog.Logger  // required
	Trace   *Tracer       // optional, one readable line a message
	Timeout time.Duration // limit of one request whose context has no earlier deadline; 0 is 10 s

	// OnEvent receives every event in the order of the wire, on the reading
	// goroutine: it must not block and must not wait for a reply.
	OnEvent func(Event)
	// OnRequest receives reverse requests, on a goroutine of their own. What it
	// returns is the reply's body; an error becomes a failed reply. nil refuses all.
	OnRequest func(ctx context.Context, command string, arguments json.RawMessage) (any, error)
}

// Event is one event as it came.
type Event struct {
	Name string
	Body json.RawMessage
}

// RequestError is a reply with success false: the adapter's own words.
type RequestError struct {
	Command string
	ID      int    // body.error.id, 0 when absent
	Message string // body.error.format with its variables filled in where there is one, else message
}

// ErrTimeout: the adapter did not answer within the request's limit.
// ErrClosed: the connection ended before the answer came.
var (
	ErrTimeout = newError("no answer from the debug adapter in time")
	ErrClosed  = newError("the connection to the debug adapter is closed")
)

// Conn is one client connection to a debug adapter.
type Conn struct{ *conn }

// New starts reading from rw and returns the connection.
func New(rw io.ReadWriteCloser, o Options) *Conn { return newConn(rw, o) }

// Send writes a request now and returns its pending reply. Requests sent
// together share a round trip.
func (c *Conn) Send(command string, arguments any) *Pending { return c.send(command, arguments) }

// Call sends a request and waits for its reply; body may be nil.
func (c *Conn) Call(ctx context.Context, command string, arguments, body any) error {
	return c.Send(command, arguments).Wait(ctx, body)
}

// Pending is a request that has been sent.
type Pending struct{ *pending }

// Wait returns when the reply has come (decoded into body when that is not
// nil), ctx has ended, the request's limit has passed or the connection has
// closed. The error is a *RequestError, ErrTimeout, ErrClosed or ctx's cause,
// wrapped with the command. A reply of an abandoned request is dropped quietly.
func (p *Pending) Wait(ctx context.Context, body any) error { return p.wait(ctx, body) }

// WaitOpen is Wait without the request's own limit, for replies that come only
// when something else has happened (launch, attach).
func (p *Pending) WaitOpen(ctx context.Context, body any) error { return p.waitOpen(ctx, body) }

// Done is closed when the stream has ended; Err says why (io.EOF for a clean end).
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err is why the connection ended; nil while it is open.
func (c *Conn) Err() error { return c.err() }

// Close ends the connection and fails what is pending.
func (c *Conn) Close() error { return c.close() }
