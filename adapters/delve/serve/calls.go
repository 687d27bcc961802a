//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"sync"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/debugger"
)

// calls knows whether the session is evaluating. An expression may call a
// function of the program, and one that does not return blocks the session:
// it would not even see a pause request.
type calls struct {
	mu      sync.Mutex
	pending map[int]bool // by seq
}

// noteRequest notes a request that may run the program while the session waits for it.
func (c *calls) noteRequest(req request) {
	if req.Command != "evaluate" && req.Command != "setVariable" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pending == nil {
		c.pending = map[int]bool{}
	}
	c.pending[req.Seq] = true
}

// noteReply notes the reply.
func (c *calls) noteReply(h header) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if h.Type == "response" {
		delete(c.pending, h.RequestSeq)
	}
}

// interrupt stops the program in the middle of a call. The session then
// answers the evaluation with "call stopped" and sees what else has come.
func (c *calls) interrupt(dbg *debugger.Debugger) {
	c.mu.Lock()
	busy := len(c.pending) > 0
	c.mu.Unlock()
	if busy && dbg.IsRunning() {
		go func() {
			// A failure means that the program has ended, which the session tells.
			_, _ = dbg.Command(&api.DebuggerCommand{Name: api.Halt}, nil, nil, nil)
		}()
	}
}
