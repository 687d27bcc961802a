// Package daptest is a scripted fake debug adapter for tests of DAP clients.
//
//	adapter := daptest.New(t)
//	adapter.Handle("initialize", func(r *daptest.Request) {
//		r.Reply(godap.Capabilities{SupportsConfigurationDoneRequest: true})
//		adapter.Event("initialized", nil)
//	})
//	conn := dap.New(adapter.Stream(), dap.Options{…})
//	…
//	r := adapter.Expect("evaluate") // a request without a handler
//	r.Fail("no such name: %s", "x")
//
// Whatever the script sends goes out in the order of its calls. Everything is
// in memory and works inside a testing/synctest bubble.
package daptest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"testing"

	godap "github.com/google/go-dap"
)

// Adapter is a fake debug adapter. Its methods may be called from any goroutine.
//
// One goroutine reads the client's messages; handlers run on it.
type Adapter struct {
	t      testing.TB
	client net.Conn
	server net.Conn
	rest   chan *Request // requests without a handler

	writing sync.Mutex // one message at a time; taken before mu

	mu       sync.Mutex // guards what follows
	seq      int
	handlers map[string]func(*Request)
	seen     []string
	asked    map[int]chan envelope // reverse requests by seq; nil when the client has gone
}

// Request is a request that the client sent.
type Request struct {
	Seq       int
	Command   string
	Arguments json.RawMessage

	adapter *Adapter
}

// New returns an adapter without handlers; it is closed at the end of the test.
func New(t testing.TB) *Adapter {
	client, server := net.Pipe()
	a := &Adapter{
		t:        t,
		client:   client,
		server:   server,
		rest:     make(chan *Request, 1000),
		handlers: make(map[string]func(*Request)),
		asked:    make(map[int]chan envelope),
	}
	go a.read()
	t.Cleanup(a.Close)
	return a
}

// Stream is the client's end.
func (a *Adapter) Stream() io.ReadWriteCloser { return a.client }

// Handle sets what happens on each request of that command, in place of what
// was set before; nil unsets it. The handler may reply at once, later or never.
// It must not wait for another request, nor call Ask or Expect.
func (a *Adapter) Handle(command string, handler func(*Request)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.handlers[command] = handler
}

// Answer sets the body that each request of these commands gets.
func (a *Adapter) Answer(body any, commands ...string) {
	for _, command := range commands {
		a.Handle(command, func(r *Request) { r.Reply(body) })
	}
}

// Expect waits for the next request that has no handler and fails the test
// when that is not the named command.
func (a *Adapter) Expect(command string) *Request {
	a.t.Helper()
	r, open := <-a.rest
	if !open {
		a.t.Fatalf("the client closed the connection before it sent %q", command)
	}
	if r.Command != command {
		a.t.Fatalf("the client sent %q (%s) where %q was expected", r.Command, r.Arguments, command)
	}
	return r
}

// Seen lists the commands of all requests so far, in their order.
func (a *Adapter) Seen() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.seen)
}

// Event sends an event; a nil body is left out.
func (a *Adapter) Event(name string, body any) {
	a.send(func(seq int) any {
		return event{Seq: seq, Type: "event", Event: name, Body: body}
	})
}

// Ask sends a reverse request and waits for the client's reply: its body, or
// its message as an error.
func (a *Adapter) Ask(command string, arguments any) (json.RawMessage, error) {
	answer := make(chan envelope, 1)
	a.send(func(seq int) any {
		if a.asked == nil {
			close(answer)
		} else {
			a.asked[seq] = answer
		}
		return request{Seq: seq, Type: "request", Command: command, Arguments: arguments}
	})
	m, open := <-answer
	switch {
	case !open:
		return nil, io.ErrUnexpectedEOF
	case !m.Success:
		return nil, errors.New(m.Message)
	}
	return m.Body, nil
}

// send writes a message under the next sequence number; build runs with mu held.
func (a *Adapter) send(build func(seq int) any) {
	a.writing.Lock()
	defer a.writing.Unlock()
	a.mu.Lock()
	a.seq++
	message := build(a.seq)
	a.mu.Unlock()
	body, err := json.Marshal(message)
	if err != nil {
		a.t.Errorf("encoding %v: %v", message, err)
		return
	}
	// What a client that has gone does not read is dropped.
	fmt.Fprintf(a.server, "Content-Length: %d\r\n\r\n%s", len(body), body)
}

// Raw writes bytes as they are. What a client that has gone does not read is dropped.
func (a *Adapter) Raw(bytes []byte) {
	a.writing.Lock()
	defer a.writing.Unlock()
	_, _ = a.server.Write(bytes)
}

// Close ends the connection, as when the adapter dies.
func (a *Adapter) Close() { a.server.Close() }

func (a *Adapter) read() {
	defer a.ended()
	r := bufio.NewReader(a.server)
	for {
		body, err := godap.ReadBaseMessage(r)
		if err != nil {
			return
		}
		var m envelope
		if err := json.Unmarshal(body, &m); err != nil {
			a.t.Errorf("the client sent %q: %v", body, err)
			return
		}
		if m.Type == "response" {
			a.answered(m)
		} else {
			a.dispatch(&Request{Seq: m.Seq, Command: m.Command, Arguments: m.Arguments, adapter: a})
		}
	}
}

func (a *Adapter) dispatch(r *Request) {
	a.mu.Lock()
	a.seen = append(a.seen, r.Command)
	handler := a.handlers[r.Command]
	a.mu.Unlock()
	if handler != nil {
		handler(r)
		return
	}
	a.rest <- r
}

func (a *Adapter) answered(m envelope) {
	a.mu.Lock()
	answer := a.asked[m.RequestSeq]
	delete(a.asked, m.RequestSeq)
	a.mu.Unlock()
	if answer != nil {
		answer <- m
	}
}

// ended wakes everybody who waits for the client.
func (a *Adapter) ended() {
	close(a.rest)
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, answer := range a.asked {
		close(answer)
	}
	a.asked = nil
}

// Bind decodes the arguments.
func (r *Request) Bind(arguments any) {
	r.adapter.t.Helper()
	if err := json.Unmarshal(r.Arguments, arguments); err != nil {
		r.adapter.t.Errorf("arguments of %s: %v: %s", r.Command, err, r.Arguments)
	}
}

// Reply sends the successful reply; a nil body is left out.
func (r *Request) Reply(body any) {
	r.respond(reply{Success: true, Body: body})
}

// Fail sends a failed reply with that text in body.error.format, as adapters do.
func (r *Request) Fail(format string, args ...any) {
	var body godap.ErrorResponseBody
	body.Error = &godap.ErrorMessage{Id: 1, Format: fmt.Sprintf(format, args...)}
	r.respond(reply{Message: "failed", Body: body})
}

func (r *Request) respond(m reply) {
	r.adapter.send(func(seq int) any {
		m.Seq, m.Type, m.RequestSeq, m.Command = seq, "response", r.Seq, r.Command
		return m
	})
}
