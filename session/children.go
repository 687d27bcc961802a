package session

import (
	"context"

	godap "github.com/google/go-dap"

	"aidb-mcp/session/inspect"
)

// children fetches a page of a value's children and depth-1 levels below it.
// Budget bounds the values of the whole answer, and thereby cycles and breadth.
func (s *Session) children(ctx context.Context, r *ref, p Page, depth int, budget *int) ([]Variable, int, error) {
	list, total, err := s.fetchPage(ctx, r, p)
	if err != nil {
		return nil, 0, err
	}
	kids := s.toVariables(ctx, r, list, budget)
	s.fillChildren(ctx, kids, p, depth-1, budget)
	return kids, total, nil
}

// toVariables puts children in our words as far as the budget goes.
func (s *Session) toVariables(ctx context.Context, r *ref, list []godap.Variable, budget *int) []Variable {
	var kids []Variable
	for _, x := range list[:min(len(list), max(*budget, 0))] {
		kids = append(kids, s.variable(r.origin, x, s.limits.ValueBytes))
	}
	s.measureLengths(ctx, r.origin, kids)
	*budget -= len(kids)
	return kids
}

// fillChildren fills in the children of values, level by level, all of a level in one
// round trip. What cannot be read stays closed.
func (s *Session) fillChildren(ctx context.Context, vars []Variable, p Page, depth int, budget *int) {
	below := Page{Count: p.Count}
	if depth = min(depth, maxDepth); depth <= 0 {
		return
	}
	asked := make([]pendingVariables, len(vars))
	refs := make([]*ref, len(vars))
	for i, v := range vars {
		if *budget <= 0 || v.Ref == 0 {
			continue
		}
		r, err := s.findReference(v.Ref)
		if err != nil || r.adapter == 0 {
			continue
		}
		if list, ok := s.pageByDialect(ctx, r, below); ok {
			vars[i].Children, vars[i].ChildTotal = s.toVariables(ctx, r, list, budget), r.indexed
			continue
		}
		refs[i] = r
		asked[i] = askVariables(r.still.connection, below.Arguments(r.adapter, r.indexed, s.limits.Children))
	}
	for i, r := range refs {
		if r == nil {
			continue
		}
		raw, err := asked[i].wait(ctx)
		if err != nil {
			s.log.Debug("open value", "path", r.Path, "error", err)
			continue
		}
		raw = s.resolveProxies(ctx, r, raw)
		s.learnCount(r, raw)
		list, total := below.Of(s.dialect().Variables(r.Path, raw), r.indexed, s.limits.Children)
		vars[i].Children, vars[i].ChildTotal = s.toVariables(ctx, r, list, budget), total
	}
	for i := range vars {
		s.fillChildren(ctx, vars[i].Children, p, depth-1, budget)
	}
}

// fetchPage fetches one page of children and the number of all. Adapters that
// cannot page are asked for a slice of the value instead.
func (s *Session) fetchPage(ctx context.Context, r *ref, p Page) ([]godap.Variable, int, error) {
	if start, count := p.Bounds(r.indexed, s.limits.Children); r.indexed > 0 && count == 0 && start > 0 {
		return nil, r.indexed, nil
	}
	if list, ok := s.pageByDialect(ctx, r, p); ok {
		return list, r.indexed, nil
	}
	raw, err := askVariables(r.still.connection, p.Arguments(r.adapter, r.indexed, s.limits.Children)).wait(ctx)
	if err != nil {
		return nil, 0, s.adapterError(ctx, "variables", err)
	}
	raw = s.resolveProxies(ctx, r, raw)
	s.learnCount(r, raw)
	list, total := p.Of(s.dialect().Variables(r.Path, raw), r.indexed, s.limits.Children)
	if r.indexed == 0 || p.Filter != "" {
		return list, total, nil
	}
	start, count := p.Bounds(r.indexed, s.limits.Children)
	if len(list) >= count {
		return list, total, nil
	}
	if more, ok := s.evaluateSlice(ctx, r, start, count); ok {
		return more, total, nil
	}
	return list, total, nil
}

// learnCount takes the number of a value's elements from its children.
func (s *Session) learnCount(r *ref, children []godap.Variable) {
	count := s.capabilities().Values.Count
	if count == nil || r.indexed > 0 {
		return
	}
	if n, known := count(children); known {
		r.indexed = n
	}
}

// wholeList is how many elements an adapter may list that cannot page.
const wholeList = 200

// pageByDialect has the dialect read a page of a long list where the adapter would list
// all of it.
func (s *Session) pageByDialect(ctx context.Context, r *ref, p Page) ([]godap.Variable, bool) {
	page := s.capabilities().Values.Page
	if page == nil || r.indexed <= wholeList || r.Path == "" {
		return nil, false
	}
	start, count := p.Elements(r.indexed, s.limits.Children)
	list, err := page(ctx, r.still.connection, r.frame, r.Path, start, count)
	if err != nil || len(list) == 0 {
		s.log.Debug("page", "path", r.Path, "error", err)
		return nil, false
	}
	return inspect.Filter(s.dialect().Variables(r.Path, list), p.Filter), true
}

// maxHops bounds how many pointers to pointers are followed.
const maxHops = 4

// resolveProxies follows a child that only stands for the value to what it holds.
// Lists are not followed: their pages are counted by their own reference.
func (s *Session) resolveProxies(ctx context.Context, r *ref, list []godap.Variable) []godap.Variable {
	indirect := s.capabilities().Values.Indirect
	for range maxHops {
		if indirect == nil || len(list) != 1 || !indirect(list[0]) || list[0].VariablesReference == 0 || list[0].IndexedVariables > 0 {
			return list
		}
		held, err := askVariables(r.still.connection, godap.VariablesArguments{VariablesReference: list[0].VariablesReference}).wait(ctx)
		if err != nil || len(held) == 0 {
			return list
		}
		list = held
	}
	return list
}

// evaluateSlice evaluates the elements [start,start+count) of a value as a value of its own.
func (s *Session) evaluateSlice(ctx context.Context, r *ref, start, count int) ([]godap.Variable, bool) {
	expr := s.dialect().Range(r.Path, r.Type, start, count)
	if expr == "" || r.Path == "" {
		return nil, false
	}
	body, err := s.ask(ctx, r.origin, expr)
	if err != nil || body.VariablesReference == 0 {
		return nil, false
	}
	list, err := askVariables(r.still.connection, godap.VariablesArguments{VariablesReference: body.VariablesReference}).wait(ctx)
	if err != nil {
		return nil, false
	}
	list = s.dialect().Variables(r.Path, list)
	list = list[:min(count, len(list))]
	inspect.Renumber(list, start)
	return list, true
}
