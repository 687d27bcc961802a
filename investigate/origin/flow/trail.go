package flow

import (
	"slices"

	"aidb-mcp/internal/recording"
)

// trail is what was noted, in order.
type trail struct {
	log  []recording.Event
	code Code
	run  int
}

// indexFrom is the index of the first event whose number is at least seq.
func (t trail) indexFrom(seq int64) int {
	i, _ := slices.BinarySearchFunc(t.log, seq, func(e recording.Event, seq int64) int { return int(e.Seq - seq) })
	return i
}

// hasGapAfter says that events which followed event i were not kept.
func (t trail) hasGapAfter(i int) bool { return i+1 < len(t.log) && t.log[i+1].Seq > t.log[i].Seq+1 }

// callersOf are the callers of what an event happened in: noted with it, or as that began.
func (t trail) callersOf(e recording.Event) []string {
	if len(e.Stack) > 0 || e.Call == 0 {
		return e.Stack
	}
	i := slices.IndexFunc(t.log, func(o recording.Event) bool { return o.Kind == recording.Enter && o.Call == e.Call })
	if i < 0 {
		return nil
	}
	return t.log[i].Stack
}

// useOf finds the last event that tells what the statement of event i has read.
func (t trail) useOf(i int, call int64, thread string) (int, bool) {
	at := t.log[i].At
	for j := i - 1; j >= 0; j-- {
		e := t.log[j]
		if e.Kind == recording.Use && e.Call == call && e.Thread == thread {
			return j, e.At == at
		}
	}
	return 0, false
}

// firstUse is the first use of the statement to which use j belongs.
func (t trail) firstUse(j int) int {
	last := t.log[j]
	for i := j; last.More && i > 0; {
		i--
		if e := t.log[i]; e.Kind == recording.Use && e.Call == last.Call && e.Thread == last.Thread {
			j, last = i, e
		}
	}
	return j
}
