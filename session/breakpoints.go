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

// SetBreakpoint adds a breakpoint, or changes the one that the spec names or
// means. It works while the program runs, before it starts and after its end
// (then it waits for a restart). A place without code is kept, unbound, with the
// lines that would bind; a condition that the adapter refuses is an error.
func (s *Session) SetBreakpoint(ctx context.Context, spec BreakpointSpec) (Breakpoint, error) {
	w, err := s.newWish(spec)
	if err != nil {
		return Breakpoint{}, err
	}
	id, former := s.breakpoints.Put(w, spec.ID, s.files)
	if err := s.sendOrUndo(ctx, id, former); err != nil {
		return Breakpoint{}, err
	}
	s.breakpoints.Reported(id)
	beside := s.breakpoints.Beside(id)
	b := s.breakpoint(id)
	switch {
	case former.Changed:
		b.Message = lifecycle.JoinText(b.Message, fmt.Sprintf("breakpoint %d was there already and has been changed", id))
	case former.Existed:
		b.Message = lifecycle.JoinText(b.Message, fmt.Sprintf("breakpoint %d was there already", id))
	case len(beside) > 0:
		b.Message = lifecycle.JoinText(b.Message, fmt.Sprintf("it stands beside breakpoint %s, which stays as it is", strings.Trim(fmt.Sprint(beside), "[]")))
	}
	return b, nil
}

// sendOrUndo sends a breakpoint; when its condition is at fault the set goes back
// to what it was.
func (s *Session) sendOrUndo(ctx context.Context, id int, former breakpoints.Former) error {
	if err := s.sendBreakpoints(ctx, id); err != nil {
		s.undo(ctx, former)
		return err
	}
	b := s.breakpoint(id)
	bound := b.Verified || !s.holdsBreakpoints()
	l, reason := s.currentRun(), s.breakpoints.Reason(id)
	if bound || l.isPending(reason) || s.bindByLine(ctx, b) {
		return nil
	}
	if !b.Plain() && !b.Supplied && s.bindsWithoutCondition(ctx, id) {
		wrong := badConditionError(b, reason)
		s.undo(ctx, former)
		return wrong
	}
	ctx, cancel := context.WithTimeout(ctx, explainLimit)
	defer cancel()
	s.explainUnbound(ctx, l, l.connections.main(), id)
	return nil
}

// holdsBreakpoints says that an adapter has been sent the breakpoints.
func (s *Session) holdsBreakpoints() bool {
	return s.currentRun() != nil && len(s.currentRun().connections.debugged()) > 0 && s.status() != Terminated
}

// bindsWithoutCondition tries a breakpoint without its condition, to learn what the adapter's
// refusal is about. Adapters may keep a broken breakpoint, so that the place
// is cleared in between.
func (s *Session) bindsWithoutCondition(ctx context.Context, id int) bool {
	homes := s.breakpoints.Homes(id)
	try := func(t breakpoints.Trial) bool {
		t.ID = id
		err := s.sendHomes(ctx, homes, t)
		return err == nil && s.breakpoint(id).Verified
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
func (s *Session) undo(ctx context.Context, former breakpoints.Former) {
	homes := s.breakpoints.Homes(former.ID)
	s.breakpoints.Undo(former)
	if err := s.sendHomes(ctx, homes, breakpoints.Trial{}); err != nil {
		s.log.Debug("undo breakpoint", "error", err)
	}
}

// breakpoint copies one, the zero value when it is gone.
func (s *Session) breakpoint(id int) Breakpoint {
	b, _ := s.breakpoints.Get(id)
	return b
}

// Breakpoints lists them in the order of their ids, without temporary ones.
func (s *Session) Breakpoints() []Breakpoint {
	return s.breakpoints.List()
}

// FindBreakpoints selects by id (when not 0), else by location text, else by watched name.
func (s *Session) FindBreakpoints(id int, location, name string) ([]Breakpoint, error) {
	switch {
	case id != 0:
		if b, known := s.breakpoints.Get(id); known {
			return []Breakpoint{b}, nil
		}
		return nil, s.noBreakpointError(fmt.Sprintf("there is no breakpoint %d", id))
	case location != "":
		return s.findAt(location)
	case name != "":
		return s.choose("there is no watch on "+name, func(b Breakpoint) bool { return b.Kind == WatchBreakpoint && b.Expression == name })
	}
	return nil, fault.New(fault.MissingParam, "which breakpoint?").WithHint("give its id or its location; breakpoint(action: list) shows them")
}

func (s *Session) findAt(location string) ([]Breakpoint, error) {
	spec, err := s.ResolveLocation(location)
	if err != nil {
		return nil, err
	}
	return s.choose("there is no breakpoint at "+location, func(b Breakpoint) bool {
		if spec.Function != "" {
			return b.Function == spec.Function || b.Kind == WatchBreakpoint && b.Expression == spec.Function
		}
		return b.Kind != WatchBreakpoint && b.Path() == spec.File && (b.Wish.Line == spec.Line || b.Line == spec.Line) &&
			(spec.Column == 0 || b.Column == spec.Column)
	})
}

func (s *Session) choose(none string, match func(Breakpoint) bool) ([]Breakpoint, error) {
	found := s.breakpoints.Find(match)
	if len(found) == 0 {
		return nil, s.noBreakpointError(none)
	}
	return found, nil
}

// noBreakpointError is the error for one that is not there.
func (s *Session) noBreakpointError(message string) error {
	var known []string
	for _, b := range s.breakpoints.List() {
		known = append(known, fmt.Sprintf("%d (%s)", b.ID, s.breakpointLabel(b)))
	}
	err := fault.New(fault.Breakpoint, "%s", message)
	if len(known) == 0 {
		return err.WithHint("no breakpoints are set")
	}
	return err.WithHint("there are: %s", strings.Join(known, ", "))
}

// breakpointLabel says where a breakpoint is.
func (s *Session) breakpointLabel(b Breakpoint) string {
	switch b.Kind {
	case FunctionBreakpoint:
		return b.Function
	case WatchBreakpoint:
		return "watch " + b.Expression
	}
	return fmt.Sprintf("%s:%d", s.Rel(b.File), b.Line)
}

// RemoveBreakpoints removes breakpoints by id; an unknown id is an error and nothing is removed.
func (s *Session) RemoveBreakpoints(ctx context.Context, ids []int) error {
	if err := s.checkChangeable(ids); err != nil {
		return err
	}
	homes := s.breakpoints.Remove(ids...)
	return s.sendHomes(ctx, homes, breakpoints.Trial{})
}

// EnableBreakpoints switches breakpoints on or off by id and returns them as they are then.
func (s *Session) EnableBreakpoints(ctx context.Context, ids []int, on bool) ([]Breakpoint, error) {
	if err := s.checkChangeable(ids); err != nil {
		return nil, err
	}
	for _, id := range ids {
		s.breakpoints.Enable(id, on)
	}
	if err := s.sendBreakpoints(ctx, ids...); err != nil {
		return nil, err
	}
	return s.breakpoints.Find(func(b Breakpoint) bool { return slices.Contains(ids, b.ID) }), nil
}

// checkChangeable returns why breakpoints cannot be changed now: watches need a stopped
// program.
func (s *Session) checkChangeable(ids []int) error {
	for _, id := range ids {
		b, known := s.breakpoints.Get(id)
		if !known || b.Temporary {
			return s.noBreakpointError(fmt.Sprintf("there is no breakpoint %d", id))
		}
		if b.Kind == WatchBreakpoint && s.status() == Running {
			return s.state().NotStoppedError()
		}
	}
	return nil
}
