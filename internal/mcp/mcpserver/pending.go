package mcpserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxPending is how many requests may wait for their answers.
const maxPending = 1000

// Why a request is not taken.
var (
	errIDInUse = errors.New("its id is already in use")
	errTooMany = fmt.Errorf("%d requests wait for their answers, and no more can", maxPending)
)

// pending is the set of requests that were read and not yet answered.
type pending struct {
	mu       sync.Mutex // guards the fields below
	requests map[jsonrpc.ID]*request
	byRaw    map[string]jsonrpc.ID // as the client wrote them
	forsaken bool                  // nobody waits for any answer
	writing  int                   // answers on their way out; their ids are free again
	changed  chan struct{}         // closed and replaced whenever an answer is out
}

// request is one of them.
type request struct {
	raw       json.RawMessage // its id as the client wrote it
	replaced  string          // what stands for it where the SDK would change it
	cancelled bool            // by the client, which does not wait for an answer
}

func newPending() *pending {
	return &pending{requests: map[jsonrpc.ID]*request{}, byRaw: map[string]jsonrpc.ID{}, changed: make(chan struct{})}
}

// add notes a request and returns the id by which the SDK shall know it.
func (p *pending) add(raw json.RawMessage) (jsonrpc.ID, error) {
	id, replaced, err := wireID(raw)
	if err != nil {
		return id, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, used := p.byRaw[string(raw)]; used || p.requests[id] != nil {
		return id, errIDInUse
	}
	if len(p.requests)+p.writing >= maxPending {
		return id, errTooMany
	}
	p.requests[id] = &request{raw: raw, replaced: replaced}
	p.byRaw[string(raw)] = id
	return id, nil
}

// cancel notes that the client does not wait for an answer any more, and
// returns the id by which the SDK knows the request; false: there is none.
func (p *pending) cancel(raw json.RawMessage) (jsonrpc.ID, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	id, known := p.byRaw[string(raw)]
	if known {
		p.requests[id].cancelled = true
	}
	return id, known
}

// forsake notes that the client is gone: nothing is answered any more.
func (p *pending) forsake() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forsaken = true
}

// answer notes that an answer is being written. The id is free from now on: the
// client may use it again as soon as it has read the answer. The request is nil
// when nobody waits for it. Out must be called when the answer is out.
func (p *pending) answer(id jsonrpc.ID) (r *request, out func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r = p.requests[id]; r != nil {
		delete(p.requests, id)
		delete(p.byRaw, string(r.raw))
		if r.cancelled || p.forsaken {
			r = nil
		}
	}
	p.writing++
	return r, func() {
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
	return len(p.requests) + p.writing, p.changed
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
