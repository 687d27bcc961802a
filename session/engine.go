package session

import (
	"context"
	"sync"
	"time"

	"aidb-mcp/session/lifecycle"
)

// engine owns the state of a session: who wants to read or change it hands over what
// is to be done with it, and that is done by one after the other. None of it waits or
// asks anybody. An event that has moved the state wakes everybody who waits.
type engine struct {
	moved func(m *lifecycle.Machine) // what else follows from a move

	mu      sync.Mutex
	machine lifecycle.Machine
	changed chan struct{} // closed and replaced at each move
}

// change has something done with the state. It may panic: the state stays usable.
func (e *engine) change(event func(m *lifecycle.Machine)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	event(&e.machine)
	if !e.machine.TakeMoved() {
		return
	}
	e.moved(&e.machine)
	close(e.changed)
	e.changed = make(chan struct{})
}

// wake has everyone who waits look again.
func (e *engine) wake() { e.change((*lifecycle.Machine).Wake) }

// status is where the session stands.
func (e *engine) status() (now Status) {
	e.change(func(m *lifecycle.Machine) { now = m.Status() })
	return now
}

// motion is what has set the program going last.
func (e *engine) motion() (last lifecycle.Motion) {
	e.change(func(m *lifecycle.Machine) { last = m.Motion() })
	return last
}

// addNote adds a remark to the state, if it is still the one the remark is about.
func (e *engine) addNote(st State, note string) State {
	e.change(func(m *lifecycle.Machine) { m.Note(st.Status, note) })
	st.Note = note
	return st
}

// state is a copy of the state.
func (e *engine) state() (st State) {
	e.change(func(m *lifecycle.Machine) { st = m.State() })
	return st
}

// crashError is how the adapter has died, nil when it has not.
func (e *engine) crashError() (err error) {
	e.change(func(m *lifecycle.Machine) {
		if crash := m.Crash(); crash != nil {
			err = crash
		}
	})
	return err
}

// next is closed at the next move of the state. Ok is asked of the state before that.
func (e *engine) next(ok func(m *lifecycle.Machine) bool) (done bool, move <-chan struct{}) {
	e.change(func(m *lifecycle.Machine) { done, move = ok(m), e.changed })
	return done, move
}

// waitFor returns once ok answers true of the state, or ctx ends.
func (e *engine) waitFor(ctx context.Context, ok func(m *lifecycle.Machine) bool) error {
	for {
		done, move := e.next(ok)
		if done {
			return nil
		}
		select {
		case <-move:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// awaitBriefly waits for something that is expected at any moment.
func (e *engine) awaitBriefly(ctx context.Context, limit time.Duration, come func(*lifecycle.Machine) bool) bool {
	noticed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return e.waitFor(noticed, come) == nil
}

// hasEnded is for who waits for the end of a run.
func hasEnded(m *lifecycle.Machine) bool { return m.Status() == Terminated }
