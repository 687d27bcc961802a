package machine

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/cluster/wire"
	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/internal/mcp/frame"
)

// Between the look at a lease and the beginning of a call this process, or the whole machine,
// may stand still for as long as it likes. So the worker is told by when the call must have
// begun, and looks itself.

// suspendClock is a clock that no setting of the time moves back, and that goes on while the
// machine sleeps: the system's own steady clock may stand still then, and a lease that was
// asleep would look fresh.
type suspendClock struct {
	began time.Time

	mu     sync.Mutex // guards the fields below
	steady time.Duration
	wall   time.Time
	slept  time.Duration
}

// slack is by how much the time may be set on before it is taken for sleep.
const slack = time.Second

// now is how long it is since the clock began.
func (w *suspendClock) now() time.Duration {
	now := time.Now()
	return w.at(now.Sub(w.began), now.Round(0)) // which strips the steady reading
}

// at is now, by a steady clock since the beginning and by the one on the wall.
func (w *suspendClock) at(steady time.Duration, wall time.Time) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if steady < w.steady { // another has read it in between
		return w.steady + w.slept
	}
	if w.wall.IsZero() {
		w.wall = w.began.Round(0)
	}
	if past, passed := steady-w.steady, wall.Sub(w.wall); passed-past > slack {
		w.slept += passed - past
	}
	w.steady, w.wall = steady, wall
	return steady + w.slept
}

// fence tells the worker by when a call of a line must have begun.
func (s *seat) fence(line *wire.Line, f frame.Frame) frame.Frame {
	if !s.h.o.Fences || f.Method() != "tools/call" || line.Lease() == 0 {
		return f
	}
	now := time.Now() // first: who is held up here has the shorter fence
	before := now.Add(s.h.leaseLeft(line)).UnixMilli()
	meta := map[string]json.RawMessage{}
	if raw := f.Get("params", "_meta"); raw != nil && json.Unmarshal(raw, &meta) != nil || meta == nil {
		return f // the worker will say what is wrong with it
	}
	meta[client.BeforeKey] = span.Marshal(before)
	return f.Put(meta, "params", "_meta")
}

// dropCalls cancels what was asked on the line before, which its gateway has given up: its
// answers would reach nobody, and what waits at the worker for its turn must not begin late.
func (s *seat) dropCalls() {
	if s.visits != nil {
		s.mu.Lock()
		all := slices.Collect(maps.Values(s.visits))
		clear(s.visits)
		s.mu.Unlock()
		for _, cancel := range all {
			go cancel()
		}
		return
	}
	select {
	case s.asks <- request{drop: true}: // before all that is asked on the next
	default:
	}
}

// leaseLeft is how long a line's calls may begin from now.
func (h *Host) leaseLeft(line *wire.Line) time.Duration {
	return time.Duration(line.Lease()-h.clock())*time.Millisecond + wire.LeaseFor
}
