package bridge

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// Only an event that came whole is one after which a stream goes on.
func TestAnEventThatBreaksOffComesAgain(t *testing.T) {
	for text, want := range map[string]string{
		"id: 1-0\ndata:\n\n": "1-0",
		"id: 1-0\ndata:\n\nid: 1-1\nevent: message\ndata: {": "1-0",
		"id: 1-0\ndata:\n\nid: 1-1\ndata: {}\n":              "1-0",
		"id: 1-1\ndata: {}\n\nid: 1-12":                      "1-1",
	} {
		e := newEvents(io.NopCloser(strings.NewReader(text)), 100, time.Minute)
		for err := error(nil); err == nil; {
			_, err = e.next()
		}
		if e.last != want {
			t.Errorf("%q goes on after %q, want %q", text, e.last, want)
		}
	}
}

func TestAnEventHasABound(t *testing.T) {
	for what, text := range map[string]string{
		"many lines":    strings.Repeat("data: 0123456789\n", 20) + "\n",
		"one long line": "data: " + strings.Repeat("x", 200) + "\n\n",
	} {
		e := newEvents(io.NopCloser(strings.NewReader(text+"data: {}\n\n")), 100, time.Minute)
		if data, err := e.next(); string(data) != "{}" || err != nil || !e.long || e.quiet != nil {
			t.Errorf("%s: %q, %v", what, data, err)
		}
	}
}

// A remote answers a call where it was asked, and nothing that was not.
func TestARemoteThatAnswersMore(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: {\"jsonrpc\":\"2.0\",\"id\":\"other\",\"result\":{}}\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"c\",\"result\":{}}\n\n")
	}))
	t.Cleanup(server.Close)
	reply, before := connect(t, Options{URL: server.URL}).ask("c", "tools/call", `{"name":"echo"}`)
	if len(before) != 1 || before[0].Method() != "x" {
		t.Errorf("%v before %s", before, reply.Bytes())
	}
}

// An answer that is too long is said to be, and not asked for again.
func TestARemoteWhoseAnswerIsTooLong(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "id: 1\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"c\",\"result\":{\"x\":%q}}\n\n", strings.Repeat("x", 2000))
	}))
	t.Cleanup(server.Close)
	reply, _ := connect(t, Options{URL: server.URL, MaxMessage: 1000}).ask("c", "tools/call", `{"name":"echo"}`)
	if !strings.Contains(string(reply.Bytes()), "longer than 1000 bytes") {
		t.Errorf("%s", reply.Bytes())
	}
}

// A message that no header can hold costs nobody the remote.
func TestAMessageThatNoHeaderHolds(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"jsonrpc":"2.0","id":"c","result":{"there":true}}`)
	}))
	t.Cleanup(server.Close)
	n := connect(t, Options{URL: server.URL})
	const meta = `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28\u0000"}}`
	if reply, _ := n.ask("m", "tools/call\n", strings.Replace(meta, `\u0000`, "", 1)); !strings.Contains(reply.Text("error", "message"), "its method has characters that no header can hold") {
		t.Errorf("%s", reply.Bytes())
	}
	if reply, _ := n.ask("v", "tools/list", meta); !strings.Contains(reply.Text("error", "message"), "its protocol version has characters that no header can hold") {
		t.Errorf("%s", reply.Bytes())
	}
	if reply, _ := n.ask("c", "tools/call", `{}`); string(reply.Get("result", "there")) != "true" {
		t.Errorf("%s", reply.Bytes())
	}
}
