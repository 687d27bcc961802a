package resources

import (
	"context"

	"aidb-mcp/session"
)

// Watch tells one who follows the resources which of them are not what they were.
type Watch struct {
	changes    *session.Changes
	hasReports bool
}

// Watch begins to follow them.
func (l *Library) Watch() *Watch { return &Watch{l.o.Sessions.Changes(), l.o.Report != nil} }

// End gives it up.
func (w *Watch) End() { w.changes.End() }

// Wait waits for changes and returns the URIs of what has changed, and whether
// there are other resources than before. False: ctx has ended.
func (w *Watch) Wait(ctx context.Context) (changed []string, list, ok bool) {
	news, list, ok := w.changes.Wait(ctx)
	moved := list
	for _, n := range news {
		moved = moved || n.Moved
		if n.Moved || n.Altered {
			changed = append(changed, sessionURI(n.ID, ""), sessionURI(n.ID, "breakpoints"))
		}
		if n.Moved {
			changed = append(changed, sessionURI(n.ID, "stack"))
		}
		if n.Moved || n.Printed {
			changed = append(changed, sessionURI(n.ID, "output"))
		}
		if n.Moved || n.Recorded {
			changed = append(changed, sessionURI(n.ID, "transcript"))
		}
		if w.hasReports && (n.Moved || n.Printed || n.Recorded) {
			changed = append(changed, sessionURI(n.ID, reported))
		}
		if n.Recorded {
			changed = append(changed, Usage)
		}
	}
	if moved {
		changed = append(changed, Sessions)
	}
	return changed, list, ok
}
