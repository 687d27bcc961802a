package lifecycle

import (
	"slices"
	"time"

	"aidb-mcp/session/breakpoints"
)

// Publish makes a stop the session's own.
func (m *Machine) Publish(stop Stop) {
	stepping := m.state.Status == Running && m.motion.IsStep()
	event, d := stop.Event, stop.Decision
	st := State{Status: statusOf(event.Reason), Reason: event.Reason, ThreadID: event.ThreadID, Hit: d.Hit}
	if d.Entry && m.until == nil {
		st.Status, st.Reason = StoppedEntry, "entry"
	}
	if event.Reason == "signal" {
		st.Signal = event.Description
	}
	st.Note = event.Error
	if st.Note == "" && stepping && st.Status != StoppedStep && st.Status != Paused {
		st.Note = "the step was cut short" + cutByText(st)
	}
	st.Note = JoinText(st.Note, m.otherStopsText(stop))
	m.state, m.since = st, time.Now()
	m.epoch++
	m.stops++
	stop.Number, stop.Epoch, stop.After = m.stops, m.epoch, m.motion
	m.current, m.moved = &stop, true
}

// Arrive publishes a stop, or holds it while the session stands at the stop of another
// connection.
func (m *Machine) Arrive(stop Stop) {
	if m.current != nil && m.current.Connection != stop.Connection {
		m.held = append(without(m.held, stop.Connection), stop)
		return
	}
	m.Publish(stop)
}

// ArriveTogether is Arrive of the first of several stops of one connection; the rest is
// shown one after the other before anything runs again.
func (m *Machine) ArriveTogether(first Stop, rest []Stop) {
	m.held = append(without(m.held, first.Connection), rest...)
	m.Arrive(first)
	m.Reach(first.Decision.Reached)
}

// letRun is the state of a program that has been let go.
func (m *Machine) letRun(how Motion) {
	m.state = State{Status: Running, ThreadID: -1}
	m.since = time.Now()
	m.epoch++
	m.motion, m.current, m.moved = how, nil, true
}

// publishHeld publishes the oldest stop that was held.
func (m *Machine) publishHeld() {
	if len(m.held) == 0 {
		return
	}
	next := m.held[0]
	m.held = m.held[1:]
	m.Publish(next)
}

// PublishNext publishes the next stop that a connection's threads have made together with
// the last one, and says whether there is one: the program stands still meanwhile. Enabled
// are those of some breakpoints that still are: others have stopped nobody. A run to a place
// passes over what is held.
func (m *Machine) PublishNext(connection int, enabled func(ids []int) []int) bool {
	for m.until == nil {
		i := slices.IndexFunc(m.held, func(h Stop) bool { return h.Connection == connection })
		if i < 0 {
			return false
		}
		next := m.held[i]
		m.held = slices.Delete(m.held, i, i+1)
		if hit := next.Decision.Hit; len(hit) > 0 {
			if next.Decision.Hit = enabled(hit); len(next.Decision.Hit) == 0 {
				continue
			}
		}
		m.letRun(ByContinue)
		m.Publish(next)
		return true
	}
	return false
}

// Before is the state before a resume, to which a refused one returns.
type Before struct {
	machine Machine
}

// Resume lets a connection's program go. What it was told of the connection's threads
// beside the current stop is passed over. It answers with what to give to Restore, and
// with the epoch that has begun.
func (m *Machine) Resume(connection int, how Motion) (before Before, epoch int) {
	before = Before{*m}
	m.held = without(m.held, connection)
	m.letRun(how)
	k := m.Of(connection)
	k.owed, k.letGo = true, true
	return before, m.epoch
}

// Resumed is a resume that was sent: the stops of other connections can be shown, unless
// more has happened.
func (m *Machine) Resumed(epoch int) {
	if m.epoch == epoch {
		m.publishHeld()
	}
}

// Restore restores the stop that a refused request would have ended, unless more has
// happened since.
func (m *Machine) Restore(epoch int, before Before) {
	if m.epoch != epoch || m.state.Status != Running {
		return
	}
	old := before.machine
	m.state, m.since, m.epoch, m.motion = old.state, old.since, old.epoch, old.motion
	m.current, m.held, m.moved = old.current, old.held, true
}

// SelectStop makes the stop of another connection the current one, when it was held for
// it. False: that connection's program runs.
func (m *Machine) SelectStop(connection int) bool {
	i := slices.IndexFunc(m.held, func(h Stop) bool { return h.Connection == connection })
	if i < 0 {
		return false
	}
	next, was := m.held[i], *m.current
	was.Decision = breakpoints.Decision{}
	m.held = append(without(m.held, connection), was)
	m.Publish(next)
	return true
}

// Continued is the adapter's word that a connection's program runs, unless it is the late
// echo of a resume of ours whose stop has come already; then it answers true.
func (m *Machine) Continued(connection int) (echo bool) {
	if k := m.Of(connection); k.owed {
		k.owed = false
		return true
	}
	m.Lose(connection)
	return false
}

// Lose gives the stops of a connection up, whose program runs by itself or has ended.
func (m *Machine) Lose(connection int) {
	m.held = without(m.held, connection)
	if m.StandsAt(connection) {
		m.letRun(ByContinue)
		m.publishHeld()
	}
}

// Jumped is the stop after a jump that the adapter announces by no event.
func (m *Machine) Jumped(stop Stop) {
	m.motion = ByContinue
	m.Publish(stop)
}
