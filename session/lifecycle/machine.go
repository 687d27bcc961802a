// Package lifecycle says in which state a session is, and what each event makes of
// it: a start, a stop of one of the program's connections, a resume and its refusal,
// the end of a connection, the end of the run.
//
//	event                     from              to
//	Begin                     any               starting
//	Launched                  starting          running
//	Arrive, of a connection   running           stopped; at another's stop it is held
//	Resume, Step              stopped           the next stop that is held, else running
//	Restore                   running           the stop that a refused request had left
//	Continued, Lose           stopped there     the next stop that is held, else running
//	End, Fail                 any               terminated
//
// A [Machine] is pure: it asks nobody, waits for nobody and holds no lock. Its owner
// guards it, and acts on what [Machine.TakeMoved] says after each event.
package lifecycle

import (
	"slices"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/session/breakpoints"
)

// Motion is what has set the program going.
type Motion int

// The motions.
const (
	ByStart Motion = iota
	ByContinue
	ByStep
	ByStepOut
)

// IsStep says whether a step has set the program going.
func (m Motion) IsStep() bool { return m == ByStep || m == ByStepOut }

// Stop is a stop of one connection, with what it means.
type Stop struct {
	Connection int // its number in the run
	Event      adapters.Stop
	Decision   breakpoints.Decision

	Number int    // among the stops of the session, once it is published
	Epoch  int    // of the state then
	After  Motion // what had set the program going
}

// Until is a run to temporary breakpoints. The stop that ends it fills in where it has come.
type Until struct{ Reached string }

// Machine is the state of a session. Its zero value has had no run.
type Machine struct {
	state   State
	run     int          // number of the run, from 1
	since   time.Time    // of the last resume or start
	epoch   int          // counts resumes and stops: what was learnt at another epoch is stale
	stops   int          // counts stops
	motion  Motion       // what set the program going last
	failed  error        // why the start failed
	crash   *fault.Error // the adapter died under way
	current *Stop        // nil while the program does not stand still
	held    []Stop       // stops that wait until another is let go, oldest first
	until   *Until       // the run_until under way
	each    map[int]*Connection
	moved   bool // something has changed that somebody may wait for
}

// Begin begins a further run, and gives it a number.
func (m *Machine) Begin() int {
	*m = Machine{
		state: State{Status: Starting, ThreadID: -1, Doing: "preparing"},
		run:   m.run + 1, since: time.Now(), epoch: m.epoch + 1, stops: m.stops, moved: true,
	}
	return m.run
}

// Is says whether this run is the session's and has not ended.
func (m *Machine) Is(run int) bool { return m.run == run && m.state.Status != Terminated }

// IsRun says whether this run is the session's.
func (m *Machine) IsRun(run int) bool { return m.run == run }

// Status is where the session stands.
func (m *Machine) Status() Status { return m.state.Status }

// State is a copy of the state.
func (m *Machine) State() State {
	st := m.state.clone()
	if st.Status == Running || st.Status == Starting {
		st.Running = time.Since(m.since)
	}
	return st
}

// Epoch counts resumes, stops and ends.
func (m *Machine) Epoch() int { return m.epoch }

// Motion is what has set the program going last.
func (m *Machine) Motion() Motion { return m.motion }

// Since is when the program was set going last.
func (m *Machine) Since() time.Time { return m.since }

// Failure is why the start failed, nil when it has not.
func (m *Machine) Failure() error { return m.failed }

// Crash is how the adapter has died, nil when it has not.
func (m *Machine) Crash() *fault.Error { return m.crash }

// Current is the stop at which the session stands; not ok while there is none.
func (m *Machine) Current() (at Stop, ok bool) {
	if m.current == nil {
		return Stop{}, false
	}
	return *m.current, true
}

// StopNumber is the number of that stop, 0 while there is none.
func (m *Machine) StopNumber() int {
	if m.current == nil {
		return 0
	}
	return m.current.Number
}

// StandsAt says that the session stands at a stop of this connection.
func (m *Machine) StandsAt(connection int) bool {
	return m.current != nil && m.current.Connection == connection
}

// IsAt says that the session still stands at this very stop.
func (m *Machine) IsAt(number, epoch int) bool {
	return m.current != nil && m.current.Number == number && m.current.Epoch == epoch
}

// TakeMoved says whether something has changed since it was asked last that somebody may
// wait for.
func (m *Machine) TakeMoved() bool {
	moved := m.moved
	m.moved = false
	return moved
}

// Wake has those who wait look again.
func (m *Machine) Wake() { m.moved = true }

// Doing notes what the start is busy with, and Progress how far that is.
func (m *Machine) Doing(what string) {
	if m.state.Status == Starting {
		m.state.Doing, m.state.Done, m.state.Total = what, 0, 0
	}
}

// Progress notes how far the current step of the start is.
func (m *Machine) Progress(done, total int) {
	if m.state.Status == Starting {
		m.state.Done, m.state.Total = done, total
	}
}

// Launched lets the program run that was starting.
func (m *Machine) Launched() {
	if m.state.Status == Starting {
		m.state.Status, m.state.Doing, m.state.Done, m.state.Total = Running, "", 0, 0
		m.since, m.moved = time.Now(), true
	}
}

// RunsFromNow says that what the program did before, it did by itself.
func (m *Machine) RunsFromNow() { m.since = time.Now() }

// Note puts a remark beside the state, if it is still the one that the remark is about.
func (m *Machine) Note(of Status, note string) {
	if m.state.Status == of {
		m.state.Note = note
	}
}

// Select makes another thread the one that the state shows.
func (m *Machine) Select(thread int) { m.state.ThreadID = thread }

// Credit names the breakpoints of a stop that came without them.
func (m *Machine) Credit(hit []int) { m.state.Hit = hit }

// End is the end of the run.
func (m *Machine) End(note string) {
	m.state = State{Status: Terminated, ThreadID: -1, Note: note}
	m.epoch++
	m.current, m.until, m.moved = nil, nil, true
}

// EndedWith says how the program has ended.
func (m *Machine) EndedWith(signal string, code *int) {
	m.state.Signal, m.state.ExitCode = signal, code
}

// Crashed says that the run has ended because its adapter has died.
func (m *Machine) Crashed(crash *fault.Error) { m.crash = crash }

// Panicked is the end of a run because this server has failed. One that had not started
// has failed to.
func (m *Machine) Panicked(crash *fault.Error) {
	starting := m.state.Status == Starting
	m.End(crash.Message)
	if starting {
		m.failed, m.state.Failed = crash, true
	} else {
		m.crash = crash
	}
}

// Fail is the end of a start.
func (m *Machine) Fail(why *fault.Error) {
	m.End("the start failed: " + why.Message)
	m.failed, m.state.Failed = why, true
}

// RunUntil notes that a run to temporary breakpoints is under way, nil: that none is.
func (m *Machine) RunUntil(u *Until) { m.until = u }

// Reach ends the run to temporary breakpoints, if there is one: it has come to a place, or
// stopped elsewhere.
func (m *Machine) Reach(place string) {
	if m.until != nil {
		m.until.Reached = place
		m.until, m.moved = nil, true
	}
}

// without are the stops of other connections.
func without(held []Stop, connection int) []Stop {
	return slices.DeleteFunc(slices.Clone(held), func(h Stop) bool { return h.Connection == connection })
}
