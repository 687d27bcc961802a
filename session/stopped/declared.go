package stopped

import (
	"context"

	godap "github.com/google/go-dap"
)

// askDeclared asks for the types of a frame's variables as their source has them, while they are
// read; the answer comes once. It is nil where the adapter's own types are those.
func (p *Program) askDeclared(ctx context.Context, in frameRef) <-chan map[string]string {
	ask := p.facts.Can.Values.Declared
	if ask == nil {
		return nil
	}
	answer := make(chan map[string]string, 1) // nobody may take it
	// It owns the question, and ends with its answer or ctx.
	go func() {
		types, err := ask(ctx, p.connection, p.connection.AdapterThread(in.thread), in.rank)
		if err != nil {
			p.facts.Log.Debug("the declared types of variables", "error", err)
		}
		answer <- types
	}()
	return answer
}

// withDeclared gives variables the types that their source has.
func withDeclared(vars []godap.Variable, asked <-chan map[string]string) []godap.Variable {
	if asked == nil {
		return vars
	}
	types := <-asked
	for i, v := range vars {
		if declared := types[v.Name]; declared != "" {
			vars[i].Type = declared
		}
	}
	return vars
}
