package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/session/breakpoints"
	"aidb-mcp/session/lifecycle"
)

// The breakpoints of a session, as their own package has them.
type (
	Breakpoint     = breakpoints.Breakpoint
	BreakpointKind = breakpoints.Kind
)

// The kinds that a session keeps.
const (
	LineBreakpoint     = breakpoints.Line
	FunctionBreakpoint = breakpoints.Function
	WatchBreakpoint    = breakpoints.Watch
)

// points are what the program is to stop at: breakpoints, watches and exceptions. They
// are the truth, of which the adapter is told.
type points struct {
	session     *Session
	breakpoints breakpoints.Set
	exceptions  exceptionChoice
	sending     chan struct{} // holds a token while requests travel, so that they reach the adapter in the order of the changes
}

// SetBreakpoint adds a breakpoint, or changes the one that the spec names or
// means. It works while the program runs, before it starts and after its end
// (then it waits for a restart). A place without code is kept, unbound, with the
// lines that would bind; a condition that the adapter refuses is an error.
func (pts *points) SetBreakpoint(ctx context.Context, spec BreakpointSpec) (Breakpoint, error) {
	w, err := pts.newSpec(spec)
	if err != nil {
		return Breakpoint{}, err
	}
	if err := pts.checkObserved(pts.session.capabilities().Observing, w); err != nil {
		return Breakpoint{}, err
	}
	id, former := pts.breakpoints.Put(w, spec.ID, pts.session.files)
	if err := pts.sendOrUndo(ctx, id, former); err != nil {
		return Breakpoint{}, err
	}
	pts.breakpoints.Reported(id)
	others := pts.breakpoints.OthersAt(id)
	b := pts.breakpoint(id)
	switch {
	case former.Changed:
		b.Message = lifecycle.JoinText(b.Message, fmt.Sprintf("breakpoint %d was there already and has been changed", id))
	case former.Existed:
		b.Message = lifecycle.JoinText(b.Message, fmt.Sprintf("breakpoint %d was there already", id))
	case len(others) > 0:
		b.Message = lifecycle.JoinText(b.Message, fmt.Sprintf("it stands beside breakpoint %s, which stays as it is", strings.Trim(fmt.Sprint(others), "[]")))
	}
	return b, nil
}

// sendOrUndo sends a breakpoint; when its condition is at fault the set goes back
// to what it was.
func (pts *points) sendOrUndo(ctx context.Context, id int, former breakpoints.Former) error {
	if err := pts.sendBreakpoints(ctx, id); err != nil {
		pts.undo(ctx, former)
		return err
	}
	b := pts.breakpoint(id)
	bound := b.Verified || !pts.holdsBreakpoints()
	l, reason := pts.session.currentRun(), pts.breakpoints.Reason(id)
	if bound || l.isPending(reason) || pts.bindByLine(ctx, b) {
		return nil
	}
	if !b.Plain() && (!b.Supplied || b.Judged) && pts.bindsWithoutCondition(ctx, id) {
		wrong := badConditionError(b, reason)
		pts.undo(ctx, former)
		return wrong
	}
	ctx, cancel := context.WithTimeout(ctx, explainLimit)
	defer cancel()
	pts.explainUnbound(ctx, l, l.connections.main(), id)
	return nil
}

// holdsBreakpoints says that an adapter has been sent the breakpoints.
func (pts *points) holdsBreakpoints() bool {
	return pts.session.currentRun() != nil && len(pts.session.currentRun().connections.debugged()) > 0 && pts.session.status() != Terminated
}

// bindsWithoutCondition tries a breakpoint without its condition, to learn what the adapter's
// refusal is about. Adapters may keep a broken breakpoint, so that the place
// is cleared in between.
func (pts *points) bindsWithoutCondition(ctx context.Context, id int) bool {
	homes := pts.breakpoints.Homes(id)
	try := func(t breakpoints.Trial) bool {
		t.ID = id
		err := pts.sendHomes(ctx, homes, t)
		return err == nil && pts.breakpoint(id).Verified
	}
	try(breakpoints.Trial{Hide: true})
	if try(breakpoints.Trial{Bare: true}) {
		return true
	}
	try(breakpoints.Trial{})
	return false
}

func badConditionError(b Breakpoint, reason string) error {
	part, text := "condition", b.Condition.String()
	switch {
	case text == "" && b.HitCondition != "":
		part, text = "hit condition", b.HitCondition
	case text == "" && b.LogMessage != "":
		part, text = "log message", b.LogMessage
	}
	return fault.New(fault.Breakpoint, "the %s %q was refused: %s", part, text, reason).
		WithHint("correct the %s; the breakpoint was not set", part)
}

// undo takes back what SetBreakpoint did and sends that.
func (pts *points) undo(ctx context.Context, former breakpoints.Former) {
	homes := pts.breakpoints.Homes(former.ID)
	pts.breakpoints.Undo(former)
	if err := pts.sendHomes(ctx, homes, breakpoints.Trial{}); err != nil {
		pts.session.log.Debug("undo breakpoint", "error", err)
	}
}

// breakpoint copies one, the zero value when it is gone.
func (pts *points) breakpoint(id int) Breakpoint {
	b, _ := pts.breakpoints.Get(id)
	return b
}

// Breakpoints lists them in the order of their ids, without temporary ones.
func (pts *points) Breakpoints() []Breakpoint {
	return pts.breakpoints.List()
}

// FindBreakpoints selects by id (when not 0), else by location text, else by watched name.
func (pts *points) FindBreakpoints(id int, location, name string) ([]Breakpoint, error) {
	switch {
	case id != 0:
		if b, known := pts.breakpoints.Get(id); known {
			return []Breakpoint{b}, nil
		}
		return nil, pts.noBreakpointError(fmt.Sprintf("there is no breakpoint %d", id))
	case location != "":
		return pts.findAt(location)
	case name != "":
		return pts.choose("there is no watch on "+name, func(b Breakpoint) bool { return b.Kind == WatchBreakpoint && b.Expression == name })
	}
	return nil, fault.New(fault.MissingParam, "which breakpoint?").WithHint("give its id or its location; breakpoint(action: list) shows them")
}

func (pts *points) findAt(location string) ([]Breakpoint, error) {
	spec, err := pts.session.ResolveLocation(location)
	if err != nil {
		return nil, err
	}
	return pts.choose("there is no breakpoint at "+location, func(b Breakpoint) bool {
		if spec.Function != "" {
			return b.Function == spec.Function || b.Kind == WatchBreakpoint && b.Expression == spec.Function
		}
		return b.Kind != WatchBreakpoint && b.Path() == spec.File && (b.Spec.Line == spec.Line || b.Line == spec.Line) &&
			(spec.Column == 0 || b.Column == spec.Column)
	})
}

func (pts *points) choose(none string, match func(Breakpoint) bool) ([]Breakpoint, error) {
	found := pts.breakpoints.Find(match)
	if len(found) == 0 {
		return nil, pts.noBreakpointError(none)
	}
	return found, nil
}

// noBreakpointError is the error for one that is not there.
func (pts *points) noBreakpointError(message string) error {
	var known []string
	for _, b := range pts.breakpoints.List() {
		known = append(known, fmt.Sprintf("%d (%s)", b.ID, pts.breakpointLabel(b)))
	}
	err := fault.New(fault.Breakpoint, "%s", message)
	if len(known) == 0 {
		return err.WithHint("no breakpoints are set")
	}
	return err.WithHint("there are: %s", strings.Join(known, ", "))
}

// breakpointLabel says where a breakpoint is.
func (pts *points) breakpointLabel(b Breakpoint) string {
	switch b.Kind {
	case FunctionBreakpoint:
		return b.Function
	case WatchBreakpoint:
		return "watch " + b.Expression
	}
	return fmt.Sprintf("%s:%d", pts.session.Rel(b.File), b.Line)
}

// RemoveBreakpoints removes breakpoints by id; an unknown id is an error and nothing is removed.
func (pts *points) RemoveBreakpoints(ctx context.Context, ids []int) error {
	if err := pts.checkChangeable(ids); err != nil {
		return err
	}
	homes := pts.breakpoints.Remove(ids...)
	return pts.sendHomes(ctx, homes, breakpoints.Trial{})
}

// EnableBreakpoints switches breakpoints on or off by id and returns them as they are then.
func (pts *points) EnableBreakpoints(ctx context.Context, ids []int, on bool) ([]Breakpoint, error) {
	if err := pts.checkChangeable(ids); err != nil {
		return nil, err
	}
	for _, id := range ids {
		pts.breakpoints.Enable(id, on)
	}
	if err := pts.sendBreakpoints(ctx, ids...); err != nil {
		return nil, err
	}
	return pts.breakpoints.Find(func(b Breakpoint) bool { return slices.Contains(ids, b.ID) }), nil
}

// checkChangeable returns why breakpoints cannot be changed now: watches need a stopped
// program.
func (pts *points) checkChangeable(ids []int) error {
	for _, id := range ids {
		b, known := pts.breakpoints.Get(id)
		if !known || b.Temporary {
			return pts.noBreakpointError(fmt.Sprintf("there is no breakpoint %d", id))
		}
		if b.Kind == WatchBreakpoint && pts.session.status() == Running {
			return pts.session.state().NotStoppedError()
		}
	}
	return nil
}
