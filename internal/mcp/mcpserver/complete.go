package mcpserver

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxCompletions is how many values the protocol lets a completion have.
const maxCompletions = 100

// completionHandler completes the arguments of prompts and the variables of templates, with
// the sessions of which a gateway has told. Of what is not known there are no values.
func completionHandler(o Options) func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	return func(ctx context.Context, r *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
		values := []string{}
		ref, argument := r.Params.Ref, r.Params.Argument
		switch {
		case ref.Type == "ref/resource" && o.Resources != nil:
			values = append(values, o.Resources.Complete(ref.URI, argument.Name, argument.Value)...)
		case ref.Type == "ref/prompt" && o.Prompts != nil:
			var given map[string]string
			if r.Params.Context != nil {
				given = r.Params.Context.Arguments
			}
			values = append(values, o.Prompts.Complete(ctx, ref.Name, argument.Name, argument.Value, given)...)
		}
		if argument.Name == "id" || argument.Name == "session_id" {
			for _, s := range elsewhere(r.Params.GetMeta()) {
				if strings.HasPrefix(s.ID, argument.Value) {
					values = append(values, s.ID)
				}
			}
		}
		shown := values[:min(len(values), maxCompletions)]
		return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{
			Values: shown, Total: len(values), HasMore: len(shown) < len(values),
		}}, nil
	}
}
