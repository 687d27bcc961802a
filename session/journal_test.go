package session

import (
	"testing"

	"aidb-mcp/session/lifecycle"
)

// A journal that nobody reads keeps the newest, and one that is read is empty.
func TestJournalKeepsTheNewest(t *testing.T) {
	j := newJournal()
	for n := range kept + 3 {
		j.add(Event{Epoch: n})
	}
	if !j.Wait(t.Context()) {
		t.Fatal("nothing to take")
	}
	events := j.Take()
	if len(events) != kept || events[0].Epoch != 3 || events[kept-1].Epoch != kept+2 {
		t.Errorf("%d events, from %d", len(events), events[0].Epoch)
	}
	if left := j.Take(); left != nil {
		t.Errorf("left are %v", left)
	}
}

// Each state is one event, however often it is told.
func TestJournalHasEachStateOnce(t *testing.T) {
	m := NewManager(Options{})
	s := newSession(m, nil, StartRequest{})
	s.id = "go-1"
	s.change(func(m *lifecycle.Machine) { m.Begin() })
	s.wake()
	s.change((*lifecycle.Machine).Launched)
	s.wake()
	s.change(func(m *lifecycle.Machine) { m.End("") })
	var got []Status
	for _, e := range m.Journal().Take() {
		got = append(got, e.State.Status)
	}
	if len(got) != 3 || got[0] != Starting || got[1] != Running || got[2] != Terminated {
		t.Errorf("events are %v", got)
	}
}
