package flow

import (
	"slices"
	"strings"

	"aidb-mcp/internal/recording"
	"aidb-mcp/investigate/evidence"
)

// findUnnotedChange finds that what a value is, or refers to, is not as it was left by the last write
// to it that was noted, which is event last, or by those to its parts that came after
// event whole, with which it was put there: then something has changed it that was not
// seen.
func (t trail) findUnnotedChange(last, whole int, s sight) (*Step, evidence.Observation) {
	if t.isWriteUnderWay(s) {
		return nil, evidence.Observation{}
	}
	if step, found := t.firstSeenOtherwise(last, s); step != nil {
		return step, found
	}
	for _, part := range s.value.Parts() {
		i := t.lastWriteTo(whole, s.before, part)
		if i < 0 || !isRewritten(t.log[i].Values[1], part) || t.isOverwritten(i, part, s) {
			continue
		}
		return t.changeFoundAt(s.before, t.log[i], t.log[i].Values[1], part)
	}
	return nil, evidence.Observation{}
}

// isWriteUnderWay says whether the next event of another thread, after a value was
// looked at, is a write to a part of it: that may have been made already.
func (t trail) isWriteUnderWay(s sight) bool {
	began := map[string]bool{}
	for _, e := range t.log[min(s.before, len(t.log)):] {
		if began[e.Thread] {
			continue
		}
		began[e.Thread] = true
		if e.Kind == recording.Write && len(e.Values) == 2 && writesPartOf(e, s.value) {
			return true
		}
	}
	return false
}

// changeFoundAt is the step of a change which was found at an event, and before that was not
// there at another.
func (t trail) changeFoundAt(i int, before recording.Event, was, now recording.Value) (*Step, evidence.Observation) {
	step := stepAt(t.log[min(i, len(t.log)-1)], Unseen, now)
	step.Was, step.Since = was, before.At
	return step, t.readObservation(before, "before that", was)
}

// lastWriteTo is the last event between two that wrote to the very place of a part; -1: none.
func (t trail) lastWriteTo(from, before int, part recording.Value) int {
	for i := before - 1; i > from; i-- {
		e := t.log[i]
		if e.Kind == recording.Write && len(e.Values) == 2 && e.Place == part.Place && e.Values[1].Size() == part.Size() {
			return i
		}
	}
	return -1
}

// isOverwritten says whether an event after another has written over a part, together
// with what lies around it.
func (t trail) isOverwritten(i int, part recording.Value, s sight) bool {
	around := recording.Value{Place: part.Place, Extent: &recording.Extent{Size: max(part.Size(), 1)}}
	for j := i + 1; j < s.before; j++ {
		e := t.log[j]
		if e.Kind != recording.Write || len(e.Values) < 2 {
			continue
		}
		_, longer := t.isExtension(j, around)
		if longer || writesPartOf(e, around) || strings.HasSuffix(e.Place, "[*]") && e.Values[1].Of == s.value.Same {
			return true
		}
	}
	return false
}

// isRewritten says whether a place no longer holds what was left there, whatever has
// become of what that refers to.
func isRewritten(left, now recording.Value) bool {
	switch {
	case left.Same != "" || now.Same != "":
		return left.Same != now.Same
	case left.Memory() != "" && left.Memory() == now.Memory():
		return false
	}
	return recording.Compare(left, now) == recording.Different
}

// firstSeenOtherwise finds the event that first showed the value as it is now, where
// events after the write had shown it as another.
func (t trail) firstSeenOtherwise(write int, s sight) (*Step, evidence.Observation) {
	if s.value.Memory() == "" {
		return nil, evidence.Observation{}
	}
	first := s.before
	for i := s.before - 1; i >= write; i-- {
		v, looked := memoryShown(t.log[i], s.value)
		if !looked || !t.isAfter(i, write) {
			continue
		}
		if v.Memory() != s.value.Memory() {
			return t.changeFoundAt(first, t.log[i], v, s.value)
		}
		first = i
	}
	return nil, evidence.Observation{}
}

// memoryShown is what an event shows of the memory in which a value lies.
func memoryShown(e recording.Event, v recording.Value) (recording.Value, bool) {
	list := e.Values
	if e.Kind == recording.Write {
		list = list[min(1, len(list)):]
		if len(list) == 1 && list[0].Around() != "" && list[0].Of == v.Same {
			return recording.Value{Same: v.Same, Extent: &recording.Extent{Memory: list[0].Around()}}, true
		}
	}
	k := slices.IndexFunc(list, func(o recording.Value) bool { return o.Memory() != "" && isSameMemory(o, v) })
	if k < 0 {
		return recording.Value{}, false
	}
	return list[k], true
}

// isSameMemory says that two values are, or refer to, the same memory.
func isSameMemory(a, b recording.Value) bool {
	at := func(v recording.Value) (string, int64) {
		if v.Same != "" {
			return v.Same, v.Span()
		}
		return v.Place, v.Size()
	}
	placeA, sizeA := at(a)
	placeB, sizeB := at(b)
	return placeA != "" && placeA == placeB && sizeA == sizeB
}

// isAfter says whether what an event shows was looked at after a write, or with it. In
// another thread it may have been looked at before, unless that thread has noted
// something in between.
func (t trail) isAfter(i, write int) bool {
	if t.log[i].Thread == t.log[write].Thread {
		return true
	}
	return slices.ContainsFunc(t.log[write:i], func(e recording.Event) bool { return e.Thread == t.log[i].Thread })
}
