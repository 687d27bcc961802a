package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// transport hands the SDK a connection that exists already.
type transport struct{ conn *conn }

func (t transport) Connect(context.Context) (mcp.Connection, error) { return t.conn, nil }

// conn is a connection of one JSON message a line. What is no message is
// answered here and never reaches the SDK, which would hang up.
type conn struct {
	o       Options
	pending *pending
	cancel  context.CancelCauseFunc // of all calls in flight

	incoming chan jsonrpc.Message // closed at the end of input
	closed   chan struct{}        // by Close
	close    sync.Once

	writing sync.Mutex // guards out: one line at a time
	out     io.Writer
}

func newConn(in io.Reader, out io.Writer, o Options, cancel context.CancelCauseFunc) *conn {
	c := &conn{
		o: o, pending: newPending(), cancel: cancel,
		incoming: make(chan jsonrpc.Message), closed: make(chan struct{}), out: out,
	}
	go c.readAll(in)
	return c
}

// readAll reads lines until the input ends. It is the only sender on incoming.
func (c *conn) readAll(in io.Reader) {
	defer close(c.incoming)
	lines := newLineReader(in, c.o.MaxLine)
	for {
		line, err := lines.next()
		switch {
		case errors.Is(err, errTooLong):
			c.refuse(jsonrpc.CodeInvalidRequest, fmt.Sprintf("message longer than %d bytes", c.o.MaxLine))
			continue
		case err != nil:
			if !errors.Is(err, io.EOF) {
				c.o.Log.Warn("reading the input failed", "error", err)
			}
			return
		}
		msg := c.parse(line)
		if msg == nil {
			continue
		}
		select {
		case c.incoming <- msg:
		case <-c.closed:
			return
		}
	}
}

// parse turns a line into a message. It answers what is none and returns nil.
func (c *conn) parse(line []byte) jsonrpc.Message {
	switch {
	case len(line) == 0:
		return nil
	case !json.Valid(line):
		c.refuse(jsonrpc.CodeParseError, "parse error: the line is not JSON")
		return nil
	case line[0] == '[':
		c.refuse(jsonrpc.CodeInvalidRequest, "batches are not supported: send one message a line")
		return nil
	}
	msg, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		c.refuse(jsonrpc.CodeInvalidRequest, "invalid request: "+err.Error())
		return nil
	}
	if r, ok := msg.(*jsonrpc.Request); ok && r.IsCall() && !c.pending.add(r.ID) {
		c.refuse(jsonrpc.CodeInvalidRequest, fmt.Sprintf("invalid request: id %v is already in use", r.ID.Raw()))
		return nil
	}
	return msg
}

// refuse answers something that has no id we could trust.
func (c *conn) refuse(code int64, message string) {
	c.o.Log.Debug("refused a message", "code", code, "message", message)
	line, err := json.Marshal(refusal{JSONRPC: "2.0", Error: jsonrpc.Error{Code: code, Message: message}})
	if err == nil {
		err = c.writeLine(line)
	}
	if err != nil {
		c.o.Log.Warn("writing failed", "error", err)
	}
}

// refusal is a response with the id null, which the SDK's type cannot say.
type refusal struct {
	JSONRPC string        `json:"jsonrpc"`
	ID      *struct{}     `json:"id"`
	Error   jsonrpc.Error `json:"error"`
}

// Read gives the SDK the next message. The end of input it holds back until
// every request is answered: from then on the SDK sends nothing more.
func (c *conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case msg, ok := <-c.incoming:
		if ok {
			return msg, nil
		}
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	c.pending.settle(c.o.Quiet, c.o.Linger)
	c.cancel(ErrClientGone)
	c.pending.drain(c.o.Grace)
	return nil, io.EOF
}

// Write sends a message.
func (c *conn) Write(_ context.Context, msg jsonrpc.Message) error {
	if r, ok := msg.(*jsonrpc.Response); ok {
		defer c.pending.answer(r.ID)()
		r.Error = coded(r.Error)
	}
	line, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encoding a message: %w", err)
	}
	if err := c.writeLine(line); err != nil {
		c.cancel(ErrClientGone)
		return fmt.Errorf("writing a message: %w", err)
	}
	return nil
}

// coded gives an error of the SDK that has no code one: a request before
// initialize, or one that was cancelled before it began.
func coded(err error) error {
	var wire *jsonrpc.Error
	if err == nil || errors.As(err, &wire) {
		return err
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: err.Error()}
}

func (c *conn) writeLine(line []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.out.Write(append(bytes.TrimRight(line, "\n"), '\n'))
	return err
}

// Close makes Read end. The streams belong to the caller and stay open.
func (c *conn) Close() error {
	c.close.Do(func() { close(c.closed) })
	return nil
}

// SessionID is empty: there is one session on a pair of streams.
func (c *conn) SessionID() string { return "" }
