//go:build linux

package cluster

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/testkit"
)

// What a process on a machine asks the client's person and the client's model passes the
// cluster, and so do the answers, in both eras.
//
//nolint:staticcheck // deprecated is not gone
func TestQuestionsPassTheCluster(t *testing.T) {
	testkit.Adapters(t)
	p := testkit.NewProgram(t, "averages")
	g := begin(t)
	// A home without adapters, so that the person is asked whether one is to be installed.
	empty := A{"language": "python", "target": "app.py"}
	p.Write("app.py", "print(1)\n")
	m := g.machineIn(t, t.TempDir(), "m1", g.cluster, map[string]string{"goes": p.Dir})
	for _, era := range []string{"2025-06-18", "2026-07-28"} {
		t.Run(era, func(t *testing.T) {
			var persons, models atomic.Int32
			s := testkit.Start(t, testkit.Options{
				Bare: true, Protocol: era, Args: []string{"connect", g.url + "/goes"}, Env: []string{"AIDB_TOKEN=" + secret, "AIDB_HOME=" + t.TempDir()},
				Client: func(o *mcp.ClientOptions) {
					o.ElicitationHandler = func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
						persons.Add(1)
						if !strings.Contains(r.Params.Message, "debugpy") {
							t.Errorf("asked was %q", r.Params.Message)
						}
						return &mcp.ElicitResult{Action: "decline"}, nil
					}
					o.CreateMessageHandler = func(_ context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
						models.Add(1)
						return &mcp.CreateMessageResult{Role: "assistant", Model: "scripted-1", Content: &mcp.TextContent{Text: "Cyd has no marks."}}, nil
					}
				},
			})
			s.Fail("ADAPTER_NOT_FOUND", "session_start", empty)
			s.OK("session_start", A{"target": p.Dir, "timeout_ms": longest})
			s.OK("context", A{"explain": true}).Want("Cyd has no marks.", "data", "opinion", "text")
			if persons.Load() != 1 || models.Load() != 1 {
				t.Errorf("the person was asked %d times and the model %d times, want once each\n%s", persons.Load(), models.Load(), m.Stderr())
			}
			s.OK("session", A{"action": "stop"})
		})
	}
}
