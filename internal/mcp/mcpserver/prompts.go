package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/project/source"
	"aidb-mcp/prompts"
)

// Prompts are texts that a person picks to set an agent to work.
type Prompts interface {
	List() []prompts.Prompt
	// Get fills a prompt in. An error is about the arguments.
	Get(ctx context.Context, name string, args map[string]string) (prompts.Text, error)
	// Complete are values for an argument; given are those that are filled in already.
	Complete(ctx context.Context, name, argument, typed string, given map[string]string) []string
}

// addPrompts registers the prompts.
func addPrompts(server *mcp.Server, p Prompts) {
	for _, x := range p.List() {
		prompt := &mcp.Prompt{Name: x.Name, Title: x.Title, Description: x.Description}
		for _, a := range x.Arguments {
			prompt.Arguments = append(prompt.Arguments, &mcp.PromptArgument{Name: a.Name, Description: a.Description, Required: a.Required})
		}
		server.AddPrompt(prompt, func(ctx context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			text, err := p.Get(ctx, x.Name, r.Params.Arguments)
			if err != nil {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
			}
			return &mcp.GetPromptResult{
				Description: text.Description,
				Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text.Text}}},
			}, nil
		})
	}
}

// promptMiddleware refuses a prompt that is not there with what was perhaps meant.
func promptMiddleware(p Prompts) mcp.Middleware {
	var names []string
	for _, x := range p.List() {
		names = append(names, x.Name)
	}
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			get, ok := req.(*mcp.GetPromptRequest)
			if !ok || get.Params == nil {
				return next(ctx, method, req)
			}
			if slices.Contains(names, get.Params.Name) {
				return next(ctx, method, req)
			}
			hint := "the prompts are " + strings.Join(names, ", ")
			if meant := source.Closest(get.Params.Name, names, 1); len(meant) > 0 {
				hint = "did you mean " + meant[0] + "?"
			}
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("unknown prompt %q: %s", shorten(get.Params.Name), hint)}
		}
	}
}
