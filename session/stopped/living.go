package stopped

import (
	"context"
	"slices"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
)

// frameRef is a frame as an adapter is asked about it: by its rank from the very top of
// its thread, and by the adapter's own number.
type frameRef struct{ thread, rank, id int }

// askUnset asks which locals of a frame have no value yet, while they are read; the answer
// comes once. It is nil where the adapter does not tell.
func (p *Program) askUnset(ctx context.Context, in frameRef) <-chan []adapters.Unset {
	ask := p.facts.Can.Values.Unset
	if ask == nil {
		return nil
	}
	answer := make(chan []adapters.Unset, 1) // nobody may take it
	// It owns the question, and ends with its answer or ctx.
	go func() {
		unset, err := ask(ctx, p.connection, p.connection.AdapterThread(in.thread), in.rank)
		if err != nil {
			p.facts.Log.Debug("which locals have no value yet", "error", err)
		}
		answer <- unset
	}()
	return answer
}

// withoutUnset leaves out of a frame's locals those that have no value yet, where the adapter
// lists them all the same, and shows in the place of one the other of the same name that
// is meant there.
func (p *Program) withoutUnset(ctx context.Context, in frameRef, vars []godap.Variable, asked <-chan []adapters.Unset) []godap.Variable {
	if asked == nil {
		return vars
	}
	unset := <-asked
	if len(unset) == 0 {
		return vars
	}
	vars = slices.DeleteFunc(vars, func(x godap.Variable) bool {
		return slices.ContainsFunc(unset, func(u adapters.Unset) bool {
			return x.Name == u.Label || x.Name == u.Name && u.Why == "" && !u.Shadows
		})
	})
	for i := range vars {
		if at := slices.IndexFunc(unset, func(u adapters.Unset) bool { return u.Name == vars[i].Name && u.Why != "" }); at >= 0 {
			vars[i].Value, vars[i].VariablesReference = "<"+unset[at].Why+">", 0
		}
	}
	return p.reevaluate(ctx, in.id, vars, func(x godap.Variable) bool {
		return slices.ContainsFunc(unset, func(u adapters.Unset) bool { return u.Name == x.Name && u.Shadows })
	})
}
