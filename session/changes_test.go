package session

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Each follower is told of everything since it last asked, once and together; one
// that has ended costs nothing.
func TestChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewManager(Options{})
		first, second, gone := m.Changes(), m.Changes(), m.Changes()
		gone.End()
		for range 1000 {
			m.changes.add(News{ID: "go-1", Moved: true})
		}
		m.changes.add(News{ID: "go-1", Printed: true})
		m.changes.add(News{ID: "a-1", Recorded: true, Altered: true})
		m.changes.add(News{})
		for _, c := range []*Changes{first, second} {
			each, list, ok := c.Wait(t.Context())
			want := []News{{ID: "a-1", Recorded: true, Altered: true}, {ID: "go-1", Moved: true, Printed: true}}
			if diff := cmp.Diff(want, each); diff != "" || !list || !ok {
				t.Errorf("list %v, ok %v: %s", list, ok, diff)
			}
			soon, cancel := context.WithTimeout(t.Context(), time.Second)
			if each, list, ok := c.Wait(soon); ok {
				t.Errorf("told again: %v, %v", each, list)
			}
			cancel()
		}
		if len(gone.each) != 0 || len(m.changes.followers) != 2 {
			t.Errorf("who has ended is told %v; %d follow", gone.each, len(m.changes.followers))
		}
	})
}

// What is done with a session is told: what it did, and whether it changed anything.
func TestOperationsAndOutputAreChanges(t *testing.T) {
	m := NewManager(Options{})
	s := newSession(m, nil, StartRequest{})
	c := m.Changes()
	s.Record(Operation{})
	s.wake()
	if len(c.each) != 0 || c.list {
		t.Errorf("a session that nobody knows yet is told of: %v, %v", c.each, c.list)
	}
	s.id = "go-1"
	for _, test := range []struct {
		do   func()
		want News
	}{
		{func() { s.Record(Operation{Looked: true}) }, News{ID: "go-1", Recorded: true}},
		{func() { s.Record(Operation{}) }, News{ID: "go-1", Recorded: true, Altered: true}},
		{func() { s.out.Write("stdout", "text") }, News{ID: "go-1", Printed: true}},
	} {
		test.do()
		if each, _, ok := c.Wait(t.Context()); !ok || len(each) != 1 || each[0] != test.want {
			t.Errorf("told %v, want %v", each, test.want)
		}
	}
}
