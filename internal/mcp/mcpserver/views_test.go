package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/responses"
)

// pages are views of a server.
type pages struct{}

func (pages) Page() (string, error) { return "<!doctype html>", nil }
func (pages) Answer(_ context.Context, args json.RawMessage) responses.Reply {
	return responses.Reply{JSON: fmt.Appendf(nil, `{"asked":%s}`, args)}
}

const drawing = `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`

// list asks for the tools, and gives the whole answer.
func (p *peer) list(id int) string {
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`, id))
	return p.receive().raw
}

// A client that draws is told with what; for every other client nothing is different by a byte.
func TestViewsAreForClientsThatDraw(t *testing.T) {
	var plain string
	bubble(t, Options{Calls: callerFunc(echo)}, func(p *peer) {
		p.initializeWith(`{}`)
		plain = p.list(7)
	})
	for _, can := range []string{`{}`, `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/plain"]}}}`, `{"extensions":{"io.modelcontextprotocol/ui":{}}}`, `{"extensions":{"other":{}}}`} {
		bubble(t, Options{Calls: callerFunc(echo), Views: pages{}}, func(p *peer) {
			p.initializeWith(can)
			if got := p.list(7); got != plain {
				t.Errorf("%s: the tools are told otherwise:\n%s", can, got)
			}
			p.send(`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"view","arguments":{"session_id":"go-1"}}}`)
			if m := p.receive(); m.Error == nil || m.Error.Code != -32602 {
				t.Errorf("%s: a tool for views is called: %s", can, m.raw)
			}
		})
	}
	bubble(t, Options{Calls: callerFunc(echo), Views: pages{}}, func(p *peer) {
		p.initializeWith(drawing)
		list := p.list(7)
		for _, want := range []string{
			`"ui":{"resourceUri":"ui://aidb/stop"},"ui/resourceUri":"ui://aidb/stop"`, `"ui/resourceUri":"ui://aidb/why"`, `"ui/resourceUri":"ui://aidb/trace"`,
			`"ui/resourceUri":"ui://aidb/attempt"`, `"anthropic/alwaysLoad":true,"ui":{`, `"name":"view"`, `"visibility":["app"]`,
		} {
			if !strings.Contains(list, want) {
				t.Errorf("the tools lack %s:\n%s", want, list)
			}
		}
		if strings.Count(list, `"ui/resourceUri"`) != 8 || strings.Count(list, `"visibility"`) != 1 {
			t.Errorf("other tools are drawn, or hidden:\n%s", list)
		}
		p.send(`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"view","arguments":{"session_id":"go-1"}}}`)
		if m := p.receive(); string(m.Result.StructuredContent) != `{"asked":{"session_id":"go-1"}}` {
			t.Errorf("the view is answered %s", m.raw)
		}
		p.send(`{"jsonrpc":"2.0","id":9,"method":"resources/read","params":{"uri":"ui://aidb/stop"}}`)
		if m := p.receive(); !strings.Contains(m.raw, `"mimeType":"text/html;profile=mcp-app"`) || !strings.Contains(m.raw, `"ui":{"prefersBorder":true}`) || strings.Contains(m.raw, "csp") {
			t.Errorf("the page is %s", m.raw)
		}
	})
}

// In the revision without a handshake each request says what its client can do.
func TestViewsWithoutAHandshake(t *testing.T) {
	const list = `{"jsonrpc":"2.0","id":%d,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":%s}}}`
	bubble(t, Options{Calls: callerFunc(echo), Views: pages{}}, func(p *peer) {
		for i, can := range []string{drawing, `{}`, drawing} {
			p.send(fmt.Sprintf(list, i, can))
			m := p.receive()
			if draws := can == drawing; strings.Contains(m.raw, `"ui://aidb/stop"`) != draws || strings.Contains(m.raw, `"name":"view"`) != draws || strings.Contains(m.raw, `"cacheScope":"private"`) != draws {
				t.Errorf("%s: %s", can, m.raw)
			}
		}
	})
}

// A page is opened by the client where it can, in both eras; its model does not see the address.
func TestOpenPage(t *testing.T) {
	opening := callerFunc(func(ctx context.Context, _ string, _ json.RawMessage, by client.Client) responses.Reply {
		q := client.Question{Key: "page", Message: "Watch?"}
		if !by.Answered(q.Key) {
			q.Page = "http://127.0.0.1:1/#link=x"
		}
		err := by.OpenPage(ctx, q)
		if errors.Is(err, client.ErrAsked) {
			return responses.Reply{Asked: true}
		}
		return responses.Reply{JSON: fmt.Appendf(nil, "%q", fmt.Sprint(by.OpensPages(), " ", err))}
	})
	for _, c := range []struct{ name, capabilities, answer, want string }{
		{"none", `{"elicitation":{}}`, "", "false the client cannot ask"},
		{"forms only", `{"elicitation":{"form":{}}}`, "", "false the client cannot ask"},
		{"yes", `{"elicitation":{"url":{}}}`, `"result":{"action":"accept"}`, "true \\u003cnil\\u003e"},
		{"no", `{"elicitation":{"url":{}}}`, `"result":{"action":"decline"}`, "true declined"},
		{"a client that fails", `{"elicitation":{"url":{}}}`, `"error":{"code":-32603,"message":"oh"}`, "true the client cannot ask"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, Options{Calls: opening}, func(p *peer) {
				p.initializeWith(c.capabilities)
				p.send(call(1, "session", "{}"))
				if c.answer != "" {
					m := p.receive()
					if !strings.Contains(m.raw, `"mode":"url"`) || !strings.Contains(m.raw, `"url":"http://127.0.0.1:1/#link=x"`) || !strings.Contains(m.raw, `"elicitationId":"`) || strings.Contains(m.raw, "requestedSchema") {
						t.Fatalf("asked was %s", m.raw)
					}
					p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, m.ID, c.answer))
				}
				if m := p.receive(); !strings.Contains(m.raw, `"structuredContent":"`+c.want+`"`) {
					t.Errorf("answered %s, want %q", m.raw, c.want)
				}
			})
		})
	}
}
