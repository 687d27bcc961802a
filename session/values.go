package session

import (
	"context"
	"slices"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/dap"
	"aidb-mcp/internal/fault"
	"aidb-mcp/session/inspect"
)

// origin is where a value was seen: the stop, and the frame that its path is
// good in (0: the current thread's top).
type origin struct {
	still  *stopPoint
	thread int
	frame  int // the adapter's frame id
}

// ref is a value that was given out to be opened further.
type ref struct {
	origin
	Variable
	adapter int // the adapter's reference; 0 for a long text
	indexed int // elements, which can be paged
}

// references are our numbers for values. They are never used twice, so that a
// stale one is told from an unknown one; expire replaces the maps, as a refused
// resume brings the old ones back. The session's mu guards them.
type references struct {
	next int
	live map[int]*ref
	dead map[int]string // path of those that died last
}

func (r *references) add(v *ref) int {
	if r.live == nil {
		r.live = map[int]*ref{}
	}
	r.next++
	r.live[r.next] = v
	return r.next
}

func (r *references) expire() {
	if len(r.live) == 0 {
		return
	}
	dead := make(map[int]string, len(r.live))
	for n, v := range r.live {
		dead[n] = v.Path
	}
	r.live, r.dead = nil, dead
}

// findReference finds an open value.
func (s *Session) findReference(n int) (*ref, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.refs.live[n]; r != nil {
		return r, nil
	}
	if s.now.Status == Terminated {
		return nil, s.endedError()
	}
	if n < 1 || n > s.refs.next {
		return nil, fault.New(fault.StaleReference, "reference %d was never given out", n).
			WithHint("take a ref from a reply at this stop, or open the value by its expression: inspect(target: expression)").
			WithField("ref")
	}
	err := fault.New(fault.StaleReference, "reference %d died when the program went on", n).WithField("ref")
	if path := s.refs.dead[n]; path != "" {
		return nil, err.WithHint("ask by expression, which survives: inspect(target: expression, expression: %q)", path)
	}
	return nil, err.WithHint("take a new one from a reply at this stop, or ask by expression")
}

// reader reads what the adapter of this run sends.
func (s *Session) reader() inspect.Reader {
	return inspect.Reader{Dialect: s.dialect(), Values: s.capabilities().Values}
}

// variable is an adapter's variable, with a reference when there is more to it
// than is shown.
func (s *Session) variable(in origin, x godap.Variable, limit int) Variable {
	v := s.reader().Value(x, limit)
	if x.VariablesReference == 0 && (v.Cut == 0 || v.Path == "") {
		return v
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if in.still.isCurrent(s) {
		v.Ref = s.refs.add(&ref{origin: in, Variable: v, adapter: x.VariablesReference, indexed: x.IndexedVariables})
	}
	return v
}

// pendingVariables is a variables request under way.
type pendingVariables struct{ *dap.Pending }

func askVariables(k *connection, args godap.VariablesArguments) pendingVariables {
	return pendingVariables{k.Send("variables", args)}
}

func (p pendingVariables) wait(ctx context.Context) ([]godap.Variable, error) {
	var body godap.VariablesResponseBody
	err := p.Wait(ctx, &body)
	return body.Variables, err
}

// Variables lists a scope of a frame, filtered and paged; total counts those
// that pass the filter. Depth opens that many levels of each.
func (s *Session) Variables(ctx context.Context, scope Scope, thread, frame int, p Page) (vars []Variable, total int, err error) {
	still, err := s.stopFor(thread)
	if err != nil {
		return nil, 0, err
	}
	if thread == 0 {
		thread = s.currentThread(still)
	}
	f, err := s.adapterFrame(ctx, thread, frame)
	if err != nil {
		return nil, 0, err
	}
	list, err := s.listScope(ctx, still, scope, thread, frame, f, p.Filter)
	if err != nil {
		return nil, 0, err
	}
	list = inspect.Filter(list, p.Filter)
	total = len(list)
	start := min(max(p.Start, 0), total)
	count := p.Count
	if count <= 0 {
		count = max(s.limits.Locals, s.limits.Children)
	}
	in := origin{still: still, thread: thread, frame: f.Id}
	for _, x := range list[start:min(start+count, total)] {
		vars = append(vars, s.variable(in, x, s.limits.ValueBytes))
	}
	s.measureLengths(ctx, in, vars)
	budget := maxValues - len(vars)
	s.fillChildren(ctx, vars, p, p.Depth, &budget)
	return vars, total, nil
}

// listScope asks for a scope, by the adapter's own way where it has one.
func (s *Session) listScope(ctx context.Context, still *stopPoint, scope Scope, thread, index int, f godap.StackFrame, filter string) ([]godap.Variable, error) {
	if list, ok, err := s.listByAdapter(ctx, still, scope, thread, s.adapterIndex(still, thread, index), filter); ok {
		return list, s.adapterError(ctx, string(scope), err)
	}
	framed := frameRef{thread, s.adapterIndex(still, thread, index), f.Id}
	var unset <-chan []adapters.Unset
	if scope == Locals || scope == Arguments {
		unset = s.askUnset(ctx, still, framed)
	}
	scopes, err := s.scopes(ctx, still, f.Id)
	if err != nil {
		return nil, err
	}
	if scope != Arguments {
		if !slices.ContainsFunc(scopes, func(sc godap.Scope) bool { return inspect.Holds(sc, scope) }) {
			if scope == Locals {
				return nil, nil
			}
			return nil, s.unsupportedError("listing "+string(scope), "look at single values with inspect(target: expression)")
		}
		vars, err := s.scopeVariables(ctx, still, scopes, scope)
		if err != nil || scope != Locals {
			return vars, err
		}
		vars = s.withoutUnset(ctx, still, framed, vars, unset)
		return s.refresh(ctx, still, f.Id, vars), nil
	}
	all, err := s.scopeVariables(ctx, still, scopes, Locals)
	if err != nil {
		return nil, err
	}
	all = s.withoutUnset(ctx, still, framed, all, unset)
	if arguments := s.capabilities().Values.Arguments; arguments != nil {
		names, err := arguments(ctx, still.connection, still.connection.adapterThread(thread), s.adapterIndex(still, thread, index))
		if err != nil {
			return nil, s.adapterError(ctx, "arguments", err)
		}
		all = slices.DeleteFunc(all, func(x godap.Variable) bool { return !slices.Contains(names, x.Name) })
		slices.SortStableFunc(all, func(x, y godap.Variable) int { return slices.Index(names, x.Name) - slices.Index(names, y.Name) })
		inspect.MarkArguments(all)
		return all, nil
	}
	return slices.DeleteFunc(all, func(x godap.Variable) bool { return !inspect.IsArgument(x) }), nil
}

// Expand opens a reference given out at this stop: its children from p.Start
// on, or, for a long text, the piece from there. Errors: STALE_REFERENCE.
func (s *Session) Expand(ctx context.Context, n int, p Page) (Variable, error) {
	r, err := s.findReference(n)
	if err != nil {
		return Variable{}, err
	}
	v := r.Variable
	v.Ref = n
	if r.adapter == 0 {
		return s.readPart(ctx, r.origin, v, p)
	}
	budget := maxValues
	v.Children, v.ChildTotal, err = s.children(ctx, r, p, max(p.Depth, 1), &budget)
	if err != nil {
		return Variable{}, err
	}
	return v, nil
}
