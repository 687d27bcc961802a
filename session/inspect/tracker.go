package inspect

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

const (
	maxTracked = 64  // frames whose values are remembered
	maxSeen    = 200 // values over time
)

// Tracker remembers the values that each frame showed last, to tell what has
// changed, and those that were seen over time. Its zero value is ready.
type Tracker struct {
	mu     sync.Mutex
	last   string // frame of the last view
	frames map[string]map[string]string
	order  []string // oldest first
	seen   []Value
}

// Compare compares a frame's values with those it showed before and remembers
// them; a variable that has come into scope since has no old value. An empty
// key is a frame that cannot be told from others.
func (t *Tracker) Compare(key string, values map[string]string) (changed []Change, same bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
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

func (t *Tracker) keep(key string, values map[string]string) {
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

// Visit is what one stop showed of a frame.
type Visit struct {
	Where   string // of the frame, for people
	Stop    int    // number of the stop
	Values  map[string]string
	Changed []Change
	Same    bool // the last stop was in the same frame, so that Changed is all that is new
}

// Record notes the values that are new at a stop: at most names of them, each
// of at most limit bytes.
func (t *Tracker) Record(v Visit, names, limit int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	note := func(name, value string) {
		value, _ = Cut(value, limit)
		t.seen = append(t.seen, Value{Name: name, Where: v.Where, Value: value, Stop: v.Stop})
	}
	if v.Same {
		for _, c := range v.Changed {
			note(c.Name, c.New)
		}
	} else {
		all := slices.Sorted(maps.Keys(v.Values))
		for _, name := range all[:min(len(all), names)] {
			note(name, v.Values[name])
		}
	}
	if extra := len(t.seen) - maxSeen; extra > 0 {
		t.seen = slices.Delete(t.seen, 0, extra)
	}
}

// Seen lists the values of the last stops, oldest first.
func (t *Tracker) Seen() []Value {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.seen)
}

// Reset forgets everything, for a new run.
func (t *Tracker) Reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last, t.frames, t.order, t.seen = "", nil, nil, nil
}
