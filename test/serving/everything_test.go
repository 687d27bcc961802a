//go:build linux

package serving

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/testkit"
)

// The public server that has all of MCP, behind the gateway and the bridge.
func TestEverything(t *testing.T) {
	kit := testkit.Protocol.Fetch(t)
	script := filepath.Join(kit, "node_modules", "@modelcontextprotocol", "server-everything", "dist", "index.js")
	g := serve(t, "--", "node", script)
	heard := make(chan string, 1000)
	c := everythingClient(t, g, heard)
	ctx := t.Context()

	if got := c.InitializeResult().ServerInfo.Name; !strings.Contains(got, "everything") {
		t.Errorf("it is called %s", got)
	}
	tools, err := c.ListTools(ctx, nil)
	if err != nil || len(tools.Tools) < 12 {
		t.Fatalf("tools: %v, %v", tools, err)
	}
	must(t, c, "echo", A{"message": "grüße 🙂"}, "grüße 🙂")
	must(t, c, "get-sum", A{"a": 2, "b": 40}, "42")
	must(t, c, "trigger-sampling-request", A{"prompt": "why?", "maxTokens": 9}, "because of 9")
	must(t, c, "trigger-elicitation-request", nil, "Ada")
	must(t, c, "get-roots-list", nil, "file:///somewhere")

	params := &mcp.CallToolParams{Name: "trigger-long-running-operation", Arguments: A{"duration": 0.3, "steps": 3}}
	params.SetProgressToken("long")
	if _, err := c.CallTool(ctx, params); err != nil {
		t.Error(err)
	}
	for i := range 3 {
		hears(t, heard, fmt.Sprintf("progress long %d of 3", i+1))
	}

	resources, err := c.ListResources(ctx, nil)
	if err != nil || len(resources.Resources) == 0 {
		t.Fatalf("resources: %v, %v", resources, err)
	}
	templates, err := c.ListResourceTemplates(ctx, nil)
	if err != nil || !slices.ContainsFunc(templates.ResourceTemplates, func(r *mcp.ResourceTemplate) bool { return strings.Contains(r.URITemplate, "{resourceId}") }) {
		t.Fatalf("templates: %v, %v", templates, err)
	}
	const uri = "demo://resource/dynamic/text/7"
	read, err := c.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
	if err != nil || !strings.Contains(read.Contents[0].Text, "Resource 7") {
		t.Errorf("a resource: %v, %v", read, err)
	}
	if err := c.Subscribe(ctx, &mcp.SubscribeParams{URI: uri}); err != nil {
		t.Error(err)
	}
	must(t, c, "toggle-subscriber-updates", nil, "Started")
	hears(t, heard, "updated "+uri)

	prompts, err := c.ListPrompts(ctx, nil)
	if err != nil || len(prompts.Prompts) < 3 {
		t.Fatalf("prompts: %v, %v", prompts, err)
	}
	prompt, err := c.GetPrompt(ctx, &mcp.GetPromptParams{Name: "completable-prompt", Arguments: map[string]string{"department": "Sales", "name": "Eve"}})
	if err != nil || !strings.Contains(prompt.Messages[0].Content.(*mcp.TextContent).Text, "Eve") {
		t.Errorf("a prompt: %v, %v", prompt, err)
	}
	completion, err := c.Complete(ctx, &mcp.CompleteParams{
		Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: "completable-prompt"}, Argument: mcp.CompleteParamsArgument{Name: "department", Value: "E"},
	})
	if err != nil || len(completion.Completion.Values) != 1 || completion.Completion.Values[0] != "Engineering" {
		t.Errorf("a completion: %v, %v", completion, err)
	}

	if err := c.SetLoggingLevel(ctx, &mcp.SetLoggingLevelParams{Level: "debug"}); err != nil {
		t.Error(err)
	}
	must(t, c, "toggle-simulated-logging", nil, "Started")
	hears(t, heard, "log ")
}

// everythingClient is a client by the bridge, which answers what it is asked.
func everythingClient(t *testing.T, g *gateway, heard chan<- string) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "everything", Version: "1"}, &mcp.ClientOptions{
		CreateMessageHandler: func(_ context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			return &mcp.CreateMessageResult{Role: "assistant", Model: "test", Content: &mcp.TextContent{Text: fmt.Sprint("because of ", r.Params.MaxTokens)}}, nil
		},
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: A{"name": "Ada", "check": true}}, nil
		},
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			heard <- fmt.Sprintf("progress %v %v of %v", r.Params.ProgressToken, r.Params.Progress, r.Params.Total)
		},
		ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { heard <- "updated " + r.Params.URI },
		LoggingMessageHandler:  func(_ context.Context, r *mcp.LoggingMessageRequest) { heard <- fmt.Sprint("log ", r.Params.Data) },
	})
	client.AddRoots(&mcp.Root{URI: "file:///somewhere", Name: "somewhere"})
	command := exec.Command(testkit.Binary(t), "connect", g.URL)
	command.Env = append(command.Environ(), "AIDB_TOKEN="+secret, "AIDB_HOME="+t.TempDir())
	ctx, cancel := context.WithTimeout(context.Background(), testkit.CallLimit)
	defer cancel()
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: command}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatalf("connecting: %v\nthe gateway's stderr:\n%s", err, g.Stderr())
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// hears waits for something that begins like this.
func hears(t *testing.T, heard <-chan string, what string) {
	t.Helper()
	late := time.After(30 * time.Second)
	var others []string
	for {
		select {
		case said := <-heard:
			if strings.HasPrefix(said, what) {
				return
			}
			others = append(others, said)
		case <-late:
			t.Errorf("%q was not heard, but %q", what, others)
			return
		}
	}
}
