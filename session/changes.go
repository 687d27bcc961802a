package session

import (
	"context"
	"maps"
	"slices"
	"sync"
)

// Changes tells one who follows all sessions which of them have changed since it
// last asked. Nobody waits for it: what happens meanwhile is told together.
type Changes struct {
	mu   sync.Mutex // guards the fields below; the last to be taken
	ids  map[string]bool
	list bool
	wake chan struct{} // has room for one
}

func newChanges() *Changes { return &Changes{ids: map[string]bool{}, wake: make(chan struct{}, 1)} }

// Wait waits for a change and returns the ids of the sessions that have changed
// their state, and whether there are others than before. False: ctx has ended.
func (c *Changes) Wait(ctx context.Context) (ids []string, list, ok bool) {
	select {
	case <-c.wake:
	case <-ctx.Done():
		return nil, false, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	ids, list = slices.Sorted(maps.Keys(c.ids)), c.list
	clear(c.ids)
	c.list = false
	return ids, list, true
}

// note notes that a session has changed, or with an empty id the list of them.
func (c *Changes) note(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if id == "" {
		c.list = true
	} else {
		c.ids[id] = true
	}
	select {
	case c.wake <- struct{}{}:
	default:
	}
}
