package session

import (
	"context"
	"fmt"

	"aidb-mcp/adapters"
)

// locate finds the definitions of functions that have breakpoints, where the
// adapter has no function breakpoints (or none that can be trusted) and the
// language can be read for them: such an entry is then sent as a line.
func (s *Session) locate(ctx context.Context) {
	s.mu.Lock()
	l := s.life
	if l == nil || l.plan == nil || l.root() == nil || s.now.Status == Terminated {
		s.mu.Unlock()
		return
	}
	finder, can := l.plan.Dialect.(adapters.DefinitionFinder)
	native := l.caps().SupportsFunctionBreakpoints
	var wanted []*entry
	for _, e := range s.store.entries {
		if e.Kind == FunctionBreakpoint && e.soughtBy != l {
			wanted = append(wanted, e)
		}
	}
	roots := append([]string{}, l.plan.Modules...)
	s.mu.Unlock()
	if !can || native || len(wanted) == 0 {
		return
	}
	if len(roots) == 0 {
		roots = []string{s.Workspace()}
	}
	for _, e := range wanted {
		places, like, err := finder.Definitions(ctx, e.Function, roots)
		if err != nil {
			s.log.Debug("definitions", "function", e.Function, "error", err)
		}
		s.mu.Lock()
		e.found(l, places, like)
		s.mu.Unlock()
	}
}

// found takes in where a function is defined; mu is held.
func (e *entry) found(l *life, places []adapters.Place, like []string) {
	e.soughtBy, e.asLine = l, len(places) > 0
	if !e.asLine {
		e.Verified, e.Similar = false, like
		e.said = fmt.Sprintf("no function %s was found in the source", e.Function)
		e.Message = e.said
		return
	}
	e.File, e.asked, e.Line = places[0].File, places[0].Line, places[0].Line
	if len(places) > 1 {
		e.Message = fmt.Sprintf("%d functions are called so; this is the first: name its class or module too, or use file:line", len(places))
	}
}

// lines says that an entry travels as a line of its file.
func (e *entry) lines() bool { return e.Kind == LineBreakpoint || e.asLine }
