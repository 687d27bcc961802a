package session

import (
	"slices"
	"sync"

	"aidb-mcp/internal/system/process"
)

// programs are the processes that we have started for an adapter; the first has the
// session's streams. The lock is its own.
type programs struct {
	mu     sync.Mutex
	list   []*process.Child
	killed bool // no further one is taken
}

// add takes a process, and says whether it is the first; not ok when the run is over.
func (p *programs) add(child *process.Child) (first, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.killed {
		return false, false
	}
	p.list = append(p.list, child)
	return len(p.list) == 1, true
}

// all lists them.
func (p *programs) all() []*process.Child {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.list)
}

// first is the one with the session's streams, nil while there is none.
func (p *programs) first() *process.Child {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.list) == 0 {
		return nil
	}
	return p.list[0]
}

// isFirstGone says that the one with the session's streams has ended.
func (p *programs) isFirstGone() bool {
	first := p.first()
	return first != nil && isClosed(first.Ended())
}

// kill ends them, and takes no more.
func (p *programs) kill() {
	p.mu.Lock()
	p.killed = true
	list := p.list
	p.mu.Unlock()
	for _, child := range list {
		child.Kill()
	}
}

// close closes their pipes, once nobody reads them.
func (p *programs) close() {
	for _, child := range p.all() {
		closeStreams(child)
	}
}

func closeStreams(child *process.Child) {
	_ = child.Stdin.Close()
	_ = child.Stdout.Close()
	_ = child.Stderr.Close()
}
