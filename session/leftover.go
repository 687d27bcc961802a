package session

import (
	"context"
	"slices"

	"aidb-mcp/adapters"
)

// Some adapters number no breakpoints, never forget one that was removed, or
// call the end of a step a breakpoint. What such a stop is about is seen from
// the place where the program stands.

// place is a line that an adapter was told to stop at.
type place struct {
	file string
	line int
}

// placed remembers where an adapter was made to stop; mu is held.
func (t *store) mark(e *entry) {
	if e.Kind == WatchBreakpoint || !e.Verified || e.Line == 0 {
		return
	}
	if t.placed == nil {
		t.placed = map[place]bool{}
	}
	t.placed[place{e.File, e.Line}] = true
}

// leftovers says that the adapter was told of a breakpoint that is no more; mu is held.
func (t *store) leftovers() bool {
	for p := range t.placed {
		if t.leftover(p.file, p.line) {
			return true
		}
	}
	return false
}

// leftover says that a line has no breakpoint any more; mu is held.
func (t *store) leftover(file string, line int) bool {
	return t.placed[place{file, line}] && len(t.at(file, line)) == 0
}

// doubtful says that a stop's reason may not be the true one; mu is held.
func (l *life) doubtful(stop adapters.Stop) bool {
	if stop.Reason != "breakpoint" || len(stop.Hit) > 0 {
		return false
	}
	return stop.Vague || l.s.store.leftovers()
}

// doubt finds the true reason of a doubtful stop that no breakpoint explains: the
// end of a step, or nothing at all, which nobody wants to hear of.
func (l *life) doubt(ctx context.Context, k *link, stop *adapters.Stop, hit []*entry) (wanted bool) {
	s := l.s
	s.mu.Lock()
	doubtful, stepping := len(hit) == 0 && l.doubtful(*stop), slices.Contains([]motion{moveStep, moveOut}, s.now.motion)
	s.mu.Unlock()
	if !doubtful {
		return true
	}
	if stop.Vague && stepping {
		stop.Reason = "step"
		return true
	}
	top, err := topFrame(ctx, k, stop.ThreadID)
	if err != nil || top.Source == nil {
		return true
	}
	s.mu.Lock()
	left := s.store.leftover(top.Source.Path, top.Line)
	s.mu.Unlock()
	if left && stepping {
		stop.Reason = "step"
	}
	return !left || stepping
}
