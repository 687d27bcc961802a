package mcpserver

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/mcp/client"
)

// elicitLimit is how long a person may take to answer.
const elicitLimit = 2 * time.Minute

// chosen is the one field of a form, in which one of several is chosen or a text is written.
const chosen = "choice"

// form is a form as the protocol has it: flat, and without anything that older
// clients cannot show.
type form struct {
	Type       string           `json:"type"`
	Properties map[string]field `json:"properties"`
	Required   []string         `json:"required,omitempty"`
}

type field struct {
	Type string   `json:"type"`
	Enum []string `json:"enum,omitempty"`
}

// formOf is the form of a question. To accept one without fields is to say yes.
func formOf(q client.Question) form {
	f := form{Type: "object", Properties: map[string]field{}}
	if len(q.Choices) > 0 || q.Text {
		f.Properties[chosen] = field{Type: "string", Enum: q.Choices}
		f.Required = []string{chosen}
	}
	return f
}

// Elicit asks the person at the client.
func (c *caller) Elicit(ctx context.Context, q client.Question) (string, error) {
	if !c.Elicits() {
		return "", client.ErrUnsupported
	}
	said, err := c.elicit(ctx, q.Key, &mcp.ElicitParams{Mode: "form", Message: q.Message, RequestedSchema: formOf(q)})
	if err != nil {
		return "", err
	}
	return chosenOf(q, said)
}

// elicit asks, in the way of the call's revision.
func (c *caller) elicit(ctx context.Context, key string, params *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	if c.stateless() {
		answer, err := c.askInRounds(key, params)
		if err != nil {
			return nil, err
		}
		said, _ := answer.(*mcp.ElicitResult)
		return said, nil
	}
	bounded, cancel := context.WithTimeout(ctx, elicitLimit)
	defer cancel()
	said, err := c.req.Session.Elicit(bounded, params)
	if err != nil {
		return nil, answerError(ctx, bounded)
	}
	return said, nil
}

// OpensPages says whether the client asks its person to open pages.
func (c *caller) OpensPages() bool {
	can := c.req.ClientCapabilities()
	return can != nil && can.Elicitation != nil && can.Elicitation.URL != nil
}

// OpenPage asks the person to open a page.
func (c *caller) OpenPage(ctx context.Context, q client.Question) error {
	if !c.OpensPages() {
		return client.ErrUnsupported
	}
	said, err := c.elicit(ctx, q.Key, &mcp.ElicitParams{Mode: "url", Message: q.Message, URL: q.Page, ElicitationID: rand.Text()})
	if err != nil {
		return err
	}
	if said == nil || said.Action != "accept" {
		return client.ErrDeclined
	}
	return nil
}

// Elicits says whether the client shows forms.
func (c *caller) Elicits() bool {
	can := c.req.ClientCapabilities()
	return can != nil && can.Elicitation != nil && (can.Elicitation.Form != nil || can.Elicitation.URL == nil)
}

// chosenOf is what was chosen.
func chosenOf(q client.Question, said *mcp.ElicitResult) (string, error) {
	if said == nil || said.Action != "accept" {
		return "", client.ErrDeclined
	}
	choice, there := said.Content[chosen].(string)
	switch {
	case len(q.Choices) == 0 && !q.Text:
		return "", nil
	case choice == "" && (!q.Text || !there):
		return "", client.ErrDeclined
	}
	return choice, nil
}

// answerError says why a question has no answer: the call was cancelled, nobody
// answered in time, or the client refused it.
func answerError(ctx, bounded context.Context) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case bounded.Err() != nil:
		return client.ErrSilent
	}
	return client.ErrUnsupported
}
