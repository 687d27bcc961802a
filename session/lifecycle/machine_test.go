package lifecycle

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/session/breakpoints"
)

// at is a stop of a connection's thread.
func at(connection int, reason string, hit ...int) Stop {
	return Stop{
		Connection: connection,
		Event:      adapters.Stop{Reason: reason, ThreadID: 1 + 1000*connection, HasThread: true},
		Decision:   breakpoints.Decision{Stop: true, Hit: hit},
	}
}

// all are the breakpoints that are enabled.
func all(ids []int) []int { return ids }

// event is something that happens to a machine, under a name.
type event struct {
	name string
	does func(m *Machine)
}

func launched() event { return event{"launched", (*Machine).Launched} }
func arrive(s Stop) event {
	return event{fmt.Sprintf("arrive %d %s", s.Connection, s.Event.Reason), func(m *Machine) { m.Arrive(s) }}
}
func resume(connection int, how Motion) event {
	return event{fmt.Sprintf("resume %d", connection), func(m *Machine) {
		_, epoch := m.Resume(connection, how)
		if how == ByContinue {
			m.Resumed(epoch)
		}
	}}
}
func next(connection int) event {
	return event{"next", func(m *Machine) { m.PublishNext(connection, all) }}
}
func continued(connection int) event {
	return event{"continued", func(m *Machine) { m.Continued(connection) }}
}
func lose(connection int) event { return event{"lose", func(m *Machine) { m.Lose(connection) }} }
func end() event                { return event{"end", func(m *Machine) { m.End("over") }} }

func TestWhatEachEventMakesOfTheState(t *testing.T) {
	for name, c := range map[string]struct {
		events []event
		want   []Status
		thread int
	}{
		"a stop and on": {
			[]event{launched(), arrive(at(0, "breakpoint", 1)), resume(0, ByContinue), end()},
			[]Status{Running, StoppedBreakpoint, Running, Terminated}, -1},
		"an early stop": {[]event{arrive(at(0, "entry"))}, []Status{StoppedEntry}, 1},
		"the stop of another connection waits": {
			[]event{launched(), arrive(at(0, "breakpoint", 1)), arrive(at(1, "exception")), resume(0, ByContinue)},
			[]Status{Running, StoppedBreakpoint, StoppedBreakpoint, StoppedException}, 1001},
		"a step leaves it waiting": {
			[]event{launched(), arrive(at(0, "breakpoint", 1)), arrive(at(1, "exception")), resume(0, ByStep), arrive(at(0, "step"))},
			[]Status{Running, StoppedBreakpoint, StoppedBreakpoint, Running, StoppedStep}, 1},
		"the connection that is shown ends": {
			[]event{launched(), arrive(at(1, "breakpoint", 1)), arrive(at(0, "pause")), lose(1)},
			[]Status{Running, StoppedBreakpoint, StoppedBreakpoint, Paused}, 1},
		"one that waits ends": {
			[]event{launched(), arrive(at(0, "breakpoint", 1)), arrive(at(1, "pause")), lose(1), resume(0, ByContinue)},
			[]Status{Running, StoppedBreakpoint, StoppedBreakpoint, StoppedBreakpoint, Running}, -1},
		"the echo of our own resume": {
			[]event{launched(), arrive(at(0, "breakpoint", 1)), resume(0, ByContinue), arrive(at(0, "breakpoint", 2)), continued(0), continued(0)},
			[]Status{Running, StoppedBreakpoint, Running, StoppedBreakpoint, StoppedBreakpoint, Running}, -1},
		"stops made together are shown one after the other": {
			[]event{launched(), {"together", func(m *Machine) { m.ArriveTogether(at(0, "breakpoint", 1), []Stop{at(0, "exception")}) }}, next(0), next(0)},
			[]Status{Running, StoppedBreakpoint, StoppedException, StoppedException}, 1},
		"a failed start": {[]event{{"fail", func(m *Machine) { m.Fail(fault.New(fault.SessionStart, "no")) }}}, []Status{Terminated}, -1},
	} {
		t.Run(name, func(t *testing.T) {
			var m Machine
			m.Begin()
			m.TakeMoved()
			for i, e := range c.events {
				before, epoch := m.Status(), m.Epoch()
				e.does(&m)
				if m.Status() != c.want[i] {
					t.Fatalf("%s: %s after %s, wanted %s", e.name, m.Status(), before, c.want[i])
				}
				if moved := m.Status() != before || m.Epoch() != epoch; m.TakeMoved() != moved {
					t.Errorf("%s: moved %v", e.name, !moved)
				}
			}
			if st := m.State(); st.ThreadID != c.thread {
				t.Errorf("thread %d, wanted %d", st.ThreadID, c.thread)
			}
		})
	}
}

func TestARefusedResumeRestoresItsStop(t *testing.T) {
	var m Machine
	m.Begin()
	m.Launched()
	m.Arrive(at(0, "breakpoint", 3))
	stop, _ := m.Current()
	before, epoch := m.Resume(0, ByStep)
	if m.StopNumber() != 0 || m.Motion() != ByStep {
		t.Fatalf("state %+v", m.State())
	}
	m.Restore(epoch, before)
	if st := m.State(); !m.IsAt(stop.Number, stop.Epoch) || st.Status != StoppedBreakpoint || !slices.Equal(st.Hit, []int{3}) {
		t.Errorf("state %+v", st)
	}
	before, epoch = m.Resume(0, ByStep)
	m.Arrive(at(0, "step"))
	m.Restore(epoch, before) // too late: it has stopped since
	if st := m.State(); st.Status != StoppedStep || m.IsAt(stop.Number, stop.Epoch) {
		t.Errorf("state %+v", st)
	}
}

func TestAStopIsSelectedAmongThoseThatWait(t *testing.T) {
	var m Machine
	m.Begin()
	m.Launched()
	m.Arrive(at(0, "breakpoint", 1))
	if m.SelectStop(1) {
		t.Error("a connection that runs was selected")
	}
	m.Arrive(at(1, "pause"))
	if !m.SelectStop(1) || !m.StandsAt(1) || m.Status() != Paused {
		t.Fatalf("state %+v", m.State())
	}
	_, epoch := m.Resume(1, ByContinue)
	m.Resumed(epoch)
	if !m.StandsAt(0) || len(m.State().Hit) != 0 {
		t.Errorf("state %+v: wanted the first stop, whose hit was counted before", m.State())
	}
}

func TestEventsOfAnEarlierRun(t *testing.T) {
	var m Machine
	first := m.Begin()
	m.Arrive(at(0, "breakpoint", 1))
	stops, epoch := m.StopNumber(), m.Epoch()
	m.End("over")
	if m.Is(first) || !m.IsRun(first) {
		t.Error("an ended run is current")
	}
	second := m.Begin()
	if m.Is(first) || !m.Is(second) || m.StopNumber() != 0 || m.Epoch() <= epoch {
		t.Errorf("state %+v", m.State())
	}
	m.Arrive(at(0, "breakpoint", 1))
	if m.StopNumber() <= stops {
		t.Error("the number of a stop was used twice")
	}
}

func TestARunToAPlace(t *testing.T) {
	var m Machine
	m.Begin()
	m.ArriveTogether(at(0, "breakpoint", 1), []Stop{at(0, "exception")})
	u := &Until{}
	m.RunUntil(u)
	if m.PublishNext(0, all) {
		t.Error("a run to a place was stopped by what is held")
	}
	m.Resume(0, ByContinue)
	reached := at(0, "breakpoint")
	reached.Decision.Reached = "calc.go:7"
	m.ArriveTogether(reached, nil)
	if u.Reached != "calc.go:7" {
		t.Errorf("reached %q", u.Reached)
	}
}

func TestBreakpointsThatAreGoneHaveStoppedNobody(t *testing.T) {
	var m Machine
	m.Begin()
	m.ArriveTogether(at(0, "breakpoint", 1), []Stop{at(0, "breakpoint", 2), at(0, "breakpoint", 3)})
	enabled := func(ids []int) []int {
		return slices.DeleteFunc(slices.Clone(ids), func(id int) bool { return id == 2 })
	}
	if !m.PublishNext(0, enabled) || !slices.Equal(m.State().Hit, []int{3}) {
		t.Errorf("state %+v", m.State())
	}
}

func TestNotes(t *testing.T) {
	var m Machine
	m.Begin()
	m.Launched()
	m.Arrive(at(0, "step"))
	m.Resume(0, ByStep)
	m.Arrive(at(0, "breakpoint", 4))
	if note := m.State().Note; note != "the step was cut short by breakpoint 4" {
		t.Errorf("note %q", note)
	}
	m.ArriveTogether(at(0, "breakpoint", 1), []Stop{at(0, "breakpoint", 1), at(0, "exception")})
	if note := m.State().Note; !strings.Contains(note, "thread 1 is at breakpoint 1 too, thread 1 is stopped too by exception (continue shows each)") {
		t.Errorf("note %q", note)
	}
}

func TestPauses(t *testing.T) {
	var k Connection
	if k.Try(1) {
		t.Error("the first try was the last")
	}
	if !k.Try(1) || k.Tries() != 2 {
		t.Error("the second was not")
	}
	k.Pausing = true
	stop := adapters.Stop{Reason: "step"}
	if n := k.Come(&stop, ByContinue); n != 1 || stop.Reason != "pause" || k.Pausing {
		t.Errorf("stop %+v, connection %+v", stop, k)
	}
	if k.IsAttachEcho(adapters.Stop{Reason: "pause"}) != true {
		t.Error("no echo of the attach")
	}
	k.LetGo()
	if k.IsAttachEcho(adapters.Stop{Reason: "pause"}) || !k.IsOwed() {
		t.Error("a pause after a resume is no echo")
	}
}

func TestErrorsOfAState(t *testing.T) {
	three := 3
	for want, st := range map[string]State{
		"still starting (building)": {Status: Starting, Doing: "building"},
		"is running":                {Status: Running},
		"exit code 3":               {Status: Terminated, ExitCode: &three},
		"ended by SIGKILL":          {Status: Terminated, Signal: "SIGKILL"},
		"has ended: lost":           {Status: Terminated, Note: "lost"},
	} {
		if err := st.NotStoppedError(); !strings.Contains(err.Error(), want) {
			t.Errorf("%v, wanted %q", err, want)
		}
	}
}
