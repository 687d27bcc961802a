package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"testing"
	"testing/synctest"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"aidb-mcp/handlers"
)

// Whatever a line is, it becomes a message, is answered with one error, or is blank or
// cancels nothing that is known; and an answer carries the id that was written.
func FuzzLines(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":"\u0061","method":"ping"}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1.0,"result":{}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}`))
	f.Add([]byte(`[{"jsonrpc":"2.0","id":null,"method":"ping"}]`))
	f.Fuzz(func(t *testing.T, line []byte) {
		line = bytes.TrimSpace(line)
		if bytes.ContainsAny(line, "\r\n") {
			return // several lines
		}
		var out bytes.Buffer
		o := Options{Log: slog.New(slog.DiscardHandler)}
		o.fill()
		c := newConn(bytes.NewReader(nil), &out, o, func(error) {})
		defer c.out.Fail(io.ErrClosedPipe) // ends its goroutine
		got := c.parse(line)
		if request, ok := got.(*jsonrpc.Request); ok && request.IsCall() {
			if err := c.Write(t.Context(), &jsonrpc.Response{ID: request.ID, Result: json.RawMessage(`{}`)}); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.out.Flush(defaultWriteLimit); err != nil {
			t.Fatal(err)
		}
		said := bytes.TrimSpace(out.Bytes())
		if len(said) == 0 {
			return
		}
		var reply struct {
			JSONRPC string
			ID      json.RawMessage
			Error   json.RawMessage
		}
		if err := json.Unmarshal(said, &reply); err != nil || reply.JSONRPC != "2.0" {
			t.Fatalf("%q is answered with %q", line, said)
		}
		asked, _ := open(line)
		if answered := got != nil; answered == (reply.Error != nil) {
			t.Errorf("%q is a message: %t, and answered with %s", line, answered, said)
		}
		if string(reply.ID) != "null" && !bytes.Equal(compact(reply.ID), compact(asked.ID)) || got != nil && string(reply.ID) == "null" {
			t.Errorf("%q is answered with %s", line, said)
		}
	})
}

// compact is an id as text, however it is spelled.
func compact(raw json.RawMessage) []byte {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []byte(text)
	}
	return raw
}

// Whatever a client writes, the server ends with it, and says nothing but messages.
func FuzzServe(f *testing.F) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" +
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"inspect","arguments":{"expression":1}}}` + "\n"))
	f.Add([]byte(`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"inspect","arguments":{},"inputResponses":{"k":{}},"requestState":"1.2",` + meta + `}}` + "\n" +
		`{"jsonrpc":"2.0","id":"a","method":"server/discover","params":{` + meta + `}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":3,"method":"subscriptions/listen","params":{` + meta + `,"notifications":{"toolsListChanged":true}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}` + "\n"))
	all := handlers.Definitions(0)
	f.Fuzz(func(t *testing.T, stream []byte) {
		synctest.Test(t, func(t *testing.T) {
			var out bytes.Buffer
			o := Options{Version: "v1.2.3", Tools: all, Log: slog.New(slog.DiscardHandler), Calls: callerFunc(echo)}
			if err := Serve(context.Background(), o, bytes.NewReader(stream), &out); err != nil {
				t.Errorf("it ends with %v", err)
			}
			synctest.Wait()
			for {
				line, err := out.ReadBytes('\n')
				if len(line) > 0 {
					var m struct{ JSONRPC string }
					if json.Unmarshal(line, &m) != nil || m.JSONRPC != "2.0" {
						t.Errorf("it says %q", line)
					}
				}
				if err != nil {
					return
				}
			}
		})
	})
}
