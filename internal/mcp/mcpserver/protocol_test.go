package mcpserver

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/handlers"
	"aidb-mcp/tools"
)

// connect serves a client of the SDK that speaks one protocol version.
func connect(t *testing.T, version string, calls Caller) *mcp.ClientSession {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- Serve(t.Context(), Options{Version: "v1.2.3", Tools: handlers.Definitions(0), Calls: calls, Log: slog.New(slog.DiscardHandler)}, inR, outW)
		outW.Close()
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: outR, Writer: inW}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatalf("connecting as %q: %v", version, err)
	}
	t.Cleanup(func() {
		session.Close()
		inW.Close()
		if err := <-done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return session
}

// called calls a tool and returns the text of its reply.
func called(t *testing.T, session *mcp.ClientSession, tool string) string {
	t.Helper()
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: struct{}{}})
	if err != nil {
		t.Fatal(err)
	}
	return res.Content[0].(*mcp.TextContent).Text
}

func TestEveryProtocolVersion(t *testing.T) {
	for _, version := range append(mcp.SupportedProtocolVersions(), "") {
		t.Run("version "+version, func(t *testing.T) {
			session := connect(t, version, callerFunc(echo))
			list, err := session.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var names, want []string
			for _, tool := range list.Tools {
				names = append(names, tool.Name)
				if tool.Annotations == nil || tool.Annotations.DestructiveHint == nil || tool.Annotations.OpenWorldHint == nil || tool.Title == "" {
					t.Errorf("%s: title or annotations are missing", tool.Name)
				}
			}
			for _, d := range handlers.Definitions(0) {
				want = append(want, d.Name)
			}
			slices.Sort(want)
			if diff := cmp.Diff(want, names); diff != "" {
				t.Error(diff)
			}
			res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "step", Arguments: map[string]any{"count": 2}})
			if err != nil || res.IsError {
				t.Fatalf("call: %+v, %v", res, err)
			}
		})
	}
}

func TestOnlyWhatIsTrueIsAdvertised(t *testing.T) {
	bubble(t, Options{Calls: callerFunc(echo)}, func(p *peer) {
		m := p.initialize()
		if got := string(m.Result.Capabilities); got != `{"tools":{}}` {
			t.Errorf("capabilities are %s", got)
		}
		if m.Result.Instructions != tools.Instructions || m.Result.ProtocolVersion != "2025-06-18" {
			t.Errorf("initialize was answered %s", m.raw)
		}
		for _, part := range []string{`"name":"aidb"`, `"title":"AI Debugger"`, `"version":"v1.2.3"`} {
			if !strings.Contains(m.raw, part) {
				t.Errorf("%s is missing in %s", part, m.raw)
			}
		}
	})
}

// The revision without initialize: everything rides in each request.
func TestStatelessRevision(t *testing.T) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	bubble(t, Options{Calls: callerFunc(echo)}, func(p *peer) {
		p.send(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}`)
		m := p.receive()
		for _, part := range []string{`"2026-07-28"`, `"2025-06-18"`, `"tools":{}`, `"name":"aidb"`, `"instructions":`} {
			if !strings.Contains(m.raw, part) {
				t.Errorf("discover: %s is missing in %s", part, m.raw)
			}
		}
		p.send(`{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + meta + `}}`)
		if m := p.receive(); m.Method != "notifications/subscriptions/acknowledged" {
			t.Errorf("listen: first came %s", m.raw)
		}
		if m := p.receive(); string(m.ID) != "2" || m.Error != nil {
			t.Errorf("listen: then came %s", m.raw)
		}
		p.send(`{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{` + meta + `}}`)
		if m := p.receive(); m.Error != nil || len(m.raw) > 18_500 {
			t.Errorf("tools/list is %d bytes", len(m.raw))
		}
		p.send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"step","arguments":{"n":18446744073709551615},` + meta + `}}`)
		if m := p.receive(); string(m.ID) != "3" || m.Error != nil || !strings.Contains(m.raw, `"n":18446744073709551615`) || !strings.Contains(m.raw, `"resultType":"complete"`) {
			t.Errorf("call: %s", m.raw)
		}
	})
}

func TestToolListIsSmall(t *testing.T) {
	bubble(t, Options{Calls: callerFunc(echo)}, func(p *peer) {
		p.initialize()
		p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		m := p.receive()
		if n := len(m.raw); n > 18_500 {
			t.Errorf("tools/list is %d bytes", n)
		}
		var list struct {
			Result struct {
				Tools []struct {
					Name        string
					InputSchema json.RawMessage
				}
			}
		}
		if err := json.Unmarshal([]byte(m.raw), &list); err != nil {
			t.Fatal(err)
		}
		for _, d := range handlers.Definitions(0) {
			i := slices.IndexFunc(list.Result.Tools, func(tool struct {
				Name        string
				InputSchema json.RawMessage
			}) bool {
				return tool.Name == d.Name
			})
			if i < 0 || !bytes.Equal(list.Result.Tools[i].InputSchema, d.Schema) {
				t.Errorf("%s: the schema did not arrive as it is", d.Name)
			}
		}
	})
}
