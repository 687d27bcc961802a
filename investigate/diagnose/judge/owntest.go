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
	calls := m.rootCalls(events)
	own := recording.Event{}
	for _, c := range calls {
		if !c.isWithin {
			own = events[c.begin]
		}
	}
	began, isOther := m.testBeganAt(events), make([]bool, len(events))
	for _, c := range calls {
		e := events[c.begin]
		isSame := !c.isWithin && e.Call != own.Call && e.Function == own.Function && e.At == own.At
		if c.end < began || isSame {
			for i := c.begin; i <= min(c.end, len(events)-1); i++ {
				isOther[i] = events[i].Thread == m.threads[0]
			}
		}
	}
	var kept []recording.Event
	for i, e := range events {
		if !isOther[i] {
			kept = append(kept, e)
		}
	}
	return kept
}

// rootCall is a call that nothing of the user's has made.
type rootCall struct {
	begin, end int  // its events; of one that stands the end is after all of them
	isWithin   bool // while another one stands, which waits
}

// rootCalls are those in the failed test's thread, in order.
func (m Moment) rootCalls(events []recording.Event) (calls []rootCall) {
	var under []int64
	known := map[int64]int{} // their places in the list
	for i, e := range events {
		switch {
		case e.Thread != m.threads[0]:
		case e.Kind == recording.Enter:
			if len(under) == 0 || len(e.Stack) == 0 {
				known[e.Call] = len(calls)
				calls = append(calls, rootCall{i, len(events), len(under) > 0})
			}
			under = append(under, e.Call)
		case e.Kind == recording.Leave:
			if at := slices.Index(under, e.Call); at >= 0 {
				under = under[:at]
			}
			if n, is := known[e.Call]; is {
				calls[n].end = i
			}
		}
	}
	return calls
}

// testBeganAt is where the failed test began, or else the last one that did; -1 where that is not
// told.
func (m Moment) testBeganAt(events []recording.Event) int {
	last := -1
	for i, e := range slices.Backward(events) {
		switch {
		case e.Kind != recording.TestBegan:
		case m.Event == nil || e.Test() == m.Event.Test():
			return i
		case last < 0:
			last = i
		}
	}
	return last
}
