package flow

import (
	"slices"
	"strings"

	"aidb-mcp/internal/recording"
	"aidb-mcp/investigate/evidence"
)

// since finds that what a value is, or refers to, is not as it was left by the last write
// to it that was noted, which is event last, or by those to its parts that came after
// event whole, with which it was put there: then something has changed it that was not
// seen.
func (t trail) since(last, whole int, s sight) (*Step, evidence.Observation) {
	if t.underWay(s) {
		return nil, evidence.Observation{}
	}
	if step, found := t.otherwise(last, s); step != nil {
		return step, found
	}
	for _, part := range s.value.Parts {
		i := t.wrote(whole, s.before, part)
		if i < 0 || !rewritten(t.log[i].Values[1], part) || t.overwritten(i, part, s) {
			continue
		}
		return t.foundAt(s.before, t.log[i], t.log[i].Values[1], part)
	}
	return nil, evidence.Observation{}
}

// underWay says that what was noted next of another thread, as a value was looked at, is a
// write to a part of it: that may have been made already.
func (t trail) underWay(s sight) bool {
	began := map[string]bool{}
	for _, e := range t.log[min(s.before, len(t.log)):] {
		if began[e.Thread] {
			continue
		}
		began[e.Thread] = true
		if e.Kind == recording.Write && len(e.Values) == 2 && partOf(e, s.value) {
			return true
		}
	}
	return false
}

// foundAt is the step of a change which was found at an event, and before that was not
// there at another.
func (t trail) foundAt(i int, before recording.Event, was, now recording.Value) (*Step, evidence.Observation) {
	step := stepAt(t.log[min(i, len(t.log)-1)], Unseen, now)
	step.Was, step.Since = was, before.At
	return step, t.read(before, "before that", was)
}

// wrote is the last event between two that wrote to the very place of a part; -1: none.
func (t trail) wrote(from, before int, part recording.Value) int {
	for i := before - 1; i > from; i-- {
		e := t.log[i]
		if e.Kind == recording.Write && len(e.Values) == 2 && e.Place == part.Place && e.Values[1].Size == part.Size {
			return i
		}
	}
	return -1
}

// overwritten says that something else was noted to have written over a part after an
// event, with what lies around it.
func (t trail) overwritten(i int, part recording.Value, s sight) bool {
	around := recording.Value{Place: part.Place, Size: max(part.Size, 1)}
	for j := i + 1; j < s.before; j++ {
		e := t.log[j]
		if e.Kind != recording.Write || len(e.Values) < 2 {
			continue
		}
		_, longer := t.extends(j, around)
		if longer || partOf(e, around) || strings.HasSuffix(e.Place, "[*]") && e.Values[1].Of == s.value.Same {
			return true
		}
	}
	return false
}

// rewritten says that what lies in a place is not what was left there, whatever has
// become of what that leads to.
func rewritten(left, now recording.Value) bool {
	switch {
	case left.Same != "" || now.Same != "":
		return left.Same != now.Same
	case left.Memory != "" && left.Memory == now.Memory:
		return false
	}
	return recording.Compare(left, now) == recording.Different
}

// otherwise finds the event at which a value was seen first as it is, where it was seen
// as another from a write on.
func (t trail) otherwise(write int, s sight) (*Step, evidence.Observation) {
	if s.value.Memory == "" {
		return nil, evidence.Observation{}
	}
	first := s.before
	for i := s.before - 1; i >= write; i-- {
		v, looked := looksAt(t.log[i], s.value)
		if !looked || !t.follows(i, write) {
			continue
		}
		if v.Memory != s.value.Memory {
			return t.foundAt(first, t.log[i], v, s.value)
		}
		first = i
	}
	return nil, evidence.Observation{}
}

// looksAt is what an event shows of the memory of a value.
func looksAt(e recording.Event, v recording.Value) (recording.Value, bool) {
	list := e.Values
	if e.Kind == recording.Write {
		list = list[min(1, len(list)):]
		if len(list) == 1 && list[0].Around != "" && list[0].Of == v.Same {
			return recording.Value{Same: v.Same, Memory: list[0].Around}, true
		}
	}
	k := slices.IndexFunc(list, func(o recording.Value) bool { return o.Memory != "" && sameMemory(o, v) })
	if k < 0 {
		return recording.Value{}, false
	}
	return list[k], true
}

// sameMemory says that two values are, or refer to, the same memory.
func sameMemory(a, b recording.Value) bool {
	at := func(v recording.Value) (string, int64) {
		if v.Same != "" {
			return v.Same, v.Span
		}
		return v.Place, v.Size
	}
	placeA, sizeA := at(a)
	placeB, sizeB := at(b)
	return placeA != "" && placeA == placeB && sizeA == sizeB
}

// follows says that what an event shows was looked at after a write, or with it: in
// another thread it may have been looked at before, unless that has noted something else
// in between.
func (t trail) follows(i, write int) bool {
	if t.log[i].Thread == t.log[write].Thread {
		return true
	}
	return slices.ContainsFunc(t.log[write:i], func(e recording.Event) bool { return e.Thread == t.log[i].Thread })
}
