package stopped

import (
	"context"
	"slices"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/session/inspect"
)

// variable is an adapter's variable, with a reference when there is more to it
// than is shown.
func (p *Program) variable(in origin, x godap.Variable, limit int) Variable {
	v := p.reader().Value(x, limit)
	if x.VariablesReference == 0 && (v.Cut == 0 || v.Path == "") {
		return v
	}
	v.Ref = p.facts.Values.add(&ref{origin: in, Variable: v, adapter: x.VariablesReference, indexed: x.IndexedVariables})
	return v
}

// Variables lists a scope of a frame, filtered and paged; total counts those
// that pass the filter. Depth opens that many levels of each.
func (p *Program) Variables(ctx context.Context, scope Scope, thread, frame int, page Page) (vars []Variable, total int, err error) {
	p, err = p.at(thread)
	if err != nil {
		return nil, 0, err
	}
	if thread == 0 {
		thread = p.Thread()
	}
	f, err := p.Frame(ctx, thread, frame)
	if err != nil {
		return nil, 0, err
	}
	list, err := p.listScope(ctx, scope, thread, frame, f, page.Filter)
	if err != nil {
		return nil, 0, err
	}
	list = inspect.Filter(list, page.Filter)
	total = len(list)
	start := min(max(page.Start, 0), total)
	count := page.Count
	if count <= 0 {
		count = max(p.facts.Limits.Locals, p.facts.Limits.Children)
	}
	in := origin{program: p, frame: f.Id}
	for _, x := range list[start:min(start+count, total)] {
		vars = append(vars, p.variable(in, x, p.facts.Limits.ValueBytes))
	}
	p.measureLengths(ctx, in, vars)
	budget := maxValues - len(vars)
	p.fillChildren(ctx, vars, page, page.Depth, &budget)
	return vars, total, nil
}

// listScope asks for a scope, by the adapter's own way where it has one.
func (p *Program) listScope(ctx context.Context, scope Scope, thread, index int, f godap.StackFrame, filter string) ([]godap.Variable, error) {
	if list, ok, err := p.listByAdapter(ctx, scope, thread, p.adapterIndex(thread, index), filter); ok {
		return list, p.session.Refusal(ctx, fault.Internal, string(scope), err)
	}
	framed := frameRef{thread, p.adapterIndex(thread, index), f.Id}
	var unset <-chan []adapters.Unset
	var declared <-chan map[string]string
	if scope == Locals || scope == Arguments {
		unset, declared = p.askUnset(ctx, framed), p.askDeclared(ctx, framed)
	}
	scopes, err := p.scopes(ctx, f.Id)
	if err != nil {
		return nil, err
	}
	if scope != Arguments {
		if !slices.ContainsFunc(scopes, func(sc godap.Scope) bool { return inspect.Holds(sc, scope) }) {
			if scope == Locals {
				return nil, nil
			}
			return nil, p.unsupportedError("listing "+string(scope), "look at single values with inspect(target: expression)")
		}
		vars, err := p.scopeVariables(ctx, scopes, scope)
		if err != nil || scope != Locals {
			return vars, err
		}
		vars = withDeclared(p.withoutUnset(ctx, framed, vars, unset), declared)
		return p.refresh(ctx, f.Id, vars), nil
	}
	all, err := p.scopeVariables(ctx, scopes, Locals)
	if err != nil {
		return nil, err
	}
	all = withDeclared(p.withoutUnset(ctx, framed, all, unset), declared)
	if arguments := p.facts.Can.Values.Arguments; arguments != nil {
		names, err := arguments(ctx, p.connection, p.connection.AdapterThread(thread), p.adapterIndex(thread, index))
		if err != nil {
			return nil, p.session.Refusal(ctx, fault.Internal, "arguments", err)
		}
		all = slices.DeleteFunc(all, func(x godap.Variable) bool { return !slices.Contains(names, x.Name) })
		slices.SortStableFunc(all, func(x, y godap.Variable) int { return slices.Index(names, x.Name) - slices.Index(names, y.Name) })
		inspect.MarkArguments(all)
		return all, nil
	}
	return slices.DeleteFunc(all, func(x godap.Variable) bool { return !inspect.IsArgument(x) }), nil
}

// Expand opens a reference given out at this stop: its children from page.Start
// on, or, for a long text, the piece from there. Errors: STALE_REFERENCE.
func (p *Program) Expand(ctx context.Context, n int, page Page) (Variable, error) {
	p, err := p.at(0)
	if err != nil {
		return Variable{}, err
	}
	r, err := p.facts.Values.find(n)
	if err != nil {
		return Variable{}, err
	}
	v := r.Variable
	v.Ref = n
	if r.adapter == 0 {
		return p.readPart(ctx, r.origin, v, page)
	}
	budget := maxValues
	v.Children, v.ChildTotal, err = p.children(ctx, r, page, max(page.Depth, 1), &budget)
	if err != nil {
		return Variable{}, err
	}
	return v, nil
}
