package breakpoints

import (
	"slices"

	godap "github.com/google/go-dap"
)

// Some adapters begin to number breakpoints anew when the program runs, and so
// give an id twice (js-debug). Such an id tells nothing: what it is about is seen
// from the place.

// findShared marks the ids that a connection has given to several places.
func (s *Set) findShared(c Connection) {
	for _, e := range s.entries {
		b, held := e.bindings[c.N]
		if !held {
			continue
		}
		b.Shared = b.HasID && slices.ContainsFunc(s.entries, func(o *entry) bool {
			other, held := o.bindings[c.N]
			return held && other.HasID && other.ID == b.ID && !e.sharesPlace(o)
		})
		e.bindings[c.N] = b
	}
}

// sharesPlace says whether two breakpoints are sent as one.
func (e *entry) sharesPlace(o *entry) bool {
	if e.isLine() {
		return e.home() == o.home() && e.requestedLine() == o.requestedLine() && e.Column == o.Column
	}
	return e.home() == o.home() && e.Function == o.Function && e.DataID == o.DataID
}

// isBoundAt says whether what an adapter says of a place is about this breakpoint's.
func (e *entry) isBoundAt(b godap.Breakpoint) bool {
	if b.Source != nil && b.Source.Path != "" && b.Source.Path != e.Path() {
		return false
	}
	return b.Line == e.requestedLine() || b.Line == e.Line
}

// Telling leaves out of the ids of a stop those that several places share.
func (s *Set) Telling(connection int, ids []int) []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(ids), func(id int) bool {
		return slices.ContainsFunc(s.entries, func(e *entry) bool {
			b, held := e.bindings[connection]
			return held && b.Shared && b.ID == id
		})
	})
}
