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

// Between the check of a lease and the beginning of a call this process, or the whole machine, may
// be suspended for any time. So the worker is told by when the call must begin, and checks that
// itself.

// suspendClock is a clock that setting the time does not move back, and that goes on while the
// machine is suspended. Go's monotonic clock may stop then, and a lease would look fresh that is
// long over.
type suspendClock struct {
	began time.Time

	mu     sync.Mutex // guards the fields below
	steady time.Duration
	wall   time.Time
	slept  time.Duration
}

// slack is by how much the wall clock may get ahead of the monotonic one before we take it that the
// machine was suspended.
const slack = time.Second

// now is how long it is since the clock began.
func (w *suspendClock) now() time.Duration {
	now := time.Now()
	return w.at(now.Sub(w.began), now.Round(0)) // Round strips the monotonic reading
}

// at is now, by the monotonic clock since the beginning and by the wall clock.
func (w *suspendClock) at(steady time.Duration, wall time.Time) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if steady < w.steady { // another goroutine has read both in between
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

// fence tells the worker by when a tool call must have begun: when the lease of its line is over.
func (s *seat) fence(line *wire.Line, f frame.Frame) frame.Frame {
	if !s.h.o.Fences || f.Method() != "tools/call" || line.Lease() == 0 {
		return f
	}
	now := time.Now() // first: if we are held up here, less time is left, and not more
	before := now.Add(s.h.leaseLeft(line)).UnixMilli()
	meta := map[string]json.RawMessage{}
	if raw := f.Get("params", "_meta"); raw != nil && json.Unmarshal(raw, &meta) != nil || meta == nil {
		return f // the worker will say what is wrong with it
	}
	meta[client.BeforeKey] = span.Marshal(before)
	return f.Put(meta, "params", "_meta")
}

// dropCalls cancels the calls of the line before, which its gateway has given up: their answers
// would reach nobody, and a call that waits for its turn in the worker must not begin late.
func (s *seat) dropCalls() {
	s.acts.dropAll()
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
	case s.asks <- request{drop: true}: // ahead of all calls of the next line
	default:
	}
}

// leaseLeft is for how long calls of a line may still begin.
func (h *Host) leaseLeft(line *wire.Line) time.Duration {
	return time.Duration(line.Lease()-h.clock())*time.Millisecond + wire.LeaseFor
}
