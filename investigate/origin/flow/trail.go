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

// isReadUnkept says that it was not kept what the statement of an event has read, or for a call that
// began that of its caller.
func (t trail) isReadUnkept(seq int64) bool {
	i := t.indexFrom(seq)
	if i >= len(t.log) {
		return false
	}
	e := t.log[i]
	if e.Kind != recording.Enter {
		use, _ := t.useOf(i, e.Call, e.Thread)
		return t.log[use].Kind == recording.Use && t.log[use].At == ""
	}
	for j := i - 1; j >= 0; j-- {
		u := t.log[j]
		if t.hasGapAfter(j) || u.Kind == recording.Use && u.Call != e.Call && u.Thread == e.Thread {
			return t.hasGapAfter(j) || u.At == ""
		}
	}
	return false
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
