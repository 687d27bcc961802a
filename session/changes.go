package session

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
)

// News is what has happened to a session since the last look.
type News struct {
	ID       string
	Moved    bool // its state is another one
	Altered  bool // an operation has changed something else: a breakpoint, a variable
	Recorded bool // an operation was added to its history
	Printed  bool // there is new output
}

// changes tells everybody who follows the sessions. It is the last lock to be taken.
type changes struct {
	mu        sync.Mutex // guards the fields below, and those of the followers
	followers map[*Changes]bool
}

// Changes tells one who follows all sessions which of them have changed since it
// last asked. Nobody waits for it: what happens meanwhile is told together.
type Changes struct {
	of   *changes
	each map[string]News
	list bool
	wake chan struct{} // has room for one
}

// Changes are those of all sessions from now on, for one to follow until it ends them.
func (m *Manager) Changes() *Changes {
	c := &Changes{of: &m.changes, each: map[string]News{}, wake: make(chan struct{}, 1)}
	m.changes.mu.Lock()
	defer m.changes.mu.Unlock()
	if m.changes.followers == nil {
		m.changes.followers = map[*Changes]bool{}
	}
	m.changes.followers[c] = true
	return c
}

// End gives the changes up.
func (c *Changes) End() {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	delete(c.of.followers, c)
}

// Wait waits for a change and returns the sessions that have changed, in the order
// of their ids, and whether there are others than before. False: ctx has ended.
func (c *Changes) Wait(ctx context.Context) (each []News, list, ok bool) {
	select {
	case <-c.wake:
	case <-ctx.Done():
		return nil, false, false
	}
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	each = slices.SortedFunc(maps.Values(c.each), func(a, b News) int { return cmp.Compare(a.ID, b.ID) })
	list = c.list
	clear(c.each)
	c.list = false
	return each, list, true
}

// add keeps what has happened to a session. An empty id means that the list of sessions
// has changed.
func (all *changes) add(what News) {
	all.mu.Lock()
	defer all.mu.Unlock()
	for c := range all.followers {
		if what.ID == "" {
			c.list = true
		} else {
			known := c.each[what.ID]
			c.each[what.ID] = News{
				ID: what.ID, Moved: known.Moved || what.Moved, Altered: known.Altered || what.Altered,
				Recorded: known.Recorded || what.Recorded, Printed: known.Printed || what.Printed,
			}
		}
		select {
		case c.wake <- struct{}{}:
		default:
		}
	}
}
