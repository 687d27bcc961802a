package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	godap "github.com/google/go-dap"

	"aidb-mcp/dap"
	"aidb-mcp/internal/hub"
	"aidb-mcp/session/breakpoints"
	"aidb-mcp/session/lifecycle"
)

// breakpointConnection is what the breakpoints know of a connection.
func (k *connection) breakpointConnection() breakpoints.Connection {
	can := k.run.plan().Capabilities.Breakpoints
	var repeats func(condition string) bool
	if can.StopsOnFailedCondition {
		repeats = k.run.s.ChangesNothing
	}
	return breakpoints.Connection{
		Repeats:      repeats,
		Reads:        can.ReadsCondition,
		ReadsLogged:  can.ReadsLogged,
		N:            k.number,
		Main:         k == k.run.connections.main(),
		Capabilities: k.Capabilities(),
		EntryMode:    can.EntryMode,
		BareWatches:  can.IgnoresWatchConditions,
	}
}

// pendingRequest is a request under way whose replies are taken into the set.
type pendingRequest struct {
	breakpoints.Request
	pending *dap.Pending
}

func (k *connection) sendBreakpoints(r breakpoints.Request) pendingRequest {
	command, arguments := r.Command, r.Arguments
	if functions, own := k.functionRequest(r); own {
		command, arguments = k.run.plan().Capabilities.Breakpoints.FunctionRequest(functions)
	}
	return pendingRequest{r, k.Send(command, arguments)}
}

// functionRequest is for breakpoints on functions where the adapter has a request of
// its own for them; own says so.
func (k *connection) functionRequest(r breakpoints.Request) (functions []godap.FunctionBreakpoint, own bool) {
	functions, ok := r.Functions()
	return functions, ok && k.run.plan().Capabilities.Breakpoints.FunctionRequest != nil
}

// awaitBreakpoints waits for the adapter's answer to a request, one breakpoint a place.
func (k *connection) awaitBreakpoints(ctx context.Context, r pendingRequest) ([]godap.Breakpoint, error) {
	if _, own := k.functionRequest(r.Request); own {
		var body json.RawMessage
		if err := r.pending.Wait(ctx, &body); err != nil {
			return nil, err
		}
		return k.run.plan().Capabilities.Breakpoints.FunctionReply(body)
	}
	var body godap.SetBreakpointsResponseBody
	err := r.pending.Wait(ctx, &body)
	if placed := k.run.plan().Capabilities.Breakpoints.Placed; err == nil && placed != nil && r.Command == "setBreakpoints" {
		placed(ctx, k, body.Breakpoints)
	}
	return body.Breakpoints, err
}

// awaitReplies waits for the replies to a request and takes them in.
func (pts *points) awaitReplies(ctx context.Context, k *connection, r pendingRequest) error {
	answered, err := k.awaitBreakpoints(ctx, r)
	for i := range answered {
		k.run.correctBreakpoint(&answered[i])
	}
	return pts.applyReplies(k, r, answered, err)
}

// applyReplies writes the replies into the set of breakpoints, or that the adapter has
// refused the request.
func (pts *points) applyReplies(k *connection, r pendingRequest, answered []godap.Breakpoint, err error) error {
	var refused *dap.RequestError
	switch {
	case errors.As(err, &refused):
		pts.breakpoints.Refuse(k.breakpointConnection(), r.Request, k.run.plainReason(refused.Message), pts.session.files)
		return nil
	case err != nil:
		return err
	}
	pts.breakpoints.Apply(k.breakpointConnection(), r.Request, answered, pts.session.files)
	pts.attributeLate(k)
	return nil
}

// attributeLate credits the current stop, where no breakpoint was known for it, to one
// whose id has come only now.
func (pts *points) attributeLate(k *connection) {
	pts.session.change(func(m *lifecycle.Machine) {
		if at, ok := m.Current(); ok && at.Connection == k.number && len(m.State().Hit) == 0 {
			m.Credit(pts.breakpoints.Late(k.breakpointStop(m, at.Event)))
		}
	})
}

// correctBreakpoint lets the dialect correct what the adapter says about a breakpoint.
func (l *run) correctBreakpoint(b *godap.Breakpoint) {
	if bound := l.plan().Capabilities.Breakpoints.Bound; bound != nil {
		bound(b)
	}
	b.Message = l.plainReason(b.Message)
}

// plainReason is an adapter's reason for not binding a breakpoint, in plain words.
func (l *run) plainReason(reason string) string {
	if reason == "" {
		return ""
	}
	if plain, _ := l.plan().Dialect.Fault("setBreakpoints", errors.New(reason)); plain != "" {
		return plain
	}
	return reason
}

// sendBreakpoints sends a running adapter the requests that hold the breakpoints. Before
// the adapter is configured and after its end the set alone is changed.
func (pts *points) sendBreakpoints(ctx context.Context, ids ...int) error {
	pts.locateFunctions(ctx)
	return pts.sendHomes(ctx, pts.breakpoints.Homes(ids...), breakpoints.Trial{})
}

// sendHomes sends the requests of homes, of breakpoints that may be gone.
func (pts *points) sendHomes(ctx context.Context, homes []breakpoints.Home, t breakpoints.Trial) error {
	return pts.sendChanged(ctx, func() []breakpoints.Home { return homes }, t)
}

// sendChanged is sendHomes of what is changed when it is its turn to be sent.
func (pts *points) sendChanged(ctx context.Context, change func() []breakpoints.Home, t breakpoints.Trial) error {
	release, err := acquire(ctx, pts.sending)
	if err != nil {
		return err
	}
	defer release()
	homes := change()
	if len(homes) == 0 {
		return nil
	}
	l := pts.session.currentRun()
	if l == nil || pts.session.status() == Terminated {
		return nil
	}
	type sending struct {
		connection *connection
		request    breakpoints.Request
	}
	var planned []sending
	for _, k := range l.connections.debugged() {
		for _, h := range homes {
			if h.Kind != breakpoints.Function || k.Capabilities().SupportsFunctionBreakpoints {
				planned = append(planned, sending{k, pts.breakpoints.PlanOf(h, k.breakpointConnection(), t)})
			}
		}
	}
	under := make([]pendingRequest, len(planned))
	for i, p := range planned {
		p.connection.awaitStart(ctx)
		under[i] = p.connection.sendBreakpoints(p.request)
	}
	var failed error
	for i, p := range planned {
		if err := pts.awaitReplies(ctx, p.connection, under[i]); err != nil && p.connection == planned[0].connection && failed == nil {
			failed = err // other connections may end at any moment
		}
	}
	return pts.session.adapterError(ctx, "set breakpoints", failed)
}

// findUnbound finds the breakpoints on lines of a file, empty for any, that are not bound.
func (pts *points) findUnbound(file string) []Breakpoint {
	return pts.breakpoints.Find(func(b Breakpoint) bool {
		return b.Kind == breakpoints.Line && b.Enabled && !b.Verified && (file == "" || b.File == file)
	})
}

// setAnew takes the breakpoints at the home of one back and sets them again, for an adapter that
// answers only what it has not been sent before.
func (pts *points) setAnew(l *run, id int) {
	homes := pts.breakpoints.Homes(id)
	for _, t := range []breakpoints.Trial{{None: true}, {}} {
		if err := pts.sendHomes(l.ctx, homes, t); err != nil {
			l.s.log.Debug("set the breakpoints of a file that is loaded", "error", err)
			return
		}
	}
	l.s.PublishBreakpoints(hub.Program)
}

// dropTemporary takes the temporary breakpoints away at a stop, before it is published.
func (j judgement) dropTemporary(ctx context.Context) {
	s := j.run.s
	err := s.sendChanged(ctx, func() []breakpoints.Home {
		return s.breakpoints.Remove(s.breakpoints.Temporary()...)
	}, breakpoints.Trial{})
	if err != nil && ctx.Err() == nil {
		s.log.Warn("remove temporary breakpoints", "error", err)
	}
}

// locateFunctions finds the definitions of functions that have breakpoints, where the
// adapter has no function breakpoints (or none that can be trusted) and the
// language can be read for them: such a breakpoint is then sent as a line.
func (pts *points) locateFunctions(ctx context.Context) {
	l := pts.session.currentRun()
	if l == nil || l.plan() == nil || l.connections.root() == nil || pts.session.status() == Terminated {
		return
	}
	definitions := l.plan().Capabilities.Breakpoints.Definitions
	native := l.connections.protocol().SupportsFunctionBreakpoints
	unlocated := pts.breakpoints.Unlocated()
	modules := append([]string{}, l.plan().Modules...)
	if definitions == nil || native {
		return
	}
	if len(modules) == 0 {
		modules = []string{pts.session.Workspace()}
	}
	for _, b := range unlocated {
		roots := modules
		if b.File != "" {
			roots = []string{b.File}
		}
		places, like, err := definitions(ctx, b.Function, roots)
		if err != nil {
			pts.session.log.Debug("definitions", "function", b.Function, "error", err)
		}
		at := make([]breakpoints.Definition, len(places))
		for i, p := range places {
			at[i] = breakpoints.Definition(p)
			if i > 0 {
				like = append(like, fmt.Sprintf("%s:%d", pts.session.Rel(p.File), p.Line))
			}
		}
		pts.breakpoints.Locate(b.ID, at, like)
	}
}

// bindByLine tries a function that does not bind by the line of its first
// instruction: adapters refuse two breakpoints at one place of different kinds,
// while those on one line travel together.
func (pts *points) bindByLine(ctx context.Context, b breakpoints.Breakpoint) bool {
	place := pts.session.capabilities().Breakpoints.FunctionPlace
	_, main, err := pts.session.liveConnection()
	if b.Kind != FunctionBreakpoint || b.Verified || place == nil || err != nil {
		return false
	}
	at, err := place(ctx, main, b.Function, b.File)
	if err != nil {
		return false
	}
	pts.breakpoints.AsLine(b.ID, breakpoints.Definition(at))
	return pts.sendBreakpoints(ctx, b.ID) == nil && pts.breakpoint(b.ID).Verified
}

// placeFunctions has the functions whose places are those of breakpoints on lines travel
// with them, before the first set is sent (see bindByLine), and those of which the
// file was asked for, because a debugger knows them by their names alone.
func (pts *points) placeFunctions(ctx context.Context, l *run, k *connection) {
	place := l.plan().Capabilities.Breakpoints.FunctionPlace
	if place == nil {
		return
	}
	all := pts.breakpoints.List()
	lines := map[breakpoints.Definition]bool{}
	for _, b := range all {
		if b.Kind == LineBreakpoint {
			lines[breakpoints.Definition{File: b.File, Line: b.Line}] = true
		}
	}
	for _, b := range all {
		if b.Kind != FunctionBreakpoint || len(lines) == 0 && b.File == "" {
			continue
		}
		at, err := place(ctx, k, b.Function, b.File)
		if err != nil || b.File == "" && !lines[breakpoints.Definition(at)] {
			continue
		}
		pts.breakpoints.AsLine(b.ID, breakpoints.Definition(at))
	}
}

// setFiltersArguments is the argument of setExceptionBreakpoints; its list is [] when it is empty.
type setFiltersArguments struct {
	Filters       []string                       `json:"filters"`
	FilterOptions []godap.ExceptionFilterOptions `json:"filterOptions,omitempty"`
}
