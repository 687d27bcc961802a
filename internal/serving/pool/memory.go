package pool

import (
	"fmt"
	"time"
)

// watchEvery is how often the memory of the workers is looked at. Nothing tells
// when a process grows, unless it has a control group of its own.
const watchEvery = time.Second

// watch ends workers that need too much memory, with their descendants, until
// the pool is closed. What they share is counted once for each at first, which
// is cheap and never too little, and exactly only where that is above the limit.
func (p *Pool) watch(closed <-chan struct{}) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-closed:
			return
		case <-tick.C:
		}
		for _, s := range p.allSlots() {
			s.mu.Lock()
			w := s.worker
			s.mu.Unlock()
			if w == nil || w.child.Resident() <= p.o.Memory {
				continue
			}
			if used := w.child.Proportional(); used > p.o.Memory {
				w.end(ending{memoryReason, fmt.Sprintf("it and the programs that it had started needed %d MiB of memory, of which %d are allowed (--worker-memory), and were ended", used>>20, p.o.Memory>>20)})
			}
		}
	}
}

// memoryReason is why a worker was ended that needed too much.
const memoryReason = "memory"

// MemoryBy is how the limit on a worker's memory is held.
const MemoryBy = "watching every second"
