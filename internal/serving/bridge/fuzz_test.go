package bridge

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"

	"aidb-mcp/internal/mcp/frame"
)

// Whatever a stream of events holds, reading it ends, and no event is longer than is taken.
func FuzzEvents(f *testing.F) {
	f.Add([]byte("id: 1-0\ndata:\n\nid: 1-1\nevent: message\ndata: {\ndata: }\n\n"))
	f.Add([]byte(": alive\n\ndata: " + string(bytes.Repeat([]byte("x"), 200)) + "\r\n\r\ndata: {}\n\n"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		const most = 100
		e := newEvents(io.NopCloser(bytes.NewReader(stream)), most, time.Minute)
		defer e.close()
		total := 0
		for {
			data, err := e.next()
			if err != nil {
				break
			}
			if total += len(data); len(data) == 0 || len(data) > most {
				t.Errorf("an event of %d bytes", len(data))
			}
		}
		if total > len(stream) || !bytes.Contains(stream, []byte(e.last)) {
			t.Errorf("%d bytes and %q from %q", total, e.last, stream)
		}
	})
}

// answers is a remote that answers everything in one way.
type answers func() *http.Response

func (a answers) RoundTrip(*http.Request) (*http.Response, error) { return a(), nil }

// Whatever a remote answers, it is the answer to what was asked, or an error that is known.
func FuzzAnswers(f *testing.F) {
	f.Add(200, "application/json", "", []byte(`{"jsonrpc":"2.0","id":"c","result":{}}`), true)
	f.Add(200, "text/event-stream; charset=utf-8", "s", []byte("id: 1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"c\",\"error\":{}}\n\n"), true)
	f.Add(404, "application/json", "s", []byte(`{"jsonrpc":"2.0","id":null,"error":{}}`), true)
	f.Add(202, "", "", []byte{}, false)
	f.Fuzz(func(t *testing.T, status int, kind, session string, body []byte, asks bool) {
		if status < 200 || status > 599 {
			return // what HTTP would not bring here
		}
		message := `{"jsonrpc":"2.0","method":"notifications/x"}`
		if asks {
			message = `{"jsonrpc":"2.0","id":"c","method":"tools/call"}`
		}
		asked, err := frame.Parse([]byte(message))
		if err != nil {
			t.Fatal(err)
		}
		r := &remote{url: "http://localhost/mcp", max: 200, silence: time.Minute}
		r.client = &http.Client{
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
			Transport: answers(func() *http.Response {
				return &http.Response{
					StatusCode: status, Status: http.StatusText(status), Body: io.NopCloser(bytes.NewReader(body)),
					Header: http.Header{"Content-Type": {kind}, "Mcp-Session-Id": {session}},
				}
			}),
		}
		got, err := r.post(context.Background(), asked, headers{"Mcp-Session-Id": session}, func(before frame.Frame) {
			if before.Kind() == frame.Answer {
				t.Errorf("passed on is %s", before.Bytes())
			}
		})
		_, away := asAway(err)
		_, broken := errors.AsType[*brokenError](err)
		switch {
		case err != nil && !away && !broken && !errors.Is(err, errNoSession):
			t.Error(err)
		case err == nil && asks && (got.reply.Kind() != frame.Answer || string(got.reply.ID()) != `"c"`):
			t.Errorf("answered with %q", got.reply.Bytes())
		}
	})
}

// Whatever a client asks and a remote has told, the headers are such as can be sent.
func FuzzManners(f *testing.F) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`
	tools := []byte(`{"tools":[{"name":"echo","inputSchema":{"properties":{"a":{"x-mcp-header":"A","properties":{"b":{"x-mcp-header":"B b"}}}}}}]}`)
	hello := []byte(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","serverInfo":{"name":"aidb"}}}`)
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":"\u00e9","b":1e3},`+meta+`}}`), tools, hello)
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call\n","params":{"name":"echo","arguments":{"a":{"b":7}},`+meta+`}}`), tools, hello)
	f.Add([]byte(`{"jsonrpc":"2.0","method":"x"}`), []byte(`null`), []byte(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"1\n"}}`))
	errThere := errors.New("it would be sent")
	client := &http.Client{Transport: &http.Transport{
		DialContext: func(context.Context, string, string) (net.Conn, error) { return nil, errThere },
	}}
	f.Fuzz(func(t *testing.T, message, tools, hello []byte) {
		b := &bridge{cache: openCache(&Options{Log: slog.New(slog.DiscardHandler)})}
		b.cache.learn(tools)
		if greeted, err := frame.Parse(hello); err == nil {
			b.noteSession(response{session: "s", reply: greeted})
		}
		asked, err := frame.Parse(message)
		if err != nil || unfit(asked) != "" {
			return
		}
		request, err := (&remote{url: "http://localhost/mcp"}).request(context.Background(), http.MethodPost, nil, b.headers(asked))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client.Do(request); !errors.Is(err, errThere) {
			t.Errorf("%q: %v", request.Header, err)
		}
	})
}

// Whatever stands in the file of what a remote has told, it is taken up or forgotten.
func FuzzCache(f *testing.F) {
	hello := `{"jsonrpc":"2.0","id":1,"method":"initialize"}`
	f.Add([]byte(`{"initialize\u0000":{"a":1},"tools/list\u0000":{"tools":[{"name":"a","inputSchema":{"properties":{"b":true}}}]}}`), []byte(hello))
	f.Add([]byte(`null`), []byte(hello))
	f.Add([]byte(`{"initialize\u0000":null}`), []byte(hello))
	f.Fuzz(func(t *testing.T, text, message []byte) {
		c := openCache(&Options{Log: slog.New(slog.DiscardHandler)})
		if err := c.recall(text); err != nil && len(c.results) > 0 {
			t.Errorf("%v, and %d are kept", err, len(c.results))
		}
		asked, err := frame.Parse(message)
		if err != nil {
			return
		}
		if kept := c.get(asked); kept != nil && kept[0] != '{' {
			t.Errorf("the result is %s", kept)
		}
		reply, err := frame.Parse([]byte(`{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`))
		if err != nil {
			t.Fatal(err)
		}
		c.keep(asked, reply)
		if kept := c.get(asked); cached[asked.Method()] && string(kept) != `{"tools":[]}` {
			t.Errorf("kept is %s", kept)
		}
	})
}
