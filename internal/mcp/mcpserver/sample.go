package mcpserver

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/mcp/client"
)

// sampleLimit is how long a model may take to answer.
const sampleLimit = time.Minute

// Sample asks the client's model. The protocol has given it up for the future;
// clients that still say that they have it are asked.
//
//nolint:staticcheck // deprecated is not gone
func (c *caller) Sample(ctx context.Context, p client.Prompt) (client.Opinion, error) {
	if can := c.req.ClientCapabilities(); can == nil || can.Sampling == nil {
		return client.Opinion{}, client.ErrUnsupported
	}
	params := &mcp.CreateMessageWithToolsParams{
		SystemPrompt: p.System, MaxTokens: int64(p.Tokens),
		Messages: []*mcp.SamplingMessageV2{{Role: "user", Content: []mcp.Content{&mcp.TextContent{Text: p.Text}}}},
	}
	if c.stateless() {
		answer, err := c.askInRounds(p.Key, params)
		if err != nil {
			return client.Opinion{}, err
		}
		said, _ := answer.(*mcp.CreateMessageWithToolsResult)
		return opinionOf(said)
	}
	bounded, cancel := context.WithTimeout(ctx, sampleLimit)
	defer cancel()
	said, err := c.req.Session.CreateMessageWithTools(bounded, params)
	if err != nil {
		if err = answerError(ctx, bounded); errors.Is(err, client.ErrUnsupported) {
			err = client.ErrDeclined // it has said that it can, and then would not
		}
		return client.Opinion{}, err
	}
	return opinionOf(said)
}

// opinionOf is the text of an answer; one without text is none.
//
//nolint:staticcheck // deprecated is not gone
func opinionOf(said *mcp.CreateMessageWithToolsResult) (client.Opinion, error) {
	if said == nil {
		return client.Opinion{}, client.ErrDeclined
	}
	var texts []string
	for _, content := range said.Content {
		if text, ok := content.(*mcp.TextContent); ok {
			texts = append(texts, text.Text)
		}
	}
	text := strings.TrimSpace(strings.Join(texts, "\n"))
	if text == "" {
		return client.Opinion{}, client.ErrDeclined
	}
	return client.Opinion{Text: text, Model: said.Model}, nil
}
