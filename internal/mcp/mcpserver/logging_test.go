package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/responses"
)

// journaled are the options of a server that logs two messages in each call.
func journaled() Options {
	var log client.Log
	given := make(chan struct{})
	return Options{
		Journal: func(ctx context.Context, l client.Log) {
			log = l
			close(given)
			<-ctx.Done()
		},
		Calls: callerFunc(func(ctx context.Context, tool string, args json.RawMessage, by client.Client) responses.Reply {
			<-given
			log.Log(client.Debug, "session", map[string]string{"event": "running"})
			log.Log(client.Warning, "session", map[string]string{"event": "stopped"})
			return responses.Reply{JSON: fmt.Appendf(nil, `{"wanted":%t}`, log.Wanted())}
		}),
	}
}

const stoppedMessage = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","logger":"session","data":{"event":"stopped"}}}`

func TestLoggingWaitsForALevel(t *testing.T) {
	bubble(t, journaled(), func(p *peer) {
		if m := p.initialize(); string(m.Result.Capabilities) != `{"logging":{},"tools":{}}` {
			t.Errorf("capabilities are %s", m.Result.Capabilities)
		}
		p.send(call(1, "step", "{}"))
		if m := p.receive(); !strings.Contains(m.raw, `{"wanted":false}`) {
			t.Errorf("before a level was set came %s", m.raw)
		}
		p.send(`{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"loud"}}`)
		if m := p.receive(); m.Error == nil || m.Error.Code != -32602 || !strings.Contains(m.Error.Message, "debug, info") {
			t.Errorf("a level that is none was answered %s", m.raw)
		}
		p.send(`{"jsonrpc":"2.0","id":3,"method":"logging/setLevel","params":{"level":"info"}}`)
		if m := p.receive(); m.Error != nil {
			t.Errorf("setLevel: %s", m.raw)
		}
		p.send(call(4, "step", "{}"))
		if m := p.receive(); m.raw != stoppedMessage {
			t.Errorf("got %s", m.raw)
		}
		if m := p.receive(); string(m.ID) != "4" {
			t.Errorf("then came %s", m.raw)
		}
		p.send(`{"jsonrpc":"2.0","id":5,"method":"logging/setLevel","params":{"level":"error"}}`, call(6, "step", "{}"))
		p.receive()
		if m := p.receive(); string(m.ID) != "6" {
			t.Errorf("of less than the level came %s", m.raw)
		}
	})
}

// Where there is no request that sets a level, it rides with each call.
func TestLoggingOfACall(t *testing.T) {
	const stateless = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}`
	bubble(t, journaled(), func(p *peer) {
		for i, level := range []string{"", `,"io.modelcontextprotocol/logLevel":"info"`, "", `,"io.modelcontextprotocol/logLevel":"error"`} {
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"step","arguments":{},"_meta":{%s%s}}}`, i, stateless, level))
			m := p.receive()
			if i == 1 {
				if m.raw != stoppedMessage {
					t.Errorf("got %s", m.raw)
				}
				m = p.receive()
			}
			if string(m.ID) != fmt.Sprint(i) {
				t.Errorf("call %d: %s", i, m.raw)
			}
		}
	})
}
