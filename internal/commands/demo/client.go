package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// client is a connection to a server that runs as our child.
type client struct {
	session *mcp.ClientSession
	calls   int
	bytes   int // of all replies
}

// connect starts the server in dir, where it looks for relative paths.
func connect(ctx context.Context, command []string, dir string) (*client, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	c := mcp.NewClient(&mcp.Implementation{Name: "aidb-demo", Version: "1"}, nil)
	session, err := c.Connect(ctx, &mcp.CommandTransport{Command: cmd, TerminateDuration: 10 * time.Second}, nil)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, stderr.Bytes())
	}
	return &client{session: session}, nil
}

// Close ends the server.
func (c *client) Close() error { return c.session.Close() }

// call makes a tool call. A reply that says it failed is an error.
func (c *client) call(ctx context.Context, tool string, params any) (reply, error) {
	result, err := c.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: params})
	if err != nil {
		return reply{}, fmt.Errorf("call %s: %w", tool, err)
	}
	if len(result.Content) == 0 {
		return reply{}, fmt.Errorf("call %s: the reply is empty", tool)
	}
	text, ok := result.Content[0].(*mcp.TextContent)
	if !ok {
		return reply{}, fmt.Errorf("call %s: the reply is no text", tool)
	}
	c.calls++
	c.bytes += len(text.Text)
	if result.IsError {
		return reply{}, errors.New(text.Text)
	}
	facts, err := json.Marshal(result.StructuredContent)
	if err != nil {
		return reply{}, fmt.Errorf("call %s: %w", tool, err)
	}
	r := reply{Text: text.Text}
	if err := json.Unmarshal(facts, &r); err != nil {
		return reply{}, fmt.Errorf("call %s: %w", tool, err)
	}
	return r, nil
}

// reply is what a model reads of a result, and by what the demonstration checks it.
type reply struct {
	Text string `json:"-"`
	Data data   `json:"data"`
}

type data struct {
	Verdict  string           `json:"verdict"` // diagnose
	Function string           `json:"function"`
	Culprit  part             `json:"culprit"`
	Locals   map[string]value `json:"locals"`
	Chain    []struct {
		Code string `json:"code"`
	} `json:"chain"` // why
	Winner int `json:"winner"` // attempt
	Before struct {
		Verdict string `json:"verdict"`
	} `json:"before"`
}

type part struct {
	Expression string `json:"expression"`
	Value      string `json:"value"`
}

type value struct {
	Value string `json:"v"`
}
