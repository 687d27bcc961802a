package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/mcp/frame"
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
	closed   chan struct{}        // by Close: nothing more is read
	close    sync.Once

	questions gatewayQuestions

	out *frame.Writer
}

func newConn(in io.Reader, out io.Writer, o Options, cancel context.CancelCauseFunc) *conn {
	c := &conn{
		o: o, pending: newPending(), cancel: cancel,
		incoming: make(chan jsonrpc.Message), closed: make(chan struct{}),
	}
	c.out = frame.NewWriter(out, c.abandon)
	go c.readAll(in)
	return c
}

// readAll reads lines until the input ends. It is the only sender on incoming.
func (c *conn) readAll(in io.Reader) {
	defer close(c.incoming)
	lines := frame.NewReader(in, c.o.MaxLine)
	for {
		line, err := lines.Next()
		switch {
		case errors.Is(err, frame.ErrTooLong):
			c.refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("message longer than %d bytes", c.o.MaxLine))
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
		c.refuse(nil, jsonrpc.CodeParseError, "parse error: the line is not JSON")
		return nil
	case line[0] == '[':
		c.refuse(nil, jsonrpc.CodeInvalidRequest, "batches are not supported: send one message a line")
		return nil
	}
	e, err := open(line)
	if err != nil {
		c.refuse(nil, jsonrpc.CodeInvalidRequest, "invalid request: a message is an object")
		return nil
	}
	if c.o.Peers && c.questions.take(e) {
		return nil
	}
	if e.hasID() && e.invalid() != "" {
		c.refuse(e.answerID(), jsonrpc.CodeInvalidRequest, "invalid request: "+e.invalid())
		return nil
	}
	switch {
	case len(e.Method) > 0 && e.hasID():
		return c.call(e)
	case string(e.Method) == cancelMethod:
		return c.cancellation(e, line)
	}
	return c.decode(e, line)
}

const cancelMethod = `"notifications/cancelled"`

// call takes a request, under an id that the SDK does not change.
func (c *conn) call(e envelope) jsonrpc.Message {
	var method string
	if err := json.Unmarshal(e.Method, &method); err != nil {
		c.refuse(e.answerID(), jsonrpc.CodeInvalidRequest, "invalid request: method must be a string")
		return nil
	}
	id, err := c.pending.add(e.ID)
	switch {
	case errors.Is(err, errTooMany):
		c.refuse(e.answerID(), jsonrpc.CodeInternalError, err.Error())
		return nil
	case err != nil: // an answer with its id would be taken for the other's
		c.refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("invalid request: id %s: %v", shorten(string(e.ID)), err))
		return nil
	}
	request := &jsonrpc.Request{ID: id, Method: method, Params: e.Params}
	if method == listenMethod {
		request.Extra = &mcp.RequestExtra{Header: http.Header{listenID: {string(e.ID)}}}
	}
	return request
}

// cancellation notes which request it cancels, and names it as the SDK knows it.
func (c *conn) cancellation(e envelope, line []byte) jsonrpc.Message {
	raw, params := cancelledID(e.Params)
	id, known := c.pending.cancel(raw)
	if !known {
		return nil // it has been answered already
	}
	name, err := json.Marshal(id.Raw())
	if err == nil {
		params["requestId"] = name
		e.Params, err = json.Marshal(params)
	}
	if err != nil {
		return c.decode(e, line)
	}
	return &jsonrpc.Request{Method: "notifications/cancelled", Params: e.Params}
}

// decode reads a notification, or the answer to a request of ours.
func (c *conn) decode(e envelope, line []byte) jsonrpc.Message {
	msg, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		c.refuse(e.answerID(), jsonrpc.CodeInvalidRequest, "invalid request: it is neither a request nor an answer")
		return nil
	}
	return msg
}

// refuse answers what does not reach the SDK; the id is nil where there is none
// that we could trust.
func (c *conn) refuse(id json.RawMessage, code int64, message string) {
	c.o.Log.Debug("refused a message", "code", code, "message", message)
	line, err := json.Marshal(refusal{JSONRPC: "2.0", ID: id, Error: jsonrpc.Error{Code: code, Message: message}})
	if err == nil {
		err = c.writeLine(line)
	}
	if err != nil {
		c.o.Log.Warn("writing failed", "error", err)
	}
}

// refusal is a response with any id or null, which the SDK's type cannot say.
type refusal struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"` // nil is written as null
	Error   jsonrpc.Error   `json:"error"`
}

// Read gives the SDK the next message. The end of input it holds back until
// every request is answered or given up: from then on the SDK sends nothing
// more. What answers at once is still answered, for clients that write all they
// want to know and wait for the rest; what waits for a program is not.
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
	c.pending.forsake()
	c.cancel(ErrClientGone)
	c.pending.drain(c.o.Grace)
	c.Close()
	return nil, io.EOF
}

// Write sends a message, unless it answers a request that the client has cancelled.
func (c *conn) Write(_ context.Context, msg jsonrpc.Message) error {
	var answered *request
	switch m := msg.(type) {
	case *jsonrpc.Response:
		var out func()
		answered, out = c.pending.answer(m.ID)
		defer out()
		if answered == nil {
			return nil
		}
		m.Error = explainError(m.Error)
	case *jsonrpc.Request:
		if !m.IsCall() && !c.out.Room() {
			return nil // progress that nobody reads
		}
	}
	line, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encoding a message: %w", err)
	}
	if answered != nil {
		line = restore(line, answered.replaced, answered.raw)
	}
	return c.writeLine(line)
}

// send sends a notification of ours, past the SDK.
func (c *conn) send(method string, params any) error {
	line, err := json.Marshal(struct {
		JSONRPC string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params"`
	}{"2.0", method, params})
	if err != nil {
		return err
	}
	return c.writeLine(line)
}

// offer is send to a client that keeps up; false: it was not told.
func (c *conn) offer(method string, params any) bool {
	if !c.out.Room() {
		return false
	}
	err := c.send(method, params)
	if err != nil {
		c.o.Log.Debug("a notification was not sent", "method", method, "error", err)
	}
	return err == nil
}

// notify is offer of what may be lost.
func (c *conn) notify(method string, params any) { c.offer(method, params) }

// writeLine hands a line to the client. One that does not take it in time is
// taken for gone, and the connection ends.
func (c *conn) writeLine(line []byte) error {
	err := c.out.Put(line, c.o.WriteLimit)
	if err == nil {
		return nil
	}
	if errors.Is(err, frame.ErrDeaf) {
		c.o.Log.Error("ending: the client has not read for too long", "limit", c.o.WriteLimit)
	}
	c.abandon()
	return fmt.Errorf("writing a message: %w", err)
}

// abandon ends the connection to a client that cannot be reached any more.
func (c *conn) abandon() {
	c.cancel(ErrClientGone)
	c.Close()
}

// Close makes Read end, and Serve. The streams belong to the caller and stay open.
func (c *conn) Close() error {
	c.close.Do(func() { close(c.closed) })
	return nil
}

// SessionID is empty: there is one session on a pair of streams.
func (c *conn) SessionID() string { return "" }
