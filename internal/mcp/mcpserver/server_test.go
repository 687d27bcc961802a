package mcpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"

	"aidb-mcp/handlers"
	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/responses"
)

// callerFunc answers calls in tests.
type callerFunc func(ctx context.Context, tool string, args json.RawMessage, by client.Client) responses.Reply

func (f callerFunc) Call(ctx context.Context, tool string, args json.RawMessage, by client.Client) responses.Reply {
	return f(ctx, tool, args, by)
}

// echo answers with the arguments as they came.
func echo(_ context.Context, _ string, args json.RawMessage, _ client.Client) responses.Reply {
	return responses.Reply{JSON: fmt.Appendf(nil, `{"success":true,"data":%s}`, args)}
}

// waiting answers once its call is cancelled, with the cause.
func waiting(ctx context.Context, _ string, _ json.RawMessage, _ client.Client) responses.Reply {
	<-ctx.Done()
	text, _ := json.Marshal(context.Cause(ctx).Error())
	return responses.Reply{JSON: fmt.Appendf(nil, `{"success":false,"summary":%s}`, text), IsError: true}
}

// peer is a client that writes and reads raw lines.
type peer struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *bufio.Scanner
	stop context.CancelFunc // what a signal does
	done chan error
}

// start serves a peer. It must run in a synctest bubble, so that time is ours.
func start(t *testing.T, o Options) *peer {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	o.Version, o.Tools, o.Log = "v1.2.3", handlers.Definitions(0), slog.New(slog.DiscardHandler)
	p := &peer{t: t, in: inW, out: bufio.NewScanner(outR), stop: stop, done: make(chan error, 1)}
	p.out.Buffer(nil, 1<<20)
	go func() {
		err := Serve(ctx, o, inR, outW)
		inR.Close()
		outW.Close()
		p.done <- err
	}()
	return p
}

func (p *peer) send(lines ...string) {
	p.t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(p.in, line+"\n"); err != nil {
			p.t.Fatalf("sending %s: %v", line, err)
		}
	}
}

// message is any answer, as far as the tests look at it.
type message struct {
	ID     json.RawMessage
	Method string
	Result struct {
		IsError           bool
		Content           []struct{ Text string }
		StructuredContent json.RawMessage
		Capabilities      json.RawMessage
		ProtocolVersion   string
		SupportedVersions []string
		Instructions      string
	}
	Error *struct {
		Code    int
		Message string
	}
	raw string
}

func (p *peer) receive() message {
	p.t.Helper()
	if !p.out.Scan() {
		p.t.Fatalf("no more answers: %v", p.out.Err())
	}
	m := message{raw: p.out.Text()}
	if err := json.Unmarshal(p.out.Bytes(), &m); err != nil {
		p.t.Fatalf("answer %s: %v", p.out.Text(), err)
	}
	return m
}

// rest receives everything up to the end of the output, by id.
func (p *peer) rest() map[string]message {
	p.t.Helper()
	all := map[string]message{}
	for p.out.Scan() {
		m := message{raw: p.out.Text()}
		if err := json.Unmarshal(p.out.Bytes(), &m); err != nil {
			p.t.Fatalf("answer %s: %v", m.raw, err)
		}
		if _, twice := all[string(m.ID)]; twice {
			p.t.Errorf("request %s was answered twice", m.ID)
		}
		all[string(m.ID)] = m
	}
	if err := <-p.done; err != nil {
		p.t.Errorf("Serve: %v", err)
	}
	return all
}

func (p *peer) initialize() message {
	p.send(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return p.receive()
}

func call(id int, tool, args string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, args)
}

func ping(id int) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, id) }

// bubble runs a test with a peer in a synctest bubble and ends both.
func bubble(t *testing.T, o Options, test func(p *peer)) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, o)
		test(p)
		p.in.Close()
		p.stop()
		for p.out.Scan() {
		}
	})
}

func TestBrokenInputIsAnsweredAndSurvived(t *testing.T) {
	for _, c := range []struct {
		name, line string
		code       int
		id         string
	}{
		{"not JSON", `{"jsonrpc":"2.0","id":1,`, -32700, "null"},
		{"not even close", "\x00\xff hello", -32700, "null"},
		{"a number", `42`, -32600, "null"},
		{"no version", `{"id":1,"method":"ping"}`, -32600, "1"},
		{"wrong version", `{"jsonrpc":"1.0","id":"a","method":"ping"}`, -32600, `"a"`},
		{"no method", `{"jsonrpc":"2.0","id":5}`, -32600, "5"},
		{"batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, -32600, "null"},
		{"empty batch", `[]`, -32600, "null"},
		{"too long", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 5000) + `"}`, -32600, "null"},
		{"too long and broken", strings.Repeat("[", 200_000), -32600, "null"},
		{"id of a wrong type", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600, "null"},
		{"method of a wrong type", `{"jsonrpc":"2.0","id":1,"method":7}`, -32600, "1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, Options{Calls: callerFunc(echo), MaxLine: 4000}, func(p *peer) {
				p.initialize()
				p.send(c.line)
				m := p.receive()
				if m.Error == nil || m.Error.Code != c.code || string(m.ID) != c.id {
					t.Errorf("answered %s, want error %d with id %s", m.raw, c.code, c.id)
				}
				p.send("", "  ", ping(7)) // blank lines are nothing
				if m := p.receive(); string(m.ID) != "7" || m.Error != nil {
					t.Errorf("the next request was answered %s", m.raw)
				}
			})
		})
	}
}

func TestLastLineWithoutNewlineCounts(t *testing.T) {
	bubble(t, Options{Calls: callerFunc(echo)}, func(p *peer) {
		p.initialize()
		io.WriteString(p.in, ping(7))
		p.in.Close()
		if all := p.rest(); len(all) != 1 || all["7"].raw != "" && all["7"].Error != nil {
			t.Errorf("answers: %v", all)
		}
	})
}

func TestUnknownMethodAndTool(t *testing.T) {
	bubble(t, Options{Calls: callerFunc(echo)}, func(p *peer) {
		p.initialize()
		p.send(`{"jsonrpc":"2.0","id":1,"method":"no/such"}`)
		if m := p.receive(); m.Error == nil || m.Error.Code != -32601 {
			t.Errorf("unknown method: %s", m.raw)
		}
		p.send(call(2, "stpe", "{}"))
		if m := p.receive(); m.Error == nil || m.Error.Code != -32602 || !strings.Contains(m.Error.Message, "did you mean step") {
			t.Errorf("unknown tool: %s", m.raw)
		}
	})
}

// What is wrong with a request is said in words of JSON, however it is wrong, and
// nothing long that the client has sent comes back.
func TestErrorsAreInPlainWords(t *testing.T) {
	bubble(t, Options{Calls: callerFunc(echo)}, func(p *peer) {
		p.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":[1]}`)
		if m := p.receive(); m.Error == nil || m.Error.Message != "invalid params of initialize: they must be an object" {
			t.Errorf("initialize: %s", m.raw)
		}
		p.initialize()
		long := strings.Repeat("m", 1<<20)
		for request, says := range map[string]string{
			`"tools/call","params":[1]`:                                                "invalid params of tools/call: they must be an object",
			`"tools/call","params":"x"`:                                                "invalid params of tools/call: they must be an object",
			`"tools/call","params":{"name":7}`:                                         "invalid params of tools/call: name must be a string",
			`"tools/call","params":{"name":["` + "`" + `, of type x"]}`:                "invalid params of tools/call: name must be a string",
			`"tools/call","params":{"name":"step","arguments":{},"_meta":7}`:           "invalid params of tools/call: _meta must be an object",
			`"ping","params":` + strings.Repeat("[", 1100) + strings.Repeat("]", 1100): "invalid params of ping: they cannot be read: exceeded maximum nesting depth of 1000",
			`"tools/list","params":{"cursor":{}}`:                                      "invalid params of tools/list: cursor must be a string",
			`"tools/call","params":{"name":"` + long + `"}`:                            "unknown tool",
			`"` + long + `","params":{}`:                                               "method not found",
		} {
			p.send(`{"jsonrpc":"2.0","id":2,"method":` + request + `}`)
			m := p.receive()
			if m.Error == nil || !strings.Contains(m.Error.Message, says) || strings.Contains(m.raw, "json:") || strings.Contains(m.raw, "mcp.") || len(m.raw) > 1000 {
				t.Errorf("%.100s: %.700s", request, m.raw)
			}
		}
	})
}

func TestRequestBeforeInitializeIsRefused(t *testing.T) {
	bubble(t, Options{Calls: callerFunc(echo)}, func(p *peer) {
		p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		if m := p.receive(); m.Error == nil || m.Error.Code != -32600 {
			t.Errorf("answered %s", m.raw)
		}
		p.initialize()
	})
}

func TestDuplicateIDIsRefused(t *testing.T) {
	bubble(t, Options{Calls: callerFunc(waiting)}, func(p *peer) {
		p.initialize()
		p.send(call(1, "step", "{}"), call(1, "step", "{}"))
		if m := p.receive(); m.Error == nil || m.Error.Code != -32600 || string(m.ID) != "null" || !strings.Contains(m.Error.Message, "already in use") {
			t.Errorf("the duplicate was answered %s", m.raw)
		}
		synctest.Wait() // the call is under way
		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
		synctest.Wait()
		p.send(ping(1)) // the id is free again, and what was cancelled is not answered
		if m := p.receive(); string(m.ID) != "1" || m.Error != nil {
			t.Errorf("the id was not freed: %s", m.raw)
		}
	})
}

func TestReplyStandsInTextAndStructure(t *testing.T) {
	const args = `{"z":18446744073709551615,"a":9007199254740993,"f":1e400,"h":"<&>\u2028","deep":{"b":1,"a":2}}`
	bubble(t, Options{Calls: callerFunc(echo)}, func(p *peer) {
		p.initialize()
		p.send(call(1, "inspect", args))
		m := p.receive()
		var want, got any
		dec := func(s string, into *any) {
			d := json.NewDecoder(strings.NewReader(s))
			d.UseNumber()
			if err := d.Decode(into); err != nil {
				t.Fatal(err)
			}
		}
		reply := `{"success":true,"data":` + args + `}`
		if m.Result.Content[0].Text != reply || len(m.Result.Content) != 1 {
			t.Errorf("text is %s", m.Result.Content[0].Text)
		}
		dec(reply, &want)
		dec(string(m.Result.StructuredContent), &got)
		if fmt.Sprint(want) != fmt.Sprint(got) {
			t.Errorf("structured content is %s, want %s", m.Result.StructuredContent, reply)
		}
		if strings.Index(string(m.Result.StructuredContent), `"z"`) > strings.Index(string(m.Result.StructuredContent), `"a"`) {
			t.Error("the order of the fields was lost")
		}
	})
}

// A reply goes out in the forms that it has: text alone has no structured content,
// and with both the text is the one to read.
func TestRepliesGoOutInTheirForms(t *testing.T) {
	for name, c := range map[string]struct {
		reply            responses.Reply
		text, structured string
	}{
		"text": {responses.Reply{Text: []byte("AIDB_X: no"), IsError: true}, "AIDB_X: no", ""},
		"json": {responses.Reply{JSON: []byte(`{"success":true}`)}, `{"success":true}`, `{"success":true}`},
		"both": {responses.Reply{Text: []byte("done"), JSON: []byte(`{"success":true}`)}, "done", `{"success":true}`},
	} {
		t.Run(name, func(t *testing.T) {
			says := callerFunc(func(context.Context, string, json.RawMessage, client.Client) responses.Reply { return c.reply })
			bubble(t, Options{Calls: says}, func(p *peer) {
				p.initialize()
				p.send(call(1, "step", "{}"))
				m := p.receive()
				if m.Result.Content[0].Text != c.text || string(m.Result.StructuredContent) != c.structured || m.Result.IsError != c.reply.IsError {
					t.Errorf("got %s", m.raw)
				}
			})
		})
	}
}

// Ids come back as they were sent, also those that a float64 cannot hold.
func TestIDsComeBackAsTheyWere(t *testing.T) {
	bubble(t, Options{Calls: callerFunc(waiting)}, func(p *peer) {
		p.initialize()
		for _, id := range []string{
			"0", "-7", "9007199254740993", "1.5", "1e3", "123456789012345678901234567890", `"x"`, `"9"`, `""`, `"\u00e9<&>"`,
		} {
			p.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`)
			if m := p.receive(); m.Error != nil || string(m.ID) != id && !sameText(string(m.ID), id) {
				t.Errorf("id %s was answered %s", id, m.raw)
			}
		}
		p.send(`{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"step","arguments":{}}}`)
		synctest.Wait()
		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9007199254740993}}`)
		synctest.Wait()
		p.send(`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`) // free, so the call has ended
		if m := p.receive(); m.Error != nil || string(m.ID) != "9007199254740993" {
			t.Errorf("after a cancelled call of that id: %s", m.raw)
		}
	})
}

// sameText says that two JSON texts mean the same string.
func sameText(a, b string) bool {
	var x, y string
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && x == y
}

func TestPanicCostsOneCall(t *testing.T) {
	mean := callerFunc(func(ctx context.Context, tool string, args json.RawMessage, by client.Client) responses.Reply {
		if tool == "variable" {
			panic("oh dear")
		}
		return echo(ctx, tool, args, by)
	})
	bubble(t, Options{Calls: mean}, func(p *peer) {
		p.initialize()
		p.send(call(1, "variable", "{}"))
		if m := p.receive(); m.Error == nil || m.Error.Code != -32603 {
			t.Errorf("answered %s", m.raw)
		}
		p.send(call(2, "step", "{}"))
		if m := p.receive(); m.Error != nil || m.Result.IsError {
			t.Errorf("the next call was answered %s", m.raw)
		}
	})
}

func TestProgressReachesTheClient(t *testing.T) {
	telling := callerFunc(func(ctx context.Context, tool string, args json.RawMessage, by client.Client) responses.Reply {
		by.Progress("still running, 5 s", 0, 0)
		by.Progress("unpacking", 1, 4)
		return echo(ctx, tool, args, by)
	})
	bubble(t, Options{Calls: telling}, func(p *peer) {
		p.initialize()
		p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"execute","arguments":{},"_meta":{"progressToken":"tok"}}}`)
		if m := p.receive(); m.Method != "notifications/progress" || !strings.Contains(m.raw, "still running, 5 s") || !strings.Contains(m.raw, `"tok"`) || strings.Contains(m.raw, "total") {
			t.Errorf("first came %s", m.raw)
		}
		if m := p.receive(); !strings.Contains(m.raw, `"progress":2,"total":5`) {
			t.Errorf("then came %s", m.raw)
		}
		p.receive()
		p.send(call(2, "execute", "{}"))
		if m := p.receive(); string(m.ID) != "2" {
			t.Errorf("unasked for progress: %s", m.raw)
		}
	})
}
