package stopped

import (
	"context"

	godap "github.com/google/go-dap"

	"aidb-mcp/internal/fault"
	"aidb-mcp/session/inspect"
)

// children fetches a page of a value's children and depth-1 levels below it.
// Budget bounds the values of the whole answer, and thereby cycles and breadth.
func (p *Program) children(ctx context.Context, r *ref, page Page, depth int, budget *int) ([]Variable, int, error) {
	list, total, err := p.fetchPage(ctx, r, page)
	if err != nil {
		return nil, 0, err
	}
	kids := p.toVariables(ctx, r, list, budget)
	p.fillChildren(ctx, kids, page, depth-1, budget)
	return kids, total, nil
}

// toVariables puts children in our words as far as the budget goes.
func (p *Program) toVariables(ctx context.Context, r *ref, list []godap.Variable, budget *int) []Variable {
	var kids []Variable
	if declared := p.facts.Can.Values.DeclaredParts; declared != nil && r.Path != "" {
		declared(ctx, r.program.connection, r.frame, r.Path, nil, list)
	}
	for _, x := range list[:min(len(list), max(*budget, 0))] {
		kids = append(kids, p.variable(r.origin, x, p.facts.Limits.ValueBytes))
	}
	p.measureLengths(ctx, r.origin, kids)
	*budget -= len(kids)
	return kids
}

// fillChildren fills in the children of values, level by level, all of a level in one
// round trip. What cannot be read stays closed.
func (p *Program) fillChildren(ctx context.Context, vars []Variable, page Page, depth int, budget *int) {
	below := Page{Count: page.Count}
	if depth = min(depth, maxDepth); depth <= 0 {
		return
	}
	asked := make([]pendingVariables, len(vars))
	refs := make([]*ref, len(vars))
	for i, v := range vars {
		if *budget <= 0 || v.Ref == 0 {
			continue
		}
		r, err := p.facts.Values.find(v.Ref)
		if err != nil || r.adapter == 0 {
			continue
		}
		if list, ok := p.pageByDialect(ctx, r, below); ok {
			vars[i].Children, vars[i].ChildTotal = p.toVariables(ctx, r, list, budget), r.indexed
			continue
		}
		refs[i] = r
		asked[i] = askVariables(r.program.connection, below.Arguments(r.adapter, r.indexed, p.facts.Limits.Children))
	}
	for i, r := range refs {
		if r == nil {
			continue
		}
		raw, err := asked[i].wait(ctx)
		if err != nil {
			p.facts.Log.Debug("open value", "path", r.Path, "error", err)
			continue
		}
		raw = p.resolveProxies(ctx, r, raw)
		p.learnCount(r, raw)
		list, total := below.Of(p.facts.Dialect.Variables(r.Path, raw), r.indexed, p.facts.Limits.Children)
		vars[i].Children, vars[i].ChildTotal = p.toVariables(ctx, r, list, budget), total
	}
	for i := range vars {
		p.fillChildren(ctx, vars[i].Children, page, depth-1, budget)
	}
}

// fetchPage fetches one page of children and the number of all. Adapters that
// cannot page are asked for a slice of the value instead.
func (p *Program) fetchPage(ctx context.Context, r *ref, page Page) ([]godap.Variable, int, error) {
	if start, count := page.Bounds(r.indexed, p.facts.Limits.Children); r.indexed > 0 && count == 0 && start > 0 {
		return nil, r.indexed, nil
	}
	if list, ok := p.pageByDialect(ctx, r, page); ok {
		return list, r.indexed, nil
	}
	raw, err := askVariables(r.program.connection, page.Arguments(r.adapter, r.indexed, p.facts.Limits.Children)).wait(ctx)
	if err != nil {
		return nil, 0, p.session.Refusal(ctx, fault.Internal, "variables", err)
	}
	raw = p.resolveProxies(ctx, r, raw)
	p.learnCount(r, raw)
	list, total := page.Of(p.facts.Dialect.Variables(r.Path, raw), r.indexed, p.facts.Limits.Children)
	if r.indexed == 0 || page.Filter != "" {
		return list, total, nil
	}
	start, count := page.Bounds(r.indexed, p.facts.Limits.Children)
	if len(list) >= count {
		return list, total, nil
	}
	if more, ok := p.evaluateSlice(ctx, r, start, count); ok {
		return more, total, nil
	}
	return list, total, nil
}

// learnCount takes the number of a value's elements from its children.
func (p *Program) learnCount(r *ref, children []godap.Variable) {
	count := p.facts.Can.Values.Count
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
func (p *Program) pageByDialect(ctx context.Context, r *ref, page Page) ([]godap.Variable, bool) {
	read := p.facts.Can.Values.Page
	if read == nil || r.indexed <= wholeList || r.Path == "" {
		return nil, false
	}
	start, count := page.Elements(r.indexed, p.facts.Limits.Children)
	list, err := read(ctx, r.program.connection, r.frame, r.Path, start, count)
	if err != nil || len(list) == 0 {
		p.facts.Log.Debug("page", "path", r.Path, "error", err)
		return nil, false
	}
	return inspect.Filter(p.facts.Dialect.Variables(r.Path, list), page.Filter), true
}

// maxHops bounds how many pointers to pointers are followed.
const maxHops = 4

// resolveProxies follows a child that only stands for the value to what it holds.
// Lists are not followed: their pages are counted by their own reference.
func (p *Program) resolveProxies(ctx context.Context, r *ref, list []godap.Variable) []godap.Variable {
	indirect := p.facts.Can.Values.Indirect
	for range maxHops {
		if indirect == nil || len(list) != 1 || !indirect(list[0]) || list[0].VariablesReference == 0 || list[0].IndexedVariables > 0 {
			return list
		}
		held, err := askVariables(r.program.connection, godap.VariablesArguments{VariablesReference: list[0].VariablesReference}).wait(ctx)
		if err != nil || len(held) == 0 {
			return list
		}
		list = held
	}
	return list
}

// evaluateSlice evaluates the elements [start,start+count) of a value as a value of its own.
func (p *Program) evaluateSlice(ctx context.Context, r *ref, start, count int) ([]godap.Variable, bool) {
	expr := p.facts.Dialect.Range(r.Path, r.Type, start, count)
	if expr == "" || r.Path == "" {
		return nil, false
	}
	body, err := p.ask(ctx, r.origin, expr)
	if err != nil || body.VariablesReference == 0 {
		return nil, false
	}
	list, err := askVariables(r.program.connection, godap.VariablesArguments{VariablesReference: body.VariablesReference}).wait(ctx)
	if err != nil {
		return nil, false
	}
	list = p.facts.Dialect.Variables(r.Path, list)
	list = list[:min(count, len(list))]
	inspect.Renumber(list, start)
	return list, true
}
