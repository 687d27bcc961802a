package mcpserver

import (
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// pending is the set of requests that were read and not yet answered.
type pending struct {
	mu      sync.Mutex // guards the fields below
	ids     map[jsonrpc.ID]bool
	writing int           // answers on their way out; their ids are free again
	changed chan struct{} // closed and replaced whenever an answer is out
}

func newPending() *pending {
	return &pending{ids: map[jsonrpc.ID]bool{}, changed: make(chan struct{})}
}

// add notes a request; false means that its id is in use.
func (p *pending) add(id jsonrpc.ID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ids[id] {
		return false
	}
	p.ids[id] = true
	return true
}

// answer notes that an answer is being written. The id is free from now on: the
// client may use it again as soon as it has read the answer. Out must be called
// when the answer is out.
func (p *pending) answer(id jsonrpc.ID) (out func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.ids, id)
	p.writing++
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.writing--
		close(p.changed)
		p.changed = make(chan struct{})
	}
}

func (p *pending) look() (n int, changed <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.ids) + p.writing, p.changed
}

// settle waits until nothing is pending, as long as answers keep coming: no
// longer than quiet between two of them, no longer than limit in all.
func (p *pending) settle(quiet, limit time.Duration) {
	end := time.NewTimer(limit)
	defer end.Stop()
	for {
		n, changed := p.look()
		if n == 0 {
			return
		}
		idle := time.NewTimer(quiet)
		select {
		case <-changed:
			idle.Stop()
		case <-idle.C:
			return
		case <-end.C:
			idle.Stop()
			return
		}
	}
}

// drain waits until nothing is pending, at most d.
func (p *pending) drain(d time.Duration) { p.settle(d, d) }
