package stopped

import (
	"sync"

	"aidb-mcp/internal/fault"
)

// origin is where a value was seen: the stop, and the frame that its path is
// good in (0: the current thread's top).
type origin struct {
	program *Program
	frame   int // the adapter's frame id
}

// ref is a value that was given out to be opened further.
type ref struct {
	origin
	Variable
	adapter int // the adapter's reference; 0 for a long text
	indexed int // elements, which can be paged
}

// References are the numbers of the values that a session has given out. They are
// never used twice, so that a stale one is told from an unknown one.
type References struct {
	mu   sync.Mutex
	next int
	now  valuesOf
	last valuesOf // those that died last
}

// valuesOf are the values of one stop, 0 for none.
type valuesOf struct {
	stop int
	refs map[int]*ref
}

// Begin says at which stop the program stands now, 0: that it runs. The values of
// others are void, until their stop is taken up again because it was not left after all.
func (r *References) Begin(stop int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch before := r.now; {
	case stop == before.stop:
		return
	case stop != 0 && stop == r.last.stop:
		r.now = r.last
	default:
		r.now = valuesOf{stop: stop, refs: map[int]*ref{}}
		if len(before.refs) > 0 {
			r.last = before
		}
	}
}

// add gives a value of a stop a number, 0 when the program has gone on meanwhile.
func (r *References) add(v *ref) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now.stop == 0 || r.now.stop != v.program.event.Number {
		return 0
	}
	r.next++
	r.now.refs[r.next] = v
	return r.next
}

// find finds an open value.
func (r *References) find(n int) (*ref, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if v := r.now.refs[n]; v != nil {
		return v, nil
	}
	if n < 1 || n > r.next {
		return nil, fault.New(fault.StaleReference, "reference %d was never given out", n).
			WithHint("take a ref from a reply at this stop, or open the value by its expression: inspect(target: expression)").
			WithField("ref")
	}
	err := fault.New(fault.StaleReference, "reference %d died when the program went on", n).WithField("ref")
	if v := r.last.refs[n]; v != nil && v.Path != "" {
		return nil, err.WithHint("ask by expression, which survives: inspect(target: expression, expression: %q)", v.Path)
	}
	return nil, err.WithHint("take a new one from a reply at this stop, or ask by expression")
}
