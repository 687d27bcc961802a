package testkit

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"testing"
	"time"
)

// Wire is a running server whose protocol is spoken by hand, line by line, for
// what the official client never sends.
type Wire struct {
	*Server
	lines chan []byte
}

// Message is one JSON-RPC message from the server.
type Message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
	Raw string `json:"-"`
}

// StartWire starts the server without a client.
func StartWire(t testing.TB, o Options) *Wire {
	t.Helper()
	w := &Wire{Server: launch(t, o), lines: make(chan []byte, 1024)}
	go func() {
		defer close(w.lines)
		r := bufio.NewReader(w.child.checkedOutput())
		for {
			line, err := r.ReadBytes('\n')
			if len(line) > 0 {
				w.lines <- line
			}
			if err != nil {
				return
			}
		}
	}()
	return w
}

var announced = regexp.MustCompile(`aidb-mcp serves (\S+)\n`)

// Address waits until a server over HTTP listens, and returns where.
func (w *Wire) Address() string {
	w.t.Helper()
	Eventually(w.t, time.Minute, "a gateway that listens", func() bool { return announced.MatchString(w.Stderr()) })
	return announced.FindStringSubmatch(w.Stderr())[1]
}

// Send writes one line as it is.
func (w *Wire) Send(line string) {
	w.t.Helper()
	if _, err := io.WriteString(w.child.stdin, line+"\n"); err != nil {
		w.t.Fatalf("writing to the server: %v", err)
	}
}

// Request writes a request with this id.
func (w *Wire) Request(id int, method string, params any) {
	w.t.Helper()
	text, err := json.Marshal(params)
	if err != nil {
		w.t.Fatal(err)
	}
	w.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, text))
}

// CallTool writes a tools/call request with this id.
func (w *Wire) CallTool(id int, tool string, args any) {
	w.t.Helper()
	w.Request(id, "tools/call", A{"name": tool, "arguments": args})
}

// Initialize shakes hands in the way of the revisions before 2026-07-28 and
// returns the revision that the server chose.
func (w *Wire) Initialize(revision string) string {
	w.t.Helper()
	w.Request(0, "initialize", A{
		"protocolVersion": revision, "capabilities": A{},
		"clientInfo": A{"name": "by hand", "version": "1"},
	})
	m := w.Answer(0)
	w.Send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	var result struct{ ProtocolVersion string }
	if err := json.Unmarshal(m.Result, &result); err != nil {
		w.t.Fatalf("initialize: %v: %s", err, m.Raw)
	}
	return result.ProtocolVersion
}

// Next is the next message, nil when the server's output has ended.
func (w *Wire) Next() *Message {
	w.t.Helper()
	select {
	case line, open := <-w.lines:
		if !open {
			return nil
		}
		m := &Message{Raw: string(line)}
		if err := json.Unmarshal(line, m); err != nil {
			w.t.Fatalf("not a JSON-RPC message: %q", line)
		}
		return m
	case <-time.After(CallLimit):
		w.t.Fatalf("no message within %v\nthe server's stderr:\n%s", CallLimit, w.Stderr())
		return nil
	}
}

// Answer is the answer to the request with this id; other messages before it are skipped.
func (w *Wire) Answer(id int) *Message {
	w.t.Helper()
	for {
		m := w.Next()
		if m == nil {
			w.t.Fatalf("the output ended before the answer to request %d\nthe server's stderr:\n%s", id, w.Stderr())
			return nil
		}
		if string(m.ID) == fmt.Sprint(id) && m.Method == "" {
			return m
		}
	}
}

// Reply is the tool reply in the answer to the request with this id.
func (w *Wire) Reply(id int) Reply {
	w.t.Helper()
	m := w.Answer(id)
	var body wireResult
	if err := json.Unmarshal([]byte(m.Raw), &body); err != nil || len(body.Result.Content) == 0 {
		w.t.Fatalf("no tool reply: %s", m.Raw)
	}
	r := Reply{Call: fmt.Sprintf("request %d", id), Text: body.Result.Content[0].Text, IsError: body.Result.IsError, t: w.t}
	if r.JSON = unescapeHTML(body.Result.StructuredContent); r.JSON == "" {
		r.JSON = r.Text
	}
	return r
}
