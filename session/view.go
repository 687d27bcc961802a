package session

import (
	"context"
	"fmt"
	"math"
	"slices"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/session/inspect"
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
	looked := s.updateProcesses()
	if still != nil {
		if err := s.fillStop(ctx, still, v); err != nil && s.isAt(still) {
			return nil, err
		}
		if crash := s.crashError(); crash != nil {
			return nil, crash
		}
	}
	if why := s.withheldReason(v.Frame); why != "" {
		v.Warnings = append(v.Warnings, why)
	}
	if why := s.outdatedSource(v.Stack); why != "" {
		v.Warnings = append(v.Warnings, why)
	}
	v.AwaitsInput = s.AwaitsInput()
	v.ServerReady = s.takeReadyAddress()
	<-looked
	s.mu.Lock()
	defer s.mu.Unlock()
	v.State, v.Epoch = s.snapshot(), s.now.epoch
	if s.run != nil {
		v.Warnings = append(v.Warnings, s.run.warnings...)
		s.run.warnings = nil
		v.Mappings, s.run.mappings = s.run.mappings, nil
	}
	if v.State.Status == Terminated {
		s.fillTests(v)
		v.WereHit = s.breakpoints.Find(func(b Breakpoint) bool { return b.Hits > 0 })
		v.NeverHit = s.breakpoints.Find(func(b Breakpoint) bool { return b.Hits == 0 && b.Enabled && s.isCountable(b) })
	}
	if s.run != nil {
		if v.State.Status != Terminated || len(v.NeverHit) > 0 { // else it only ended with the rest
			v.Warnings = append(v.Warnings, s.run.missed[:min(len(s.run.missed), 1)]...)
		}
		s.run.missed = nil
	}
	if v.State.Status == Terminated && s.run != nil {
		v.Warnings = append(v.Warnings, s.run.childProcessWarnings(len(v.NeverHit) > 0)...)
	}
	for _, b := range s.breakpoints.News() {
		if !slices.ContainsFunc(v.NeverHit, func(n Breakpoint) bool { return n.ID == b.ID }) {
			v.Breakpoints = append(v.Breakpoints, b)
		}
	}
	return v, nil
}

// crashError is how the adapter has died, nil when it has not.
func (s *Session) crashError() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now.crash == nil {
		return nil
	}
	return s.now.crash
}

// fillTests says of a run of tests that has ended that it had none to run, and
// which are like those that were asked for, or why it failed; mu is held.
func (s *Session) fillTests(v *View) {
	if s.run == nil || s.run.plan == nil || s.now.Signal != "" {
		return
	}
	var run adapters.TestRun
	known := false
	switch tests := s.run.plan.Capabilities.Tests; {
	case tests.Run != nil:
		run, known = tests.Run()
	case tests.Printed != nil:
		run, known = tests.Printed(func(stream, text string) []string {
			return s.out.Read(stream, output.Page{Filter: text, Count: math.MaxInt32}).Lines
		})
	}
	v.NoTestRan, v.NearTests, v.TestFailed = known && run.Ran == 0, run.Near, run.Why
}

// isCountable says that no hits means that it was never reached: log messages
// that the adapter prints itself are only counted where its output tells them
// from the program's; mu is held.
func (s *Session) isCountable(b Breakpoint) bool {
	return b.LogMessage == "" || b.Supplied || s.run.plan != nil && s.run.plan.Streams != nil
}

func (s *Session) isAt(still *stopPoint) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return still.isCurrent(s)
}

// fillStop fills in what a program that stands still shows.
func (s *Session) fillStop(ctx context.Context, still *stopPoint, v *View) error {
	asked := s.askException(still)
	st, err := s.chooseThread(ctx, still)
	if isException(still.stop.Reason) {
		v.Exception = s.exceptionOf(ctx, still, asked)
	}
	if err != nil {
		return s.noteUnread(ctx, still, v, "stack", err)
	}
	s.fillStack(v, st)
	if len(st.Frames) == 0 {
		return nil
	}
	s.attributeStop(still, st)
	user := st.Frames[min(st.Hidden, len(st.Frames)-1)]
	if err := s.fillLocals(ctx, still, st, user, v); err != nil {
		return s.noteUnread(ctx, still, v, "locals", err)
	}
	s.fillReturned(ctx, still, v)
	s.fillShown(ctx, v)
	return nil
}

// noteUnread notes a part of the view that the adapter did not give: what is known
// without it is shown all the same.
func (s *Session) noteUnread(ctx context.Context, still *stopPoint, v *View, what string, err error) error {
	if ctx.Err() != nil || !s.isAt(still) {
		return err
	}
	v.Unread = Unread{What: what, Why: adapterReason(err)}
	return nil
}

func (s *Session) fillStack(v *View, st inspect.Stack) {
	if st.Complete {
		v.StackTotal = len(st.Frames) - st.Hidden
	}
	for i, f := range st.Frames {
		if len(v.Stack) == s.limits.StackPage {
			break
		}
		if i >= st.Hidden {
			v.Stack = append(v.Stack, s.reader().Frame(i-st.Hidden, f))
		}
	}
	if len(v.Stack) == 0 {
		return
	}
	v.Frame = &v.Stack[0]
	if st.Hidden > 0 {
		top := s.reader().Frame(-st.Hidden, st.Frames[0])
		v.Top = &top
	}
	if v.Frame.File != "" {
		s.mu.Lock()
		s.file = v.Frame.File
		s.mu.Unlock()
	}
}

// attributeStop names the breakpoint of a stop that came without ids, by its place.
func (s *Session) attributeStop(still *stopPoint, st inspect.Stack) {
	top := st.Frames[0]
	s.mu.Lock()
	defer s.mu.Unlock()
	if !still.isCurrent(s) || still.placed || s.now.Status != StoppedBreakpoint || len(s.now.Hit) > 0 || len(still.stop.Hit) > 0 || top.Source == nil {
		return
	}
	s.now.Hit = s.breakpoints.Attribute(top.Source.Path, top.Line)
}

func (s *Session) fillLocals(ctx context.Context, still *stopPoint, st inspect.Stack, frame godap.StackFrame, v *View) error {
	thread := s.currentThread(still)
	framed := frameRef{thread, st.Hidden, frame.Id}
	unset := s.askUnset(ctx, still, framed)
	scopes, err := s.scopes(ctx, still, frame.Id)
	if fault.Is(err, fault.AdapterTimeout) {
		return err
	}
	if err != nil {
		s.log.Debug("no scopes", "error", err)
		return nil // frames without debug information have none
	}
	v.Warnings = append(v.Warnings, inspect.ScopeWarnings(scopes)...)
	vars, err := s.scopeVariables(ctx, still, scopes, Locals)
	if err != nil {
		return err
	}
	vars = s.withoutUnset(ctx, still, framed, vars, unset)
	in := origin{still: still, thread: thread, frame: frame.Id}
	vars = s.extractReturn(in, frame, vars, v)
	v.LocalsTotal = len(vars)
	key := st.Key(thread)
	values := make(map[string]string, len(vars))
	for _, x := range vars {
		values[x.Name] = x.Value
	}
	s.mu.Lock()
	v.Changed, v.SameFrame = s.tracker.Compare(key, values)
	s.tracker.Record(s.visitOf(v, values), s.limits.Locals, s.limits.ValueBytes)
	s.mu.Unlock()
	for _, x := range vars[:min(len(vars), s.limits.Locals)] {
		v.Locals = append(v.Locals, s.variable(in, x, s.limits.ValueBytes))
	}
	s.measureLengths(ctx, in, v.Locals)
	s.fillPreviews(ctx, vars, v.Locals)
	for i := range v.Changed {
		v.Changed[i].Old, _ = inspect.Cut(v.Changed[i].Old, s.limits.ValueBytes)
		v.Changed[i].New, _ = inspect.Cut(v.Changed[i].New, s.limits.ValueBytes)
	}
	return nil
}

// extractReturn tells what a function that stands at its return is about to give
// back from its locals, where the adapter lists it among them.
func (s *Session) extractReturn(in origin, frame godap.StackFrame, vars []godap.Variable, v *View) []godap.Variable {
	name := s.capabilities().Values.ReturnLocal
	at := slices.IndexFunc(vars, func(x godap.Variable) bool { return name != "" && x.Name == name })
	if at < 0 {
		return vars
	}
	returned := vars[at]
	s.mu.Lock()
	out := s.now.motion == moveOut
	s.mu.Unlock()
	if !out { // after a step out it would be taken for what the function that was left gave
		returned.Name = frame.Name
		v.Returned = append(v.Returned, s.variable(in, returned, s.limits.ValueBytes))
	}
	return slices.Delete(slices.Clone(vars), at, at+1)
}

// fillReturned adds what a function that was stepped out of gave back.
func (s *Session) fillReturned(ctx context.Context, still *stopPoint, v *View) {
	s.mu.Lock()
	out := s.now.motion == moveOut && s.now.Status == StoppedStep
	s.mu.Unlock()
	returned := s.capabilities().Values.Returned
	if !out || returned == nil {
		return
	}
	thread := s.currentThread(still)
	vars, err := returned(ctx, still.connection, still.connection.adapterThread(thread))
	if err != nil {
		s.log.Debug("returned values", "error", err)
	}
	in := origin{still: still, thread: thread}
	for _, x := range vars {
		v.Returned = append(v.Returned, s.variable(in, x, s.limits.ValueBytes))
	}
}

// scopes of a frame.
func (s *Session) scopes(ctx context.Context, still *stopPoint, frame int) ([]godap.Scope, error) {
	var body godap.ScopesResponseBody
	if err := still.connection.Call(ctx, "scopes", godap.ScopesArguments{FrameId: frame}, &body); err != nil {
		return nil, s.adapterError(ctx, "scopes", err)
	}
	if scopes := s.capabilities().Values.Scopes; scopes != nil {
		return scopes(body.Scopes), nil
	}
	return body.Scopes, nil
}

// scopeVariables fetches the variables of all scopes of a kind at once.
func (s *Session) scopeVariables(ctx context.Context, still *stopPoint, scopes []godap.Scope, kind Scope) ([]godap.Variable, error) {
	var picked []godap.Scope
	for _, sc := range scopes {
		if inspect.Holds(sc, kind) {
			picked = append(picked, sc)
		}
	}
	pending := make([]pendingVariables, len(picked))
	for i, sc := range picked {
		pending[i] = askVariables(still.connection, godap.VariablesArguments{VariablesReference: sc.VariablesReference})
	}
	var vars []godap.Variable
	for i, p := range pending {
		list, err := p.wait(ctx)
		if err != nil {
			return nil, s.adapterError(ctx, "variables", err)
		}
		list = s.dialect().Variables(picked[i].Name, list)
		if inspect.HoldsArguments(picked[i]) {
			inspect.MarkArguments(list)
		}
		vars = append(vars, list...)
	}
	return vars, nil
}

// visitOf is what a view shows of its frame; mu is held.
func (s *Session) visitOf(v *View, values map[string]string) inspect.Visit {
	visit := inspect.Visit{Stop: s.now.stops, Values: values, Changed: v.Changed, Same: v.SameFrame}
	if v.Frame != nil {
		visit.Where = fmt.Sprintf("%s:%d", s.Rel(v.Frame.File), v.Frame.Line)
	}
	return visit
}

// Seen lists the values of locals over the last stops, oldest first.
func (s *Session) Seen() []Value {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tracker.Seen()
}
