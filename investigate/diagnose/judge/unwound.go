package judge

import (
	"slices"

	"aidb-mcp/internal/recording"
)

// findBeginning is where in a recorded run the failure came up whose moment this is: handlers,
// "finally" and what stops the program run after it, and it is only told then. It is the
// moment itself where no call shows that the failure left it, or none of the function in
// which it came up.
func (m Moment) findBeginning(events []recording.Event) int {
	if m.failure == "" || m.function == "" {
		return m.At
	}
	begun, at, end := m.beganAt(events), m.At, m.At
	for {
		i := m.lastLeft(events, begun, end)
		if i < 0 {
			return at
		}
		if lastName(events[i].Function) == lastName(m.function) {
			at = i
		}
		begun, end = beganBetween(begun, begun[events[i].Call], i), i
	}
}

// beganAt are the calls in which the failure may have come up, and where each began.
func (m Moment) beganAt(events []recording.Event) map[int64]int {
	calls := map[int64]int{}
	for i, e := range events[:m.At] {
		if e.Kind == recording.Enter && (m.threads == nil || slices.Contains(m.threads, e.Thread)) {
			calls[e.Call] = i
		}
	}
	return calls
}

// lastLeft is the last event before an end in which the failure left one of some calls, -1 where
// it has left none.
func (m Moment) lastLeft(events []recording.Event, calls map[int64]int, end int) int {
	for i := end - 1; i >= 0; i-- {
		e := events[i]
		if _, of := calls[e.Call]; of && e.Kind == recording.Leave && e.Raised && SameFailure(raisedText(e), m.failure) {
			return i
		}
	}
	return -1
}

// beganBetween are those of some calls that began between two events.
func beganBetween(calls map[int64]int, from, until int) map[int64]int {
	inner := map[int64]int{}
	for call, at := range calls {
		if from < at && at < until {
			inner[call] = at
		}
	}
	return inner
}

// withoutUnwinding leaves out what was called while the failure went through the calls around it.
func (m Moment) withoutUnwinding(events, until []recording.Event) []recording.Event {
	at := m.findBeginning(events)
	if at >= m.At {
		return until
	}
	late := map[int64]bool{}
	for _, e := range events[at:m.At] {
		if e.Kind == recording.Enter {
			late[e.Call] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(until), func(e recording.Event) bool { return late[e.Call] })
}
