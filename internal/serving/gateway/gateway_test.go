package gateway

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"aidb-mcp/internal/serving/pool"
	"aidb-mcp/internal/serving/pool/pooltest"
)

func TestMain(m *testing.M) {
	pooltest.Work()
	os.Exit(m.Run())
}

// site is a gateway that serves.
type site struct {
	*httptest.Server
	t       *testing.T
	pool    *pool.Pool
	gateway *Gateway
}

func serve(t *testing.T, o pool.Options, access *Access) *site {
	t.Helper()
	return serveSome(t, o, Options{Access: access})
}

func serveSome(t *testing.T, o pool.Options, of Options) *site {
	o.Command, o.Env = []string{os.Args[0]}, os.Environ()
	p := pool.New(o)
	of.Pool, of.MaxBody = p, 1<<20
	g := New(of)
	s := &site{httptest.NewUnstartedServer(of.Access.Guard(g)), t, p, g}
	s.Config.ReadTimeout = 500 * time.Millisecond // an answer may take longer
	s.Config.IdleTimeout = time.Minute            // else the read limit closes a connection that a next request is about to use
	s.Start()
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		p.Close(ctx)
	})
	return s
}

type headers map[string]string

// open makes a request and leaves its answer to be read.
func (s *site) open(ctx context.Context, method, body string, h headers) *http.Response {
	s.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, s.URL+Path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range h {
		if name == "Host" {
			r.Host = value
		} else if r.Header.Set(name, value); value == "" {
			r.Header.Del(name)
		}
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { reply.Body.Close() })
	return reply
}

// post makes one and reads the whole answer.
func (s *site) post(body string, h headers) (int, string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 20*time.Second)
	defer cancel()
	reply := s.open(ctx, "POST", body, h)
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return reply.StatusCode, string(text)
}

// initialize begins a session and returns what names it.
func (s *site) initialize(revision string, h headers) headers {
	s.t.Helper()
	reply := s.open(s.t.Context(), "POST", fmt.Sprintf(`{"jsonrpc":"2.0","id":9007199254740993,"method":"initialize","params":{"protocolVersion":%q}}`, revision), h)
	text, _ := io.ReadAll(reply.Body)
	id := reply.Header.Get("Mcp-Session-Id")
	if reply.StatusCode != http.StatusOK || id == "" || !strings.Contains(string(text), `"id":9007199254740993,`) || !strings.Contains(string(text), "18446744073709551615") {
		s.t.Fatalf("%d %v %s", reply.StatusCode, reply.Header, text)
	}
	named := headers{"Mcp-Session-Id": id, "Mcp-Protocol-Version": revision}
	maps.Copy(named, h)
	if status, text := s.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, named); status != http.StatusAccepted || text != "" {
		s.t.Fatalf("%d %s", status, text)
	}
	return named
}

// events are the messages of a stream that has ended.
func events(text string) (messages []string) {
	for line := range strings.Lines(text) {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			messages = append(messages, strings.TrimSpace(data))
		}
	}
	return messages
}

// until reads lines of a stream up to one that has a text, and returns the last id.
func until(t *testing.T, r *bufio.Reader, want string) (line, id string) {
	t.Helper()
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Fatalf("%q does not come: %v", want, err)
		}
		if given, ok := strings.CutPrefix(line, "id: "); ok {
			id = strings.TrimSpace(given)
		}
		if strings.Contains(line, want) {
			return line, id
		}
	}
}

func result(t *testing.T, text string, name string) string {
	t.Helper()
	var m struct{ Result map[string]any }
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	value, _ := m.Result[name].(string)
	return value
}

func TestASessionPassesFramesAsTheyAre(t *testing.T) {
	t.Parallel()
	s := serve(t, pool.Options{}, &Access{})
	h := s.initialize("2025-11-25", nil)
	const raw = `{"x-first":1,"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"z":1.10,"name":"echo","arguments":{"u":18446744073709551615,"h":"<&>\u00e9","e":1e2}},"x-last":null}`
	if status, text := s.post(raw, h); status != 200 || result(t, text, "line") != raw {
		t.Errorf("%d %s", status, text)
	}
	status, text := s.post("{\"jsonrpc\":\"2.0\",\r\n \"id\":1,\n\"method\":\"echo\"}", h)
	if status != 200 || result(t, text, "line") != `{"jsonrpc":"2.0","id":1,"method":"echo"}` {
		t.Errorf("several lines: %d %s", status, text)
	}
	if status, text := s.post(`{"jsonrpc":"2.0","id":"u","method":"unknown"}`, h); status != 200 || !strings.Contains(text, `"data":{"n":18446744073709551615},"x-err":1},"x-top":1.0e400}`) {
		t.Errorf("%d %s", status, text)
	}
}

func TestAWorkerAsksItsClient(t *testing.T) {
	t.Parallel()
	s := serve(t, pool.Options{}, &Access{})
	h := s.initialize("2025-11-25", nil)
	reply := s.open(t.Context(), "POST", `{"jsonrpc":"2.0","id":"s","method":"ask"}`, h)
	body := bufio.NewReader(reply.Body)
	if line, _ := until(t, body, "createMessage"); !strings.Contains(line, `"maxTokens":18446744073709551615,"x-unknown":null`) {
		t.Error(line)
	}
	time.Sleep(700 * time.Millisecond)
	const answer = `{"jsonrpc":"2.0","id":"question","result":{"role":"assistant","q":18446744073709551615}}`
	if status, text := s.post(answer, h); status != http.StatusAccepted {
		t.Errorf("%d %s", status, text)
	}
	if line, _ := until(t, body, `"result"`); !strings.Contains(line, `18446744073709551615`) {
		t.Error(line)
	}
}

func TestAStreamIsTakenUp(t *testing.T) {
	t.Parallel()
	s := serve(t, pool.Options{}, &Access{})
	h := s.initialize("2025-11-25", nil)
	ctx, cancel := context.WithCancel(t.Context())
	reply := s.open(ctx, "POST", `{"jsonrpc":"2.0","id":"p","method":"ask"}`, h)
	body := bufio.NewReader(reply.Body)
	until(t, body, "retry: 1000\n")
	_, id := until(t, body, "createMessage")
	cancel() // the line is cut
	if status, text := s.post(`{"jsonrpc":"2.0","id":"question","result":{}}`, h); status != http.StatusAccepted {
		t.Errorf("%d %s", status, text)
	}
	h["Last-Event-ID"] = id
	reply = s.open(t.Context(), "GET", "", h)
	text, err := io.ReadAll(reply.Body)
	if messages := events(string(text)); err != nil || len(messages) != 1 || !strings.Contains(messages[0], `"id":"p"`) {
		t.Errorf("%v %s", err, text)
	}
	for _, id := range []string{"77-1", "x", "1", "-1-2", strings.Repeat("9", 1000)} {
		h["Last-Event-ID"] = id
		if reply := s.open(t.Context(), "GET", "", h); reply.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %d", id, reply.StatusCode)
		}
	}
}

func TestWhoListensHearsWhatBelongsToNoRequest(t *testing.T) {
	t.Parallel()
	s := serve(t, pool.Options{}, &Access{})
	h := s.initialize("2025-06-18", nil)
	first := s.open(t.Context(), "GET", "", h)
	reader := bufio.NewReader(first.Body)
	if _, err := s.cancelSomething(h); err != nil {
		t.Fatal(err)
	}
	until(t, reader, "notifications/resources/updated")
	second := s.open(t.Context(), "GET", "", h) // takes over
	if _, err := io.Copy(io.Discard, reader); err != nil {
		t.Error(err)
	}
	if _, err := s.cancelSomething(h); err != nil {
		t.Fatal(err)
	}
	_, id := until(t, bufio.NewReader(second.Body), "notifications/resources/updated")
	if id != eventID(general, 2) {
		t.Errorf("the event is %s, and the first was not to come again", id)
	}
}

// Two programs that share a session's name get each their own answers, and cannot
// take an id that waits.
func TestTwoClientsOfOneSession(t *testing.T) {
	t.Parallel()
	s := serve(t, pool.Options{}, &Access{})
	h := s.initialize("2025-06-18", nil)
	waiting := s.open(t.Context(), "POST", `{"jsonrpc":"2.0","id":1,"method":"late"}`, h)
	if _, text := s.post(`{"jsonrpc":"2.0","id":1,"method":"echo"}`, h); !strings.Contains(text, "waits for its answer already") {
		t.Errorf("the same id: %s", text)
	}
	var both sync.WaitGroup
	for id := range 20 {
		both.Go(func() {
			if _, text := s.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":"x%d","method":"echo"}`, id), h); !strings.Contains(text, fmt.Sprintf(`"id":"x%d"`, id)) || strings.Count(text, `"jsonrpc":"2.0","id"`) != 1 {
				t.Errorf("x%d: %s", id, text)
			}
		})
	}
	both.Wait()
	waiting.Body.Close()
}

// cancelSomething makes a call that is never answered, and cancels it, which the worker tells of.
func (s *site) cancelSomething(h headers) (string, error) {
	ended := make(chan string, 1)
	go func() {
		_, text := s.post(`{"jsonrpc":"2.0","id":"late","method":"late"}`, h)
		ended <- text
	}()
	for s.pool.Status().Calls == 0 {
		time.Sleep(time.Millisecond)
	}
	if status, text := s.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"late","reason":"x"}}`, h); status != http.StatusAccepted {
		return "", fmt.Errorf("%d %s", status, text)
	}
	return <-ended, nil
}

func TestACancellationThatOvertakesItsCall(t *testing.T) {
	t.Parallel()
	s := serve(t, pool.Options{}, &Access{})
	h := s.initialize("2025-11-25", nil)
	if status, text := s.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"late"}}`, h); status != http.StatusAccepted {
		t.Errorf("%d %s", status, text)
	}
	if status, text := s.post(`{"jsonrpc":"2.0","id":"late","method":"late"}`, h); status != 200 || len(events(text)) != 0 {
		t.Errorf("%d %s", status, text)
	}
	if status, text := s.post(`{"jsonrpc":"2.0","id":"e","method":"echo"}`, h); status != 200 || !strings.Contains(text, "result") {
		t.Errorf("%d %s", status, text)
	}
}

func TestBatches(t *testing.T) {
	t.Parallel()
	s := serve(t, pool.Options{}, &Access{})
	h := s.initialize("2025-03-26", nil)
	status, text := s.post(`[{"jsonrpc":"2.0","id":2,"method":"echo"},{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":3,"method":"echo"}]`, h)
	if status != 200 || len(events(text)) != 2 {
		t.Errorf("%d %s", status, text)
	}
	for _, batch := range []string{`[]`, `[7]`, `[{"jsonrpc":"2.0","id":2,"method":"initialize"}]`} {
		if status, _ := s.post(batch, h); status != http.StatusBadRequest {
			t.Errorf("%s: %d", batch, status)
		}
	}
	if status, _ := s.post(`[{"jsonrpc":"2.0","id":2,"method":"echo"}]`, s.initialize("2025-11-25", nil)); status != http.StatusBadRequest {
		t.Errorf("a batch of 2025-11-25: %d", status)
	}
}

func TestTheEndOfASession(t *testing.T) {
	t.Parallel()
	s := serve(t, pool.Options{}, &Access{Tokens: []Token{{"ada", "a"}, {"bob", "b"}}})
	h := s.initialize("2025-11-25", headers{"Authorization": "Bearer a"})
	others := headers{"Mcp-Session-Id": h["Mcp-Session-Id"], "Authorization": "Bearer b"}
	if reply := s.open(t.Context(), "DELETE", "", others); reply.StatusCode != http.StatusNotFound {
		t.Errorf("another principal's: %d", reply.StatusCode)
	}
	if reply := s.open(t.Context(), "DELETE", "", h); reply.StatusCode != http.StatusNoContent {
		t.Errorf("%d", reply.StatusCode)
	}
	if status, text := s.post(`{"jsonrpc":"2.0","id":1,"method":"echo"}`, h); status != http.StatusNotFound || !strings.Contains(text, `"id":null`) {
		t.Errorf("%d %s", status, text)
	}
	if status := s.pool.Status(); status.Workers != 0 {
		t.Errorf("%+v", status)
	}
}

func TestACrashedWorkerIsReplacedInTheSession(t *testing.T) {
	t.Parallel()
	s := serve(t, pool.Options{}, &Access{})
	h := s.initialize("2025-11-25", nil)
	if status, text := s.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"die"}}`, h); status != 200 || !strings.Contains(text, "AIDB_WORKER_CRASHED") || !strings.Contains(text, `"isError":true`) {
		t.Errorf("%d %s", status, text)
	}
	if status, text := s.post(`{"jsonrpc":"2.0","id":2,"method":"echo"}`, h); status != 200 || !strings.Contains(text, `"result"`) {
		t.Errorf("%d %s", status, text)
	}
}

// What a stateless request has beside its parameters.
const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"progressToken":"P","x":18446744073709551615}`

func stateless(method, name string) headers {
	return headers{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": method, "Mcp-Name": name}
}

func TestStatelessRequestsOfOneID(t *testing.T) {
	t.Parallel()
	s := serve(t, pool.Options{}, &Access{})
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			body := fmt.Sprintf(`{"jsonrpc":"2.0","id":18446744073709551615,"method":"tools/call","params":{"name":"progress","arguments":{"n":%d},%s}}`, n, meta)
			status, text := s.post(body, stateless("tools/call", "progress"))
			messages := events(text)
			if status != 200 || len(messages) != 3 {
				t.Errorf("%d %s", status, text)
				return
			}
			for i, m := range messages[:2] {
				if !strings.Contains(m, fmt.Sprintf(`{"progressToken":"P","progress":%d,"x":1.10}`, i+1)) {
					t.Error(m)
				}
			}
			line := result(t, messages[2], "line")
			if !strings.HasPrefix(messages[2], `{"jsonrpc":"2.0","id":18446744073709551615,`) || !strings.Contains(line, fmt.Sprintf(`"arguments":{"n":%d}`, n)) || !strings.Contains(line, `"x":18446744073709551615`) {
				t.Error(messages[2])
			}
		})
	}
	all.Wait()
	if workers := s.pool.Status().Workers; workers != 1 {
		t.Errorf("one principal has %d workers", workers)
	}
}

func TestHangingUpCancelsWithoutASession(t *testing.T) {
	t.Parallel()
	s := serve(t, pool.Options{}, &Access{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s.open(ctx, "POST", `{"jsonrpc":"2.0","id":1,"method":"late","params":{`+meta+`}}`, stateless("late", ""))
	cancel()
	for end := time.Now().Add(20 * time.Second); s.pool.Status().Calls > 0; {
		if time.Now().After(end) {
			t.Fatal("the call still waits")
		}
		time.Sleep(time.Millisecond)
	}
}

func TestStatelessHeaders(t *testing.T) {
	t.Parallel()
	s := serve(t, pool.Options{}, &Access{})
	call := func(arguments string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":` + arguments + `,` + meta + `}}`
	}
	with := func(name, value string) headers {
		h := stateless("tools/call", "echo")
		h[name] = value
		return h
	}
	for what, tt := range map[string]struct {
		body string
		h    headers
		want int
		says string
	}{
		"right":             {call(`{}`), with("", ""), 200, `"result"`},
		"name in Base64":    {call(`{}`), with("Mcp-Name", "=?base64?ZWNobw==?="), 200, `"result"`},
		"not Base64":        {call(`{}`), with("Mcp-Name", "=?base64?%%?="), 400, "-32020"},
		"no revision":       {call(`{}`), with("Mcp-Protocol-Version", ""), 400, "-32020"},
		"another revision":  {call(`{}`), with("Mcp-Protocol-Version", "2027-01-01"), 400, "-32020"},
		"no _meta":          {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}`, with("", ""), 400, "-32602"},
		"no capabilities":   {strings.ReplaceAll(call(`{}`), "clientCapabilities", "clientCapability"), with("", ""), 400, "clientCapabilities"},
		"no method":         {call(`{}`), with("Mcp-Method", ""), 400, "-32020"},
		"another method":    {call(`{}`), with("Mcp-Method", "tools/list"), 400, "-32020"},
		"another name":      {call(`{}`), with("Mcp-Name", "other"), 400, "-32020"},
		"a parameter":       {call(`{"where":"a"}`), with("Mcp-Param-Where", "a"), 200, `"result"`},
		"no such parameter": {call(`{}`), with("Mcp-Param-Where", "a"), 400, "-32020"},
		"parameter missing": {call(`{"where":"a"}`), with("", ""), 400, "-32020"},
		"another parameter": {call(`{"where":"a"}`), with("Mcp-Param-Where", "b"), 400, "-32020"},
		"unknown method":    {`{"jsonrpc":"2.0","id":"u","method":"unknown","params":{` + meta + `}}`, stateless("unknown", ""), 404, `"x-err":1`},
		"an answer":         {`{"jsonrpc":"2.0","id":"u","result":{}}`, stateless("", ""), 400, "nothing has been asked"},
	} {
		delete(tt.h, "")
		if status, text := s.post(tt.body, tt.h); status != tt.want || !strings.Contains(text, tt.says) {
			t.Errorf("%s: %d %s", what, status, text)
		}
	}
}

func TestBadRequests(t *testing.T) {
	t.Parallel()
	s := serve(t, pool.Options{}, &Access{Loopback: true, Origins: []string{"https://known.example"}})
	h := s.initialize("2025-11-25", nil)
	with := func(name, value string) headers {
		changed := headers{name: value}
		for name, value := range h {
			if _, given := changed[name]; !given {
				changed[name] = value
			}
		}
		return changed
	}
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for what, tt := range map[string]struct {
		body string
		h    headers
		want int
	}{
		"right":               {ping, h, 200},
		"not JSON":            {`{`, h, 400},
		"no message":          {`{}`, h, 400},
		"too large":           {`{"jsonrpc":"2.0","id":1,"method":"ping","params":"` + strings.Repeat("x", 1<<20) + `"}`, h, 413},
		"another content":     {ping, with("Content-Type", "text/plain"), 415},
		"accepts no stream":   {ping, with("Accept", "application/json"), 406},
		"accepts anything":    {ping, with("Accept", "*/*"), 200},
		"no session":          {ping, with("Mcp-Session-Id", ""), 400},
		"unknown session":     {ping, with("Mcp-Session-Id", "x"), 404},
		"unknown revision":    {ping, with("Mcp-Protocol-Version", "1999-01-01"), 400},
		"foreign host":        {ping, with("Host", "evil.example"), 403},
		"foreign host's port": {ping, with("Host", "evil.example:80"), 403},
		"localhost":           {ping, with("Host", "localhost:3000"), 200},
		"IPv6":                {ping, with("Host", "[::1]:3000"), 200},
		"foreign origin":      {ping, with("Origin", "http://evil.example"), 403},
		"null origin":         {ping, with("Origin", "null"), 403},
		"known origin":        {ping, with("Origin", "https://known.example"), 200},
		"our own origin":      {ping, with("Origin", s.URL), 200},
	} {
		if status, text := s.post(tt.body, tt.h); status != tt.want {
			t.Errorf("%s: %d %s", what, status, text)
		}
	}
	if reply := s.open(t.Context(), "PUT", "", h); reply.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("PUT: %d", reply.StatusCode)
	}
}
