package session

import (
	"context"

	godap "github.com/google/go-dap"

	"aidb-mcp/session/inspect"
)

// maxPreviews is how many objects of a view are looked into for their previews.
const maxPreviews = 6

// fillPreviews shows of objects that do not fit their plain fields first. What
// the adapter does not give stays as it was.
func (s *Session) fillPreviews(ctx context.Context, vars []godap.Variable, shown []Variable) {
	ctx, cancel := context.WithTimeout(ctx, explainLimit)
	defer cancel()
	limit := s.limits.ValueBytes
	asked := map[int]pendingVariables{}
	refs := map[int]*ref{}
	for i, x := range vars[:len(shown)] {
		if len(asked) == maxPreviews || shown[i].Ref == 0 || !inspect.Cramped(x, limit) {
			continue
		}
		if r, err := s.findReference(shown[i].Ref); err == nil {
			refs[i] = r
			asked[i] = askVariables(r.still.connection, godap.VariablesArguments{VariablesReference: r.adapter})
		}
	}
	for i, pending := range asked {
		fields, err := pending.wait(ctx)
		if err != nil {
			s.log.Debug("fields of a value", "name", vars[i].Name, "error", err)
			continue
		}
		fields = s.dialect().Variables(shown[i].Path, s.resolveProxies(ctx, refs[i], fields))
		if len(fields) > 0 {
			shown[i].Value = inspect.Preview(vars[i], fields, limit)
		}
	}
}
