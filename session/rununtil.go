package session

import (
	"context"
	"fmt"
	"strings"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
)

// until is a run to temporary breakpoints. The stop that ends it fills in
// reached; the session's mu guards it.
type until struct {
	reached string
}

// note takes the location that was hit from the entries of the stop.
func (u *until) note(hit []*entry) {
	for _, e := range hit {
		if e.Temporary && e.where != "" {
			u.reached = e.where
			return
		}
	}
}

// RunUntil continues to one of the locations through temporary breakpoints,
// which are gone afterwards (also when the wait ended first and the program
// stops later); others are untouched. Reached is the location that was hit,
// empty when the program stopped elsewhere.
func (s *Session) RunUntil(ctx context.Context, locations []string, condition string, d time.Duration) (st State, reached string, err error) {
	if _, err := s.standing(); err != nil {
		return s.State(), "", err
	}
	entries, err := s.temporaries(locations, condition)
	if err != nil {
		return s.State(), "", err
	}
	note, err := s.plant(ctx, entries)
	if err != nil {
		return s.State(), "", err
	}
	u := &until{}
	s.mu.Lock()
	s.until = u
	s.mu.Unlock()
	if err := s.Continue(ctx, 0); err != nil {
		s.uproot(ctx, entries)
		return s.State(), "", err
	}
	st, err = s.Wait(ctx, d)
	if note != "" && err == nil {
		st = s.setNote(st, joinText(note, st.Note))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return st, u.reached, err
}

func (s *Session) temporaries(locations []string, condition string) ([]*entry, error) {
	if len(locations) == 0 {
		return nil, fault.New(fault.MissingParam, "run_until needs a location").WithField("location")
	}
	entries := make([]*entry, 0, len(locations))
	for _, where := range locations {
		spec, err := s.ResolveLocation(where)
		if err != nil {
			return nil, err
		}
		spec.Condition = condition
		e, err := s.entryFor(spec)
		if err != nil {
			return nil, err
		}
		e.Temporary, e.where = true, where
		entries = append(entries, e)
	}
	return entries, nil
}

// plant sets the temporary breakpoints. None that binds is an error; some that
// do not are a remark.
func (s *Session) plant(ctx context.Context, entries []*entry) (note string, err error) {
	s.mu.Lock()
	s.store.entries = append(s.store.entries, entries...)
	s.mu.Unlock()
	if err := s.pushAll(ctx, entries); err != nil {
		s.uproot(ctx, entries)
		return "", err
	}
	var unbound []string
	for _, e := range entries {
		if !s.breakpoint(e).Verified && !s.plantByLine(ctx, e) {
			unbound = append(unbound, s.explainTemporary(ctx, e))
		}
	}
	switch {
	case len(unbound) == len(entries):
		s.uproot(ctx, entries)
		return "", fault.New(fault.Breakpoint, "cannot run to %s", strings.Join(unbound, "; nor to ")).
			WithHint("choose a line that has code, or a function of the program")
	case len(unbound) > 0:
		return "not waited for: " + strings.Join(unbound, "; "), nil
	}
	return "", nil
}

// plantByLine tries a function that does not bind by the line of its first
// instruction: adapters refuse two breakpoints at one place of different kinds,
// while those on one line travel together.
func (s *Session) plantByLine(ctx context.Context, e *entry) bool {
	if e.Kind != FunctionBreakpoint {
		return false
	}
	if _, ok := s.dialect().(adapters.AddressFinder); !ok {
		return false
	}
	first, err := s.Disassemble(ctx, e.Function, 0, 0, 1)
	if err != nil || len(first) == 0 || first[0].Line == 0 {
		return false
	}
	s.mu.Lock()
	e.Kind, e.File, e.asked, e.Line = LineBreakpoint, first[0].File, first[0].Line, first[0].Line
	s.mu.Unlock()
	return s.push(ctx, e) == nil && s.breakpoint(e).Verified
}

// explainTemporary says why a temporary breakpoint does not bind.
func (s *Session) explainTemporary(ctx context.Context, e *entry) string {
	if l, root, err := s.live(); err == nil {
		ctx, cancel := context.WithTimeout(ctx, explainLimit)
		defer cancel()
		s.explain(ctx, l, root, e)
	}
	b := s.breakpoint(e)
	text := e.where
	if b.Message != "" {
		text += ": " + b.Message
	}
	if len(b.Nearest) > 0 {
		text += fmt.Sprintf(" (nearest lines with code: %s)", strings.Trim(fmt.Sprint(b.Nearest), "[]"))
	}
	if len(b.Similar) > 0 {
		text += fmt.Sprintf(" (similar: %s)", strings.Join(b.Similar, ", "))
	}
	return text
}

// uproot takes temporary breakpoints away when the run did not begin.
func (s *Session) uproot(ctx context.Context, entries []*entry) {
	s.mu.Lock()
	s.until = nil
	for _, e := range entries {
		s.store.remove(e)
	}
	s.mu.Unlock()
	if err := s.pushAll(ctx, entries); err != nil {
		s.log.Debug("remove temporary breakpoints", "error", err)
	}
}
