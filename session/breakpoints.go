package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"aidb-mcp/internal/fault"
)

// SetBreakpoint adds a breakpoint, or changes the one that is there already. It
// works while the program runs, before it starts and after its end (then it
// waits for a restart). A place without code is kept, unbound, with the lines
// that would bind; a condition that the adapter refuses is an error.
func (s *Session) SetBreakpoint(ctx context.Context, spec BreakpointSpec) (Breakpoint, error) {
	fresh, err := s.entryFor(spec)
	if err != nil {
		return Breakpoint{}, err
	}
	s.mu.Lock()
	e, before := s.place(fresh)
	s.mu.Unlock()
	if err := s.establish(ctx, e, before); err != nil {
		return Breakpoint{}, err
	}
	s.mu.Lock()
	e.tell()
	s.mu.Unlock()
	b := s.breakpoint(e)
	if before != nil {
		b.Message = joinText(b.Message, setAgain(before, b))
	}
	return b, nil
}

// setAgain says what setting a breakpoint did to the one that was there.
func setAgain(before *entry, b Breakpoint) string {
	said := fmt.Sprintf("breakpoint %d was there already", b.ID)
	if before.Condition != b.Condition || before.HitCondition != b.HitCondition || before.LogMessage != b.LogMessage || !before.Enabled {
		said += " and has been changed"
	}
	return said
}

func joinText(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// place puts a new entry into the store or its wishes into the one that is
// there, of which it then returns the former self; mu is held.
func (s *Session) place(fresh *entry) (e, before *entry) {
	e = s.store.same(fresh)
	if e == nil {
		fresh.readText(s.files)
		s.store.add(fresh)
		return fresh, nil
	}
	old := *e
	e.Condition, e.HitCondition, e.LogMessage = fresh.Condition, fresh.HitCondition, fresh.LogMessage
	e.Enabled, e.lost = true, false
	if old.HitCondition != fresh.HitCondition {
		e.Hits = 0
	}
	return e, &old
}

// establish tells the adapter of an entry; when its condition is at fault the
// store goes back to what it was.
func (s *Session) establish(ctx context.Context, e, before *entry) error {
	if err := s.push(ctx, e); err != nil {
		s.undo(ctx, e, before)
		return err
	}
	s.mu.Lock()
	l, told := s.life, e.Verified || !s.tells()
	main := l.main()
	said, plainly := e.said, e.plainly() || e.supplied
	s.mu.Unlock()
	if told {
		return nil
	}
	if !plainly && s.bindsBare(ctx, e) {
		wrong := s.badCondition(e, said)
		s.undo(ctx, e, before)
		return wrong
	}
	ctx, cancel := context.WithTimeout(ctx, explainLimit)
	defer cancel()
	s.explainUnbound(ctx, l, main, e)
	return nil
}

// tells says that the adapter has been told of the store; mu is held.
func (s *Session) tells() bool {
	return s.life != nil && len(s.life.told()) > 0 && s.now.Status != Terminated
}

// bindsBare tries an entry without its condition, to learn what the adapter's
// refusal is about. Adapters may keep a broken breakpoint, so that the place
// is cleared in between.
func (s *Session) bindsBare(ctx context.Context, e *entry) bool {
	try := func(hidden, bare bool) bool {
		s.mu.Lock()
		e.hidden, e.trial = hidden, bare
		s.mu.Unlock()
		err := s.push(ctx, e)
		return err == nil && s.breakpoint(e).Verified
	}
	try(true, false)
	if try(false, true) {
		return true
	}
	try(false, false)
	return false
}

func (s *Session) badCondition(e *entry, said string) error {
	part, text := "condition", e.Condition
	switch {
	case e.Condition == "" && e.HitCondition != "":
		part, text = "hit condition", e.HitCondition
	case e.Condition == "" && e.LogMessage != "":
		part, text = "log message", e.LogMessage
	}
	return fault.New(fault.Breakpoint, "the %s %q was refused: %s", part, text, said).
		WithHint("correct the %s; the breakpoint was not set", part)
}

// undo takes back what SetBreakpoint did to the store and tells the adapter.
func (s *Session) undo(ctx context.Context, e, before *entry) {
	s.mu.Lock()
	e.trial, e.hidden = false, false
	if before != nil {
		*e = *before
	} else {
		s.store.remove(e)
	}
	s.mu.Unlock()
	if err := s.push(ctx, e); err != nil {
		s.log.Debug("undo breakpoint", "error", err)
	}
}

// breakpoint copies an entry.
func (s *Session) breakpoint(e *entry) Breakpoint {
	s.mu.Lock()
	defer s.mu.Unlock()
	return e.copy()
}

func (e *entry) copy() Breakpoint {
	b := e.Breakpoint
	b.Nearest, b.Similar = slices.Clone(b.Nearest), slices.Clone(b.Similar)
	return b
}

// Breakpoints lists the store in the order of the ids, without temporary ones.
func (s *Session) Breakpoints() []Breakpoint {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []Breakpoint
	for _, e := range s.store.entries {
		if !e.Temporary {
			list = append(list, e.copy())
		}
	}
	return list
}

// FindBreakpoints selects by id (when not 0), else by location text, else by watched name.
func (s *Session) FindBreakpoints(id int, location, name string) ([]Breakpoint, error) {
	switch {
	case id != 0:
		s.mu.Lock()
		defer s.mu.Unlock()
		if e := s.store.byID(id); e != nil {
			return []Breakpoint{e.copy()}, nil
		}
		return nil, s.noBreakpoint(fmt.Sprintf("there is no breakpoint %d", id))
	case location != "":
		return s.findAt(location)
	case name != "":
		return s.choose("there is no watch on "+name, func(e *entry) bool { return e.Kind == WatchBreakpoint && e.Expression == name })
	}
	return nil, fault.New(fault.MissingParam, "which breakpoint?").WithHint("give its id or its location; breakpoint(action: list) shows them")
}

func (s *Session) findAt(location string) ([]Breakpoint, error) {
	spec, err := s.ResolveLocation(location)
	if err != nil {
		return nil, err
	}
	return s.choose("there is no breakpoint at "+location, func(e *entry) bool {
		if spec.Function != "" {
			return e.Function == spec.Function || e.Kind == WatchBreakpoint && e.Expression == spec.Function
		}
		return e.Kind != WatchBreakpoint && e.File == spec.File && (e.asked == spec.Line || e.Line == spec.Line) &&
			(spec.Column == 0 || e.Column == spec.Column)
	})
}

func (s *Session) choose(none string, match func(*entry) bool) ([]Breakpoint, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []Breakpoint
	for _, e := range s.store.entries {
		if !e.Temporary && match(e) {
			found = append(found, e.copy())
		}
	}
	if len(found) == 0 {
		return nil, s.noBreakpoint(none)
	}
	return found, nil
}

// noBreakpoint is the error for one that is not there; mu is held.
func (s *Session) noBreakpoint(message string) error {
	var known []string
	for _, e := range s.store.entries {
		if !e.Temporary {
			known = append(known, fmt.Sprintf("%d (%s)", e.ID, s.label(e)))
		}
	}
	err := fault.New(fault.Breakpoint, "%s", message)
	if len(known) == 0 {
		return err.WithHint("no breakpoints are set")
	}
	return err.WithHint("there are: %s", strings.Join(known, ", "))
}

// label says where a breakpoint is; mu is held.
func (s *Session) label(e *entry) string {
	switch e.Kind {
	case FunctionBreakpoint:
		return e.Function
	case WatchBreakpoint:
		return "watch " + e.Expression
	}
	return fmt.Sprintf("%s:%d", s.Rel(e.File), e.Line)
}

// RemoveBreakpoints removes breakpoints by id; an unknown id is an error and nothing is removed.
func (s *Session) RemoveBreakpoints(ctx context.Context, ids []int) error {
	entries, err := s.changeable(ids)
	if err != nil {
		return err
	}
	s.mu.Lock()
	for _, e := range entries {
		s.store.remove(e)
	}
	s.mu.Unlock()
	return s.pushAll(ctx, entries)
}

// EnableBreakpoints switches breakpoints on or off by id and returns them as they are then.
func (s *Session) EnableBreakpoints(ctx context.Context, ids []int, on bool) ([]Breakpoint, error) {
	entries, err := s.changeable(ids)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	for _, e := range entries {
		e.Enabled = on
		if !on {
			e.ids = nil
		}
	}
	s.mu.Unlock()
	if err := s.pushAll(ctx, entries); err != nil {
		return nil, err
	}
	list := make([]Breakpoint, len(entries))
	for i, e := range entries {
		list[i] = s.breakpoint(e)
	}
	return list, nil
}

// changeable finds entries that can be changed now: watches need a program that stands still.
func (s *Session) changeable(ids []int) ([]*entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	entries := make([]*entry, len(ids))
	for i, id := range ids {
		if entries[i] = s.store.byID(id); entries[i] == nil {
			return nil, s.noBreakpoint(fmt.Sprintf("there is no breakpoint %d", id))
		}
		if entries[i].Kind == WatchBreakpoint && s.now.Status == Running {
			return nil, s.notStanding()
		}
	}
	return entries, nil
}

// pushAll tells the adapter each set that the entries belong to once.
func (s *Session) pushAll(ctx context.Context, entries []*entry) error {
	s.locate(ctx)
	for _, e := range oneOfEachSet(entries) {
		if err := s.push(ctx, e); err != nil {
			return err
		}
	}
	return nil
}
