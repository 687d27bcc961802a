//go:build linux

package soak

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"aidb-mcp/internal/testkit"
)

// journal is what was measured and done.
type journal struct {
	mu              sync.Mutex
	samples         []sample
	calls, sessions int
}

// sample is one look at the server.
type sample struct {
	at       time.Time
	resident int // bytes
	fds      int
	latency  time.Duration // of a call that needs no program
}

func (j *journal) called() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.calls++
}

func (j *journal) ended() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.sessions++
}

// watch takes samples until the time is over.
func watch(ctx context.Context, s *testkit.Server, log *journal) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		begun := time.Now()
		if _, err := s.CallContext(ctx, "config", A{"action": "show"}); err != nil {
			continue // the time is over
		}
		log.mu.Lock()
		log.samples = append(log.samples, sample{at: begun, resident: testkit.Resident(s.PID()), fds: descriptors(s), latency: time.Since(begun)})
		log.mu.Unlock()
	}
}

// descriptors are how many the server has open.
func descriptors(s *testkit.Server) int {
	fds, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", s.PID()))
	return len(fds)
}

// third is one third of the time: medians, which a single hiccup does not move,
// and the fewest descriptors, which is how many there are between sessions.
type third struct {
	name          string
	resident, fds int
	least         int
	latency       time.Duration
}

func (t third) String() string {
	return fmt.Sprintf("%s third: resident memory %.1f MiB, descriptors %d (%d at least), latency %v",
		t.name, float64(t.resident)/(1<<20), t.fds, t.least, t.latency.Round(10*time.Microsecond))
}

func (j *journal) thirds() (first, last third) {
	j.mu.Lock()
	defer j.mu.Unlock()
	n := len(j.samples) / 3
	return summary("first", j.samples[:n]), summary("last", j.samples[len(j.samples)-n:])
}

func summary(name string, list []sample) third {
	t := third{name: name}
	if len(list) == 0 {
		return t
	}
	middle := len(list) / 2
	by := func(key func(sample) int) int {
		values := make([]int, len(list))
		for i, s := range list {
			values[i] = key(s)
		}
		slices.Sort(values)
		return values[middle]
	}
	t.resident = by(func(s sample) int { return s.resident })
	t.fds = by(func(s sample) int { return s.fds })
	t.least = slices.MinFunc(list, func(a, b sample) int { return a.fds - b.fds }).fds
	t.latency = time.Duration(by(func(s sample) int { return int(s.latency) }))
	return t
}

// The bounds. The collector's heap breathes; the rest of a machine is busy.
const (
	moreMemory  = 24 << 20 // bytes
	moreFDs     = 8        // of the least: there may be no moment between sessions
	moreLatency = 5 * time.Millisecond
	slower      = 3 // times
)

// grownFrom says what has grown beyond the bounds, empty if nothing has.
func (t third) grownFrom(first third) string {
	switch {
	case t.resident == 0 || first.resident == 0:
		return "nothing was measured"
	case t.resident > first.resident+moreMemory:
		return fmt.Sprintf("memory has grown by %d bytes", t.resident-first.resident)
	case t.least > first.least+moreFDs:
		return fmt.Sprintf("descriptors have grown from %d to %d", first.least, t.least)
	case t.latency > first.latency*slower && t.latency > first.latency+moreLatency:
		return fmt.Sprintf("latency has grown from %v to %v", first.latency, t.latency)
	}
	return ""
}
