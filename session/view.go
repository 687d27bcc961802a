package session

import (
	"context"
	"slices"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/session/output"
)

// View fetches the stop view. It takes the output (see TakeOutput) and moves
// the tracker of changed variables on. At a plain stop it asks for the stack,
// the scopes and the variables, and nothing else.
func (s *Session) View(ctx context.Context) (*View, error) {
	v, err := s.ViewWithoutOutput(ctx)
	if err == nil {
		v.Output = s.TakeOutput(s.limits.OutputReply)
	}
	return v, err
}

// ViewWithoutOutput is View that leaves the output to a later reply.
func (s *Session) ViewWithoutOutput(ctx context.Context) (*View, error) {
	v := &View{}
	s.mu.Lock()
	still := s.still
	s.mu.Unlock()
	if still != nil {
		if err := s.look(ctx, still, v); err != nil && s.stands(still) {
			return nil, err
		}
	}
	v.AwaitsInput = s.AwaitsInput()
	s.mu.Lock()
	defer s.mu.Unlock()
	v.State = s.snapshot()
	if s.life != nil {
		v.Warnings = append(v.Warnings, s.life.warnings...)
		s.life.warnings = nil
	}
	if v.State.Status == Terminated {
		v.NoTestRan, v.NearTests = s.ranNoTest()
		v.WereHit = s.breakpoints.Find(func(b Breakpoint) bool { return b.Hits > 0 })
		v.NeverHit = s.breakpoints.Find(func(b Breakpoint) bool { return b.Hits == 0 && b.Enabled && s.countable(b) })
	}
	for _, b := range s.breakpoints.News() {
		if !slices.ContainsFunc(v.NeverHit, func(n Breakpoint) bool { return n.ID == b.ID }) {
			v.Breakpoints = append(v.Breakpoints, b)
		}
	}
	return v, nil
}

// ranNoTest says that the program was a run of tests that had none to run, and
// which are like those that were asked for; mu is held.
func (s *Session) ranNoTest() (none bool, near []string) {
	if s.life == nil || s.life.plan == nil || s.now.Signal != "" {
		return false, nil
	}
	var run adapters.TestRun
	known := false
	switch d := s.life.plan.Dialect.(type) {
	case adapters.TestCounter:
		run, known = d.TestsRun()
	case adapters.TestReader:
		run, known = d.TestsPrinted(func(stream, text string) int {
			return s.out.Read(stream, output.Page{Filter: text}).Total
		})
	}
	return known && run.Ran == 0, run.Near
}

// countable says that no hits means that it was never reached: log messages
// that the adapter prints itself are only counted where its output tells them
// from the program's; mu is held.
func (s *Session) countable(b Breakpoint) bool {
	return b.LogMessage == "" || b.Supplied || s.life.plan != nil && s.life.plan.Streams != nil
}

func (s *Session) stands(still *standstill) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return still.holds(s)
}

// look fills in what a program that stands still shows.
func (s *Session) look(ctx context.Context, still *standstill, v *View) error {
	asked := s.askException(still)
	st, err := s.settleThread(ctx, still)
	if err != nil {
		return s.unread(ctx, still, v, "stack", err)
	}
	if excepted(still.stop.Reason) {
		v.Exception = s.exceptionOf(ctx, still, asked)
	}
	s.fillStack(v, st)
	if len(st.frames) == 0 {
		return nil
	}
	s.attribute(still, st)
	user := st.frames[min(st.hidden, len(st.frames)-1)]
	if err := s.fillLocals(ctx, still, st, user, v); err != nil {
		return s.unread(ctx, still, v, "locals", err)
	}
	s.fillReturned(ctx, still, v)
	s.shown(ctx, v)
	return nil
}

// unread notes a part of the view that the adapter did not give: what is known
// without it is shown all the same.
func (s *Session) unread(ctx context.Context, still *standstill, v *View, what string, err error) error {
	if ctx.Err() != nil || !s.stands(still) {
		return err
	}
	v.Unread = Unread{What: what, Why: reason(err)}
	return nil
}

func (s *Session) fillStack(v *View, st stack) {
	if st.complete {
		v.StackTotal = len(st.frames) - st.hidden
	}
	for i, f := range st.frames {
		if len(v.Stack) == s.limits.StackPage {
			break
		}
		if i >= st.hidden {
			v.Stack = append(v.Stack, s.frame(i-st.hidden, f))
		}
	}
	if len(v.Stack) == 0 {
		return
	}
	v.Frame = &v.Stack[0]
	if st.hidden > 0 {
		top := s.frame(-st.hidden, st.frames[0])
		v.Top = &top
	}
	if v.Frame.File != "" {
		s.mu.Lock()
		s.file = v.Frame.File
		s.mu.Unlock()
	}
}

// attribute names the breakpoint of a stop that came without ids, by its place.
func (s *Session) attribute(still *standstill, st stack) {
	top := st.frames[0]
	s.mu.Lock()
	defer s.mu.Unlock()
	if !still.holds(s) || still.placed || s.now.Status != StoppedBreakpoint || len(s.now.Hit) > 0 || len(still.stop.Hit) > 0 || top.Source == nil {
		return
	}
	s.now.Hit = s.breakpoints.Attribute(top.Source.Path, top.Line)
}

func (s *Session) fillLocals(ctx context.Context, still *standstill, st stack, frame godap.StackFrame, v *View) error {
	scopes, err := s.scopes(ctx, still, frame.Id)
	if fault.Is(err, fault.AdapterTimeout) {
		return err
	}
	if err != nil {
		s.log.Debug("no scopes", "error", err)
		return nil // frames without debug information have none
	}
	v.Warnings = append(v.Warnings, scopeWarnings(scopes)...)
	vars, err := s.scopeVariables(ctx, still, scopes, Locals)
	if err != nil {
		return err
	}
	v.LocalsTotal = len(vars)
	thread := s.current(still)
	key := frameKey(thread, st)
	values := make(map[string]string, len(vars))
	for _, x := range vars {
		values[x.Name] = x.Value
	}
	s.mu.Lock()
	v.Changed, v.SameFrame = s.tracker.see(key, values)
	s.recordSeen(v, values)
	s.mu.Unlock()
	in := origin{still: still, thread: thread, frame: frame.Id}
	for _, x := range vars[:min(len(vars), s.limits.Locals)] {
		v.Locals = append(v.Locals, s.variable(in, x, s.limits.ValueBytes))
	}
	for i := range v.Changed {
		v.Changed[i].Old, _ = cutValue(v.Changed[i].Old, s.limits.ValueBytes)
		v.Changed[i].New, _ = cutValue(v.Changed[i].New, s.limits.ValueBytes)
	}
	return nil
}

// fillReturned adds what a function that was stepped out of gave back.
func (s *Session) fillReturned(ctx context.Context, still *standstill, v *View) {
	s.mu.Lock()
	out := s.now.motion == moveOut && s.now.Status == StoppedStep
	s.mu.Unlock()
	reader, ok := s.dialect().(adapters.ReturnReader)
	if !out || !ok {
		return
	}
	thread := s.current(still)
	vars, err := reader.Returned(ctx, still.link, still.link.theirs(thread))
	if err != nil {
		s.log.Debug("returned values", "error", err)
	}
	in := origin{still: still, thread: thread}
	for _, x := range vars {
		v.Returned = append(v.Returned, s.variable(in, x, s.limits.ValueBytes))
	}
}

// scopeWarnings passes on what adapters put into a scope's name: "Locals (warning: optimized function)".
func scopeWarnings(scopes []godap.Scope) []string {
	for _, sc := range scopes {
		if _, warning, ok := strings.Cut(sc.Name, "(warning: "); ok {
			return []string{strings.TrimSuffix(warning, ")") + ": variables may be wrong or missing"}
		}
	}
	return nil
}

// scopes of a frame.
func (s *Session) scopes(ctx context.Context, still *standstill, frame int) ([]godap.Scope, error) {
	var body godap.ScopesResponseBody
	if err := still.link.Call(ctx, "scopes", godap.ScopesArguments{FrameId: frame}, &body); err != nil {
		return nil, s.adapterError(ctx, "scopes", err)
	}
	if d, ok := s.dialect().(adapters.ScopeTidier); ok {
		return d.Scopes(body.Scopes), nil
	}
	return body.Scopes, nil
}

// scopeVariables fetches the variables of all scopes of a kind at once.
func (s *Session) scopeVariables(ctx context.Context, still *standstill, scopes []godap.Scope, kind Scope) ([]godap.Variable, error) {
	var picked []godap.Scope
	for _, sc := range scopes {
		if slices.Contains(kindsOf(sc), kind) {
			picked = append(picked, sc)
		}
	}
	pending := make([]pendingVariables, len(picked))
	for i, sc := range picked {
		pending[i] = askVariables(still.link, godap.VariablesArguments{VariablesReference: sc.VariablesReference})
	}
	var vars []godap.Variable
	for i, p := range pending {
		list, err := p.wait(ctx)
		if err != nil {
			return nil, s.adapterError(ctx, "variables", err)
		}
		list = s.dialect().Variables(picked[i].Name, list)
		if isArguments(picked[i]) {
			markArguments(list)
		}
		vars = append(vars, list...)
	}
	return vars, nil
}

// kindsOf tells which of our scopes an adapter's scope belongs to, by its hint
// first, then by the beginning of its name.
func kindsOf(sc godap.Scope) []Scope {
	name := strings.ToLower(sc.Name)
	switch {
	case isArguments(sc):
		return []Scope{Locals, Arguments}
	case sc.PresentationHint == "locals" || strings.HasPrefix(name, "local"):
		return []Scope{Locals}
	case sc.PresentationHint == "registers" || strings.Contains(name, "register"):
		return []Scope{Registers}
	case sc.PresentationHint == "globals" || strings.HasPrefix(name, "global") || strings.HasPrefix(name, "static"):
		return []Scope{Globals}
	case sc.Expensive:
		return nil
	}
	return []Scope{Locals} // block, closure, with, catch…
}

func isArguments(sc godap.Scope) bool {
	return sc.PresentationHint == "arguments" || strings.HasPrefix(strings.ToLower(sc.Name), "argument")
}
