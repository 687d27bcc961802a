package stopped

import (
	"context"

	godap "github.com/google/go-dap"

	"aidb-mcp/session/inspect"
)

// maxPreviews is how many objects of a view are looked into for their previews.
const maxPreviews = 6

// fillPreviews shows of objects that do not fit their plain fields first. What
// the adapter does not give stays as it was.
func (p *Program) fillPreviews(ctx context.Context, vars []godap.Variable, shown []Variable) {
	ctx, cancel := context.WithTimeout(ctx, previewLimit)
	defer cancel()
	limit := p.facts.Limits.ValueBytes
	asked := map[int]pendingVariables{}
	refs := map[int]*ref{}
	for i, x := range vars[:len(shown)] {
		if len(asked) == maxPreviews || shown[i].Ref == 0 || !inspect.Cramped(x, limit) {
			continue
		}
		if r, err := p.facts.Values.find(shown[i].Ref); err == nil {
			refs[i] = r
			asked[i] = askVariables(r.program.connection, godap.VariablesArguments{VariablesReference: r.adapter})
		}
	}
	for i, pending := range asked {
		fields, err := pending.wait(ctx)
		if err != nil {
			p.facts.Log.Debug("fields of a value", "name", vars[i].Name, "error", err)
			continue
		}
		fields = p.facts.Dialect.Variables(shown[i].Path, p.resolveProxies(ctx, refs[i], fields))
		if len(fields) > 0 {
			shown[i].Value = inspect.Preview(vars[i], fields, limit)
		}
	}
}
