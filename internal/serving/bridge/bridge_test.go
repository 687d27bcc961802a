package bridge

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/pool/pooltest"
)

func TestMain(m *testing.M) {
	pooltest.Work()
	os.Exit(m.Run())
}

const patience = 20 * time.Second

// near is a client of a bridge.
type near struct {
	t     *testing.T
	in    io.WriteCloser
	lines chan frame.Frame
	ended chan error
}

func connect(t *testing.T, o Options) *near {
	if !strings.Contains(o.URL, ":") {
		t.Fatal("no address")
	}
	o.MinBackoff = cmp.Or(o.MinBackoff, 10*time.Millisecond)
	o.MaxBackoff = cmp.Or(o.MaxBackoff, 50*time.Millisecond)
	o.Tools, o.Version = json.RawMessage(`[{"name":"init"}]`), "test"
	toBridge, in := io.Pipe()
	out, fromBridge := io.Pipe()
	n := &near{t, in, make(chan frame.Frame, 10_000), make(chan error, 1)}
	go func() { n.ended <- Run(context.Background(), o, toBridge, fromBridge); fromBridge.Close() }()
	go func() {
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 32<<20)
		for lines.Scan() {
			f, err := frame.Parse([]byte(lines.Text()))
			if err != nil {
				t.Errorf("%v: %s", err, lines.Text())
				continue
			}
			n.lines <- f
		}
	}()
	t.Cleanup(func() { in.Close() })
	return n
}

func (n *near) send(text string) {
	n.t.Helper()
	if _, err := io.WriteString(n.in, text+"\n"); err != nil {
		n.t.Fatal(err)
	}
}

func (n *near) next() frame.Frame {
	n.t.Helper()
	select {
	case f := <-n.lines:
		return f
	case <-time.After(patience):
		n.t.Fatal("nothing comes")
		return frame.Frame{}
	}
}

// ask waits for the answer and returns what came before it, too.
func (n *near) ask(id, method, params string) (reply frame.Frame, before []frame.Frame) {
	n.t.Helper()
	n.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":%q,"params":%s}`, id, method, params))
	return n.answer(id)
}

func (n *near) answer(id string) (reply frame.Frame, before []frame.Frame) {
	n.t.Helper()
	for {
		f := n.next()
		if f.Kind() == frame.Answer && string(f.ID()) == `"`+id+`"` {
			return f, before
		}
		before = append(before, f)
	}
}

func (n *near) initialize() frame.Frame {
	n.t.Helper()
	reply, _ := n.ask("i", "initialize", `{"protocolVersion":"2025-11-25"}`)
	n.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return reply
}

// down is the code and message of an answer while the remote is away.
func down(f frame.Frame) string {
	if f.Text("error", "data", "code") == "AIDB_BRIDGE_DOWN" {
		return f.Text("error", "message") + "; " + f.Text("error", "data", "hint")
	}
	e := []string{"result", "structuredContent", "error"}
	if f.Text(append(e, "code")...) == "AIDB_BRIDGE_DOWN" {
		return f.Text(append(e, "message")...) + "; " + f.Text(append(e, "hint")...)
	}
	return ""
}

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"progressToken":7}`

func TestEverythingPassesThroughBothEnds(t *testing.T) {
	t.Parallel()
	for _, era := range []string{"sessions", "stateless"} {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			n := connect(t, Options{URL: "http://" + newFar(t).address + "/mcp"})
			m := `"_meta":{"progressToken":7}`
			if era == "sessions" {
				if hello := n.initialize(); string(hello.Get("result", "capabilities")) != `{"x-unknown":18446744073709551615}` {
					t.Errorf("%s", hello.Bytes())
				}
			} else {
				m = meta
			}
			reply, before := n.ask("p", "tools/call", `{"name":"progress","arguments":{"u":18446744073709551615},`+m+`}`)
			if len(before) != 2 || string(before[1].Get("params")) != `{"progressToken":7,"progress":2,"x":1.10}` {
				t.Errorf("%d before", len(before))
			}
			if line := reply.Text("result", "line"); !strings.Contains(line, `"arguments":{"u":18446744073709551615}`) {
				t.Error(line)
			}
			reply, _ = n.ask("u", "unknown", `{`+m+`}`)
			if string(reply.Get("error", "data", "n")) != "18446744073709551615" || string(reply.Get("x-top")) != "1.0e400" {
				t.Errorf("%s", reply.Bytes())
			}
			n.ask("l", "tools/list", `{`+m+`}`)
			if reply, _ := n.ask("h", "tools/call", `{"name":"echo","arguments":{"where":"a ü"},`+m+`}`); reply.Get("result") == nil {
				t.Errorf("an argument that a header repeats: %s", reply.Bytes())
			}
			if reply, _ := n.ask("ping", "ping", `{`+m+`}`); reply.Get("result") == nil {
				t.Errorf("%s", reply.Bytes())
			}
		})
	}
}

func TestAQuestionPassesBack(t *testing.T) {
	t.Parallel()
	n := connect(t, Options{URL: "http://" + newFar(t).address + "/mcp"})
	n.initialize()
	n.send(`{"jsonrpc":"2.0","id":"a","method":"ask"}`)
	if question := n.next(); question.Method() != "sampling/createMessage" || string(question.Get("params", "maxTokens")) != "18446744073709551615" {
		t.Fatalf("%s", question.Bytes())
	}
	n.send(`{"jsonrpc":"2.0","id":"question","result":{"q":18446744073709551615}}`)
	if reply, _ := n.answer("a"); !strings.Contains(reply.Text("result", "line"), "18446744073709551615") {
		t.Errorf("%s", reply.Bytes())
	}
}

func TestACallWhoseLineBreaksIsTakenUp(t *testing.T) {
	t.Parallel()
	f := newFar(t)
	n := connect(t, Options{URL: "http://" + f.address + "/mcp", Resume: 50 * time.Millisecond})
	n.initialize()
	n.send(`{"jsonrpc":"2.0","id":"a","method":"ask"}`)
	n.next()
	f.cut()
	<-time.After(100 * time.Millisecond) // what is found again lasts longer than finding it may
	n.send(`{"jsonrpc":"2.0","id":"question","result":{}}`)
	if reply, before := n.answer("a"); reply.Get("result") == nil || len(before) != 0 {
		t.Errorf("%s after %d", reply.Bytes(), len(before))
	}
}

func TestTheRemoteGoesAndComesBack(t *testing.T) {
	t.Parallel()
	f := newFar(t)
	n := connect(t, Options{URL: "http://" + f.address + "/mcp", Cache: t.TempDir()})
	n.initialize()
	list, _ := n.ask("l", "tools/list", `{}`)
	n.send(`{"jsonrpc":"2.0","id":"late","method":"late"}`)
	for f.pool.Status().Calls == 0 {
		time.Sleep(time.Millisecond)
	}
	f.fall()
	if reply, _ := n.answer("late"); reply.Get("error") == nil {
		t.Errorf("%s", reply.Bytes())
	}
	reply, _ := n.ask("c", "tools/call", `{"name":"echo"}`)
	if why := down(reply); !strings.Contains(why, "away since") || !strings.Contains(why, "not made") {
		t.Errorf("%s", reply.Bytes())
	}
	if again, _ := n.ask("l2", "tools/list", `{}`); string(again.Get("result")) != string(list.Get("result")) {
		t.Errorf("%s", again.Bytes())
	}
	f.rise()
	for n.next().Method() != "notifications/tools/list_changed" {
	}
	if reply, _ := n.ask("e", "echo", `{}`); reply.Get("result") == nil {
		t.Errorf("%s", reply.Bytes())
	}
}

func TestARemoteThatHasNeverBeenThere(t *testing.T) {
	t.Parallel()
	f := newFar(t)
	f.fall()
	n := connect(t, Options{URL: "http://" + f.address + "/mcp"})
	if hello := n.initialize(); hello.Text("result", "serverInfo", "name") != "aidb" || hello.Text("result", "protocolVersion") != "2025-11-25" {
		t.Errorf("%s", hello.Bytes())
	}
	if list, _ := n.ask("l", "tools/list", `{}`); string(list.Get("result", "tools")) != `[{"name":"init"}]` {
		t.Errorf("%s", list.Bytes())
	}
	if reply, _ := n.ask("c", "tools/call", `{"name":"init"}`); down(reply) == "" {
		t.Errorf("%s", reply.Bytes())
	}
	f.rise()
	for n.next().Method() != "notifications/tools/list_changed" {
	}
	if reply, _ := n.ask("e", "echo", `{}`); reply.Get("result") == nil {
		t.Errorf("%s", reply.Bytes())
	}
}

// A server that ends while it is asked: each line to it is taken and cut.
func TestARemoteThatCutsWhatIsAsked(t *testing.T) {
	t.Parallel()
	for what, answered := range map[string]string{"at once": "", "in an answer": "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			f := newFar(t)
			f.fall()
			cutting := cutter(t, f.address, answered)
			n := connect(t, Options{URL: "http://" + f.address + "/mcp"})
			if hello := n.initialize(); hello.Text("result", "serverInfo", "name") != "aidb" {
				t.Errorf("%s", hello.Bytes())
			}
			if list, _ := n.ask("l", "tools/list", `{}`); string(list.Get("result", "tools")) != `[{"name":"init"}]` {
				t.Errorf("%s", list.Bytes())
			}
			cutting()
			f.rise()
			for n.next().Method() != "notifications/tools/list_changed" {
			}
			if reply, _ := n.ask("e", "echo", `{}`); reply.Get("result") == nil {
				t.Errorf("%s", reply.Bytes())
			}
		})
	}
}

func TestALostSessionIsBegunAgain(t *testing.T) {
	t.Parallel()
	f := newFar(t)
	n := connect(t, Options{URL: "http://" + f.address + "/mcp"})
	n.initialize()
	n.ask("e", "echo", `{}`)
	f.fall()
	f.rise() // at once: the bridge has not seen it
	var reply frame.Frame
	for end := time.Now().Add(patience); time.Now().Before(end); {
		if reply, _ = n.ask("e2", "echo", `{}`); reply.Get("result") != nil {
			break
		}
	}
	if reply.Get("result") == nil {
		t.Errorf("%s", reply.Bytes())
	}
}

func TestACancelledCallIsNotAnswered(t *testing.T) {
	t.Parallel()
	f := newFar(t)
	n := connect(t, Options{URL: "http://" + f.address + "/mcp"})
	n.initialize()
	n.send(`{"jsonrpc":"2.0","id":"late","method":"late"}`)
	for f.pool.Status().Calls == 0 {
		time.Sleep(time.Millisecond)
	}
	n.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"late"}}`)
	if _, before := n.ask("e", "echo", `{}`); len(before) > 0 && before[0].Kind() == frame.Answer {
		t.Errorf("%s", before[0].Bytes())
	}
	for end := time.Now().Add(patience); f.pool.Status().Calls > 0; {
		if time.Now().After(end) {
			t.Fatal("the remote still works on it")
		}
		time.Sleep(time.Millisecond)
	}
}

// What is no MCP server is named, at once, and nothing hangs.
func TestRemotesThatAreNone(t *testing.T) {
	t.Parallel()
	for what, tt := range map[string]struct {
		serve http.HandlerFunc
		says  string
	}{
		"a web page": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<html>")
		}, "web page"},
		"a redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://evil.example/", http.StatusFound)
		}, "redirects to http://evil.example/"},
		"a wrong token":  {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }, "--token-file"},
		"another server": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) }, "404"},
		"a broken answer": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"jsonrpc"`)
		}, "200 OK and not with MCP"},
		"another's answer": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":77,"result":{}}`)
		}, "200 OK and not with MCP"},
		"one that hangs up": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "EOF"},
		"half a stream": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "data: {\"jsonrpc\"")
		}, "broke"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(tt.serve)
			t.Cleanup(server.Close)
			n := connect(t, Options{URL: server.URL})
			reply, _ := n.ask("c", "tools/call", `{"name":"echo"}`)
			if why := down(reply); !strings.Contains(why, tt.says) {
				t.Errorf("%q does not say %q: %s", why, tt.says, reply.Bytes())
			}
		})
	}
}

func TestARemoteThatIsSlow(t *testing.T) {
	t.Parallel()
	never := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-never }))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(never) })
	n := connect(t, Options{URL: server.URL, Call: 50 * time.Millisecond})
	reply, _ := n.ask("c", "tools/call", `{"name":"echo"}`)
	if text := string(reply.Bytes()); !strings.Contains(text, "AIDB_WORKER_TIMEOUT") || !strings.Contains(text, "50ms") {
		t.Error(text)
	}
}

// What a remote that has changed its tools lists now is what is kept for when it is away.
func TestARemoteThatChangesItsTools(t *testing.T) {
	t.Parallel()
	var tool atomic.Value
	tool.Store("old")
	changed := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		f, _ := frame.Parse(body)
		switch {
		case r.Method == http.MethodGet:
			w.Header().Set("Content-Type", "text/event-stream")
			<-changed
			fmt.Fprint(w, `data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`, "\n\n")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		case f.Kind() != frame.Request:
			w.WriteHeader(http.StatusAccepted)
		default:
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Mcp-Session-Id", "s")
			result := `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"x","version":"1"}}`
			if f.Method() == "tools/list" {
				result = fmt.Sprintf(`{"tools":[{"name":%q}]}`, tool.Load())
			}
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, f.ID(), result)
		}
	}))
	t.Cleanup(server.Close)
	n := connect(t, Options{URL: server.URL, Cache: t.TempDir()})
	n.initialize()
	list := func() string {
		reply, _ := n.ask("l", "tools/list", `{}`)
		return string(reply.Get("result", "tools"))
	}
	if got := list(); !strings.Contains(got, "old") {
		t.Error(got)
	}
	tool.Store("new")
	close(changed)
	if f := n.next(); f.Method() != "notifications/tools/list_changed" {
		t.Errorf("%s", f.Bytes())
	}
	if got := list(); !strings.Contains(got, "new") {
		t.Error(got)
	}
	server.CloseClientConnections()
	server.Listener.Close()
	if reply, _ := n.ask("c", "tools/call", `{"name":"new"}`); down(reply) == "" {
		t.Errorf("%s", reply.Bytes())
	}
	if got := list(); !strings.Contains(got, "new") {
		t.Errorf("while it is away: %s", got)
	}
}

func TestACertificateThatIsNotAccepted(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	n := connect(t, Options{URL: server.URL})
	reply, _ := n.ask("c", "tools/call", `{"name":"echo"}`)
	if why := down(reply); !strings.Contains(why, "certificate is not accepted") || !strings.Contains(why, "--tls-ca") {
		t.Errorf("%s", reply.Bytes())
	}
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	n = connect(t, Options{URL: "https" + strings.TrimPrefix(plain.URL, "http")})
	reply, _ = n.ask("c", "tools/call", `{"name":"echo"}`)
	if why := down(reply); !strings.Contains(why, "http:") {
		t.Errorf("%s", reply.Bytes())
	}
}

func TestTheEnd(t *testing.T) {
	t.Parallel()
	f := newFar(t)
	n := connect(t, Options{URL: "http://" + f.address + "/mcp"})
	n.initialize()
	n.ask("e", "echo", `{}`)
	n.in.Close()
	select {
	case err := <-n.ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Fatal("it does not end")
	}
	for end := time.Now().Add(patience); f.pool.Status().Workers > 0; {
		if time.Now().After(end) {
			t.Fatal("the session was not ended")
		}
		time.Sleep(time.Millisecond)
	}
	for _, address := range []string{"", "localhost:80/mcp", "ftp://x/", "http://"} {
		if Run(t.Context(), Options{URL: address}, strings.NewReader(""), io.Discard) == nil {
			t.Errorf("%q is an address", address)
		}
	}
}
