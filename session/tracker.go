package session

import (
	"fmt"
	"slices"
	"strings"
)

// tracker remembers the values that each frame showed last, to tell what has
// changed. The session's mu guards it.
type tracker struct {
	last   string // frame of the last view
	frames map[string]map[string]string
	order  []string // oldest first
	seen   []Value
}

// see compares a frame's values with those it showed before and remembers
// them; a variable that has come into scope since has no old value. An empty key is a frame that cannot be told from others.
func (t *tracker) see(key string, values map[string]string) (changed []Change, same bool) {
	same = key != "" && key == t.last
	t.last = key
	if key == "" {
		return nil, false
	}
	before, known := t.frames[key]
	for name, now := range values {
		if old := before[name]; known && old != now {
			changed = append(changed, Change{Name: name, Old: old, New: now})
		}
	}
	slices.SortFunc(changed, func(a, b Change) int { return strings.Compare(a.Name, b.Name) })
	t.keep(key, values)
	return changed, same
}

func (t *tracker) keep(key string, values map[string]string) {
	if t.frames == nil {
		t.frames = map[string]map[string]string{}
	}
	if t.frames[key] == nil {
		t.order = append(t.order, key)
	}
	t.frames[key] = values
	if len(t.order) > maxTracked {
		delete(t.frames, t.order[0])
		t.order = t.order[1:]
	}
}

// frameKey tells one activation of a function from another by its thread and
// all callers with their lines, which do not change while it lasts. Inside a
// recursion deeper than the known part of the stack that is not enough: then
// there is no key.
func frameKey(thread int, st stack) string {
	user := min(st.hidden, len(st.frames)-1)
	own := st.frames[user]
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s", thread, own.Name)
	distinct := false
	for _, f := range st.frames[user+1:] {
		fmt.Fprintf(&b, "|%s:%d", f.Name, f.Line)
		distinct = distinct || f.Name != own.Name
	}
	if !st.complete && !distinct {
		return ""
	}
	return b.String()
}

// recordSeen notes the values that are new at this stop; mu is held.
func (s *Session) recordSeen(v *View, values map[string]string) {
	t := &s.tracker
	where := ""
	if v.Frame != nil {
		where = fmt.Sprintf("%s:%d", s.Rel(v.Frame.File), v.Frame.Line)
	}
	note := func(name, value string) {
		value, _ = cutValue(value, s.limits.ValueBytes)
		t.seen = append(t.seen, Value{Name: name, Where: where, Value: value, Stop: s.now.stops})
	}
	if v.SameFrame {
		for _, c := range v.Changed {
			note(c.Name, c.New)
		}
	} else {
		names := make([]string, 0, len(values))
		for name := range values {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names[:min(len(names), s.limits.Locals)] {
			note(name, values[name])
		}
	}
	if extra := len(t.seen) - maxSeen; extra > 0 {
		t.seen = slices.Delete(t.seen, 0, extra)
	}
}

// Seen lists the values of locals over the last stops, oldest first.
func (s *Session) Seen() []Value {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.tracker.seen)
}
