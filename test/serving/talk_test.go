//go:build linux

package serving

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/testkit"
)

// What a server asks of its client and tells it beside replies passes the
// gateway in both kinds of revision: log messages, questions to the model.
func TestTalkPassesTheGateway(t *testing.T) {
	for _, revision := range revisions {
		t.Run(revision, func(t *testing.T) {
			g, p := serve(t), testkit.NewProgram(t, "averages")
			heard := make(chan string, 64)
			client := mcp.NewClient(&mcp.Implementation{Name: "talking", Version: "1"}, &mcp.ClientOptions{
				CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
					return &mcp.CreateMessageResult{Role: "assistant", Model: "test", Content: &mcp.TextContent{Text: "no marks"}}, nil
				},
				LoggingMessageHandler: func(_ context.Context, r *mcp.LoggingMessageRequest) {
					text, _ := json.Marshal(r.Params.Data)
					heard <- r.Params.Logger + " " + string(text)
				},
			})
			session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
				Endpoint: g.URL, HTTPClient: testkit.Bearer(t, secret),
			}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
			if err != nil {
				t.Fatal(err)
			}
			defer session.Close()
			start := &mcp.CallToolParams{Name: "session_start", Arguments: A{"target": p.Dir, "session_id": "one", "timeout_ms": longest}}
			if revision == revisions[1] {
				start.Meta = mcp.Meta{mcp.MetaKeyLogLevel: "warning"}
			} else if err := session.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "warning"}); err != nil {
				t.Fatal(err)
			}
			if result, err := session.CallTool(t.Context(), start); err != nil || result.IsError {
				t.Fatalf("session_start: %v, %+v", err, result)
			}
			hears(t, heard, `session {"event":"stopped"`)
			must(t, session, "context", A{"explain": true}, `"text":"no marks"`, `"model":"test"`)
		})
	}
}
