package judge

import (
	"slices"

	"aidb-mcp/internal/recording"
)

// OwnTest leaves out the calls of other tests, with what they called: those that had ended
// before the failed test began, where the recorder tells that, and those of its function that
// had ended before the call which failed, which are the test with other parameters.
func (m Moment) OwnTest(events []recording.Event) []recording.Event {
	if len(m.threads) == 0 {
		return events
	}
	events = m.sinceBegan(events)
	thread, own := m.threads[0], recording.Event{}
	tops := map[int64]bool{} // calls in the thread that nothing of the user's made
	var under []int64
	for _, e := range events {
		switch {
		case e.Thread != thread:
		case e.Kind == recording.Enter:
			if len(under) == 0 {
				own, tops[e.Call] = e, true
			}
			under = append(under, e.Call)
		case e.Kind == recording.Leave:
			if at := slices.Index(under, e.Call); at >= 0 {
				under = under[:at]
			}
		}
	}
	other := int64(0)
	return slices.DeleteFunc(slices.Clone(events), func(e recording.Event) bool {
		if e.Thread == thread && e.Kind == recording.Enter && tops[e.Call] && e.Call != own.Call && e.Function == own.Function && e.At == own.At {
			other = e.Call
		}
		within := other != 0 && e.Thread == thread
		if e.Kind == recording.Leave && e.Call == other {
			other = 0
		}
		return within
	})
}

// sinceBegan leaves out the calls in the failed test's thread that nothing of the user's made
// and that had ended before that test began, with what they called.
func (m Moment) sinceBegan(events []recording.Event) []recording.Event {
	began := m.testBeganAt(events)
	if began < 0 {
		return events
	}
	var under []int64
	begins, isOther := map[int64]int{}, make([]bool, len(events))
	for i, e := range events[:began] {
		switch {
		case e.Thread != m.threads[0]:
		case e.Kind == recording.Enter:
			if len(under) == 0 || len(e.Stack) == 0 {
				begins[e.Call] = i
			}
			under = append(under, e.Call)
		case e.Kind == recording.Leave:
			if at := slices.Index(under, e.Call); at >= 0 {
				under = under[:at]
			}
			if from, ok := begins[e.Call]; ok {
				for k := range isOther[from : i+1] {
					isOther[from+k] = true
				}
				delete(begins, e.Call)
			}
		}
	}
	var kept []recording.Event
	for i, e := range events {
		if !isOther[i] || e.Thread != m.threads[0] {
			kept = append(kept, e)
		}
	}
	return kept
}

// testBeganAt is where the failed test began, or else the last one that did; -1 where that is not
// told.
func (m Moment) testBeganAt(events []recording.Event) int {
	last := -1
	for i, e := range slices.Backward(events) {
		switch {
		case e.Kind != recording.TestBegan:
		case m.Event == nil || e.Test == m.Event.Test:
			return i
		case last < 0:
			last = i
		}
	}
	return last
}
