package stopped

import (
	"context"
	"fmt"
	"slices"

	godap "github.com/google/go-dap"

	"aidb-mcp/dap"
	"aidb-mcp/internal/fault"
	"aidb-mcp/session/inspect"
)

// View is what one looks at first, fetched in as few round trips as possible.
type View struct {
	Frame       *Frame // the user's frame that locals speak of
	Top         *Frame // the real top frame, when it is not Frame
	Stack       []Frame
	StackTotal  int // 0 when unknown
	Locals      []Variable
	LocalsTotal int
	Unread      Unread
	Changed     []Change // since the last stop in this frame
	SameFrame   bool     // the last stop was in this very frame, so Changed is meaningful
	Exception   *Exception
	Returned    []Variable
	Warnings    []string // "optimized function: variables may be wrong or missing"
}

// Unread is a part of a view that the adapter did not give; of the stack, the
// locals are missing too.
type Unread struct {
	What string // stack or locals; empty when all is there
	Why  string
}

// View looks at the program, and moves the tracker of changed variables on. At a
// plain stop it asks for the stack, the scopes and the variables, and nothing else.
func (p *Program) View(ctx context.Context) (v View, err error) {
	if p.none != nil || !p.session.IsCurrent() {
		return v, p.Err()
	}
	asked := p.askException()
	st, err := p.chooseThread(ctx)
	if isException(p.event.Reason) {
		v.Exception = p.exceptionOf(ctx, asked)
	}
	if err != nil {
		return v, p.noteUnread(ctx, &v, "stack", err)
	}
	p.fillStack(&v, st)
	if len(st.Frames) == 0 {
		return v, nil
	}
	user := st.Frames[min(st.Hidden, len(st.Frames)-1)]
	if err := p.fillLocals(ctx, st, user, &v); err != nil {
		return v, p.noteUnread(ctx, &v, "locals", err)
	}
	p.fillReturned(ctx, &v)
	return v, nil
}

// noteUnread notes a part of the view that the adapter did not give: what is known
// without it is shown all the same.
func (p *Program) noteUnread(ctx context.Context, v *View, what string, err error) error {
	if ctx.Err() != nil || !p.session.IsCurrent() {
		return err
	}
	v.Unread = Unread{What: what, Why: dap.Reason(err)}
	return nil
}

func (p *Program) fillStack(v *View, st inspect.Stack) {
	if st.Complete {
		v.StackTotal = len(st.Frames) - st.Hidden
	}
	for i, f := range st.Frames {
		if len(v.Stack) == p.facts.Limits.StackPage {
			break
		}
		if i >= st.Hidden {
			v.Stack = append(v.Stack, p.reader().Frame(i-st.Hidden, f))
		}
	}
	if len(v.Stack) == 0 {
		return
	}
	v.Frame = &v.Stack[0]
	if st.Hidden > 0 {
		top := p.reader().Frame(-st.Hidden, st.Frames[0])
		v.Top = &top
	}
}

func (p *Program) fillLocals(ctx context.Context, st inspect.Stack, frame godap.StackFrame, v *View) error {
	thread := p.Thread()
	framed := frameRef{thread, st.Hidden, frame.Id}
	unset, declared := p.askUnset(ctx, framed), p.askDeclared(ctx, framed)
	scopes, err := p.scopes(ctx, frame.Id)
	if fault.Is(err, fault.AdapterTimeout) {
		return err
	}
	if err != nil {
		p.facts.Log.Debug("no scopes", "error", err)
		return nil // frames without debug information have none
	}
	v.Warnings = append(v.Warnings, inspect.ScopeWarnings(scopes)...)
	vars, err := p.scopeVariables(ctx, scopes, Locals)
	if err != nil {
		return err
	}
	vars = withDeclared(p.withoutUnset(ctx, framed, vars, unset), declared)
	in := origin{program: p, frame: frame.Id}
	vars = p.extractReturn(in, frame, vars, v)
	v.LocalsTotal = len(vars)
	key := st.Key(thread)
	values := make(map[string]string, len(vars))
	for _, x := range vars {
		values[x.Name] = x.Value
	}
	v.Changed, v.SameFrame = p.facts.Tracker.Compare(key, values)
	p.facts.Tracker.Record(p.visitOf(v, values), p.facts.Limits.Locals, p.facts.Limits.ValueBytes)
	for _, x := range vars[:min(len(vars), p.facts.Limits.Locals)] {
		v.Locals = append(v.Locals, p.variable(in, x, p.facts.Limits.ValueBytes))
	}
	p.measureLengths(ctx, in, v.Locals)
	p.fillPreviews(ctx, vars, v.Locals)
	for i := range v.Changed {
		v.Changed[i].Old, _ = inspect.Cut(v.Changed[i].Old, p.facts.Limits.ValueBytes)
		v.Changed[i].New, _ = inspect.Cut(v.Changed[i].New, p.facts.Limits.ValueBytes)
	}
	return nil
}

// extractReturn tells what a function that stands at its return is about to give
// back from its locals, where the adapter lists it among them.
func (p *Program) extractReturn(in origin, frame godap.StackFrame, vars []godap.Variable, v *View) []godap.Variable {
	name := p.facts.Can.Values.ReturnLocal
	at := slices.IndexFunc(vars, func(x godap.Variable) bool { return name != "" && x.Name == name })
	if at < 0 {
		return vars
	}
	returned := vars[at]
	if !p.event.AfterOut { // after a step out it would be taken for what the function that was left gave
		returned.Name = frame.Name
		v.Returned = append(v.Returned, p.variable(in, returned, p.facts.Limits.ValueBytes))
	}
	return slices.Delete(slices.Clone(vars), at, at+1)
}

// fillReturned adds what a function that was stepped out of gave back.
func (p *Program) fillReturned(ctx context.Context, v *View) {
	returned := p.facts.Can.Values.Returned
	if !p.event.SteppedOut || returned == nil {
		return
	}
	thread := p.Thread()
	vars, err := returned(ctx, p.connection, p.connection.AdapterThread(thread))
	if err != nil {
		p.facts.Log.Debug("returned values", "error", err)
	}
	in := origin{program: p}
	for _, x := range vars {
		v.Returned = append(v.Returned, p.variable(in, x, p.facts.Limits.ValueBytes))
	}
}

// scopes of a frame.
func (p *Program) scopes(ctx context.Context, frame int) ([]godap.Scope, error) {
	var body godap.ScopesResponseBody
	if err := p.connection.Call(ctx, "scopes", godap.ScopesArguments{FrameId: frame}, &body); err != nil {
		return nil, p.session.Refusal(ctx, fault.Internal, "scopes", err)
	}
	if scopes := p.facts.Can.Values.Scopes; scopes != nil {
		return scopes(body.Scopes), nil
	}
	return body.Scopes, nil
}

// scopeVariables fetches the variables of all scopes of a kind at once.
func (p *Program) scopeVariables(ctx context.Context, scopes []godap.Scope, kind Scope) ([]godap.Variable, error) {
	var picked []godap.Scope
	for _, sc := range scopes {
		if inspect.Holds(sc, kind) {
			picked = append(picked, sc)
		}
	}
	pending := make([]pendingVariables, len(picked))
	for i, sc := range picked {
		pending[i] = askVariables(p.connection, godap.VariablesArguments{VariablesReference: sc.VariablesReference})
	}
	var vars []godap.Variable
	for i, asked := range pending {
		list, err := asked.wait(ctx)
		if err != nil {
			return nil, p.session.Refusal(ctx, fault.Internal, "variables", err)
		}
		list = p.facts.Dialect.Variables(picked[i].Name, list)
		if inspect.HoldsArguments(picked[i]) {
			inspect.MarkArguments(list)
		}
		vars = append(vars, list...)
	}
	return vars, nil
}

// visitOf is what a view shows of its frame.
func (p *Program) visitOf(v *View, values map[string]string) inspect.Visit {
	visit := inspect.Visit{Stop: p.event.Number, Values: values, Changed: v.Changed, Same: v.SameFrame}
	if v.Frame != nil {
		visit.Where = fmt.Sprintf("%s:%d", p.facts.Rel(v.Frame.File), v.Frame.Line)
	}
	return visit
}
