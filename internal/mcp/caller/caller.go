// Package caller makes tool calls for a person or a script: an MCP client of a
// server that it starts as its child. To reach a running server, the child is
// "aidb-mcp connect".
//
// The package knows nothing of debugging, and nothing of terminals.
package caller

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Options say what to call.
type Options struct {
	Command  []string  // starts the server
	Env      []string  // of the server; none: ours
	Errors   io.Writer // takes what it writes to standard error
	Alone    bool      // signals of the terminal do not reach it
	Name     string    // of the client, as the server is told
	Version  string
	Progress func(message string) // is told what a call waits for; nil: nobody
}

// Caller is a connection to a server. Calls may be made one after the other.
type Caller struct {
	session *mcp.ClientSession
	tools   []Tool
	calls   int
}

// closing is how long a server has to end its sessions.
const closing = 10 * time.Second

// Connect starts the server and asks for its tools.
func Connect(ctx context.Context, o Options) (*Caller, error) {
	cmd := exec.Command(o.Command[0], o.Command[1:]...) // ends with its input, in order
	var said tail
	cmd.Env = o.Env
	cmd.Stderr = io.MultiWriter(o.Errors, &said)
	if o.Alone {
		leaveGroup(cmd)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: o.Name, Version: o.Version}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			if o.Progress != nil {
				o.Progress(r.Params.Message)
			}
		},
	})
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: cmd, TerminateDuration: closing}, nil)
	if err != nil {
		if said.Len() > 0 { // the server has said why
			return nil, errors.New("the server did not start, see above")
		}
		return nil, fmt.Errorf("starting the server: %w", err)
	}
	c := &Caller{session: session}
	if c.tools, err = c.list(ctx); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// tail notes whether something was written.
type tail struct{ n int }

func (t *tail) Write(p []byte) (int, error) {
	t.n += len(p)
	return len(p), nil
}

// Len is how much was written.
func (t *tail) Len() int { return t.n }

// Close ends the server and its sessions.
func (c *Caller) Close() error {
	if err := c.session.Close(); err != nil {
		return fmt.Errorf("ending the server: %w", err)
	}
	return nil
}

// Reply is what a call comes to.
type Reply struct {
	Text    string
	JSON    json.RawMessage // the same for programs; empty where the server sends none
	IsError bool
}

// Call makes a call. Arguments are sent as they are written.
func (c *Caller) Call(ctx context.Context, tool string, arguments json.RawMessage) (Reply, error) {
	c.calls++
	params := &mcp.CallToolParams{Name: tool, Arguments: arguments}
	params.SetProgressToken(c.calls)
	result, err := c.session.CallTool(ctx, params)
	if err != nil {
		return Reply{}, fmt.Errorf("calling %s: %w", tool, err)
	}
	r := Reply{IsError: result.IsError}
	var text bytes.Buffer
	for _, content := range result.Content {
		if part, ok := content.(*mcp.TextContent); ok {
			text.WriteString(part.Text)
		}
	}
	r.Text = text.String()
	if result.StructuredContent != nil {
		if r.JSON, err = json.Marshal(result.StructuredContent); err != nil {
			return r, fmt.Errorf("reading the reply of %s: %w", tool, err)
		}
	}
	return r, nil
}

// Read is a resource as a text.
func (c *Caller) Read(ctx context.Context, uri string) (string, error) {
	result, err := c.session.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", uri, err)
	}
	var text strings.Builder
	for _, content := range result.Contents {
		text.WriteString(content.Text)
	}
	return text.String(), nil
}

// Session is that of a reply, if it goes on after the call.
func (r Reply) Session() string {
	id, status := r.session()
	if status == "terminated" {
		return ""
	}
	return id
}

// About is the session that a reply is about, if any.
func (r Reply) About() string {
	id, _ := r.session()
	return id
}

func (r Reply) session() (id, status string) {
	var reply struct {
		SessionID string `json:"session_id"`
		Data      struct {
			State struct {
				Status string `json:"status"`
			} `json:"execution_state"`
		} `json:"data"`
	}
	if json.Unmarshal(r.JSON, &reply) != nil {
		return "", ""
	}
	return reply.SessionID, reply.Data.State.Status
}
