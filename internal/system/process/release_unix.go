//go:build unix

package process

import (
	"maps"
	"slices"
	"syscall"
	"time"
)

// holders are processes that have a program to let go of first, and their duties.
type holders map[int]*duty

// dutiesOf picks the holders out of a list.
func dutiesOf(pids []int) holders {
	found := holders{}
	for _, pid := range pids {
		if text := Variable(pid, releaseName); text != "" {
			if d, err := parseDuty(text); err == nil && d != nil {
				d.Traces = d.Traces || Variable(pid, tracesName) == traces
				found[pid] = d
			}
		}
	}
	return found
}

// release asks the holders to let go, waits until all have ended, each in its time, and
// kills those that have not. Only the first of a line is asked: it needs the others for
// it. Who makes a call in the program is left to come to its end. Who is above another, its supervisor, mends what that has left and ends last.
func (h holders) release() {
	if len(h) == 0 {
		return
	}
	above := map[int]bool{}
	parents := map[int]int{}
	for _, p := range processes() {
		parents[p.pid] = p.parent
		if h[p.pid] != nil && h[p.parent] != nil {
			above[p.parent] = true
		}
	}
	var longest time.Duration
	var programs []int // whose own waits count, too
	for pid, d := range h {
		longest = max(longest, d.Limit)
		if d.isPatient() {
			programs = append(programs, d.PID)
		}
		switch {
		case !above[pid] && d.endFree(pid):
		case d.isCalling(pid): // and ends by itself, whoever has started it and is gone
		case h[parents[pid]] == nil && d.Signal != 0:
			_ = syscall.Kill(pid, d.Signal)
		}
	}
	left := awaitEnds(slices.Collect(maps.Keys(h)), programs, longest)
	for _, pid := range left {
		if !above[pid] {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	for _, pid := range awaitEnds(left, nil, mendLimit) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// mendLimit is how long a supervisor may take when its child has been killed.
const mendLimit = 3 * time.Second

// release asks the supervisor's own child, if it holds something.
func (d *duty) release(child charge) {
	if d != nil {
		holders{child.pid(): d}.release()
	}
}
