package stopped

import (
	"sync"

	"aidb-mcp/internal/fault"
)

// origin is where a value was seen: the stop, and the frame that its path is
// good in (0: the current thread's top).
type origin struct {
	program *Program
	thread  int
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
	stop int // whose values are good, 0 for none
	live map[int]*ref
	dead map[int]string // path of those that died last
}

// Begin says that the program has come to a stop: the values of others are void.
func (r *References) Begin(stop int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.expire()
	r.stop = stop
}

// Expire ends the values of a stop that is over.
func (r *References) Expire() { r.Begin(0) }

// add gives a value of a stop a number, 0 when the program has gone on meanwhile.
func (r *References) add(v *ref) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stop != v.program.event.Number {
		return 0
	}
	if r.live == nil {
		r.live = map[int]*ref{}
	}
	r.next++
	r.live[r.next] = v
	return r.next
}

func (r *References) expire() {
	if len(r.live) == 0 {
		return
	}
	r.dead = make(map[int]string, len(r.live))
	for n, v := range r.live {
		r.dead[n] = v.Path
	}
	r.live = nil
}

// Saved are the values of a stop, for it to be taken up again.
type Saved struct {
	stop int
	live map[int]*ref
	dead map[int]string
}

// Save copies the values of the current stop, before they expire.
func (r *References) Save() Saved {
	r.mu.Lock()
	defer r.mu.Unlock()
	return Saved{r.stop, r.live, r.dead}
}

// Restore brings the values of a stop back that was not left after all.
func (r *References) Restore(before Saved) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stop, r.live, r.dead = before.stop, before.live, before.dead
}

// find finds an open value.
func (r *References) find(n int) (*ref, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if v := r.live[n]; v != nil {
		return v, nil
	}
	if n < 1 || n > r.next {
		return nil, fault.New(fault.StaleReference, "reference %d was never given out", n).
			WithHint("take a ref from a reply at this stop, or open the value by its expression: inspect(target: expression)").
			WithField("ref")
	}
	err := fault.New(fault.StaleReference, "reference %d died when the program went on", n).WithField("ref")
	if path := r.dead[n]; path != "" {
		return nil, err.WithHint("ask by expression, which survives: inspect(target: expression, expression: %q)", path)
	}
	return nil, err.WithHint("take a new one from a reply at this stop, or ask by expression")
}
