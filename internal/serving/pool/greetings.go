package pool

import (
	"sync"

	"aidb-mcp/internal/mcp/frame"
)

// greetings are the answers of our own workers to initialize, by principal and by what was
// asked. The next client that asks the same is answered from here, and its worker starts
// when there is something else to ask: some clients begin anew for each call, which needs
// none where the debug session is at another worker.
type greetings struct {
	mu    sync.Mutex // guards the field below
	known map[string]frame.Frame
}

// The bounds of what is remembered, in number and in bytes of one.
const (
	mostGreetings   = 200
	longestGreeting = 32 << 10
)

func greetingKey(principal string, f frame.Frame) string {
	return principal + "\x00" + string(f.Get("params"))
}

// note remembers an answer.
func (g *greetings) note(principal string, f, reply frame.Frame) {
	if f.Method() != "initialize" || reply.Get("result") == nil || len(f.Bytes())+len(reply.Bytes()) > longestGreeting {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.known) >= mostGreetings || g.known == nil {
		g.known = map[string]frame.Frame{}
	}
	g.known[greetingKey(principal, f)] = reply
}

// answerTo is the answer to an initialize that was asked before.
func (g *greetings) answerTo(principal string, f frame.Frame) (frame.Frame, bool) {
	if f.Method() != "initialize" {
		return f, false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	reply, ok := g.known[greetingKey(principal, f)]
	return reply.With(f.ID(), "id"), ok
}

// forget forgets all: workers that start from now on may say something else.
func (g *greetings) forget() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.known = nil
}

// greeted answers initialize from memory, where that can be done. A worker that starts
// later is given the handshake. False: one must be asked.
func (s *ClientSlot) greeted(f frame.Frame) bool {
	reply, ok := s.pool.greetings.answerTo(s.principal, f)
	if !ok {
		return false
	}
	s.mu.Lock()
	mine := s.worker == nil && s.starting == nil && !s.closed && len(s.hello) == 0
	if mine {
		s.hello = []frame.Frame{f}
	}
	s.mu.Unlock()
	if mine {
		s.deliver(reply)
	}
	return mine
}

// hasGreeted notes what a worker has answered to initialize, if it is one of ours: only
// of those it is known that they remember nothing of it. The lock of the worker is held.
func (w *worker) hasGreeted() {
	if w.tells && w.hello.Kind() != 0 {
		w.seat.pool.greetings.note(w.seat.principal, w.hello, w.welcome)
		w.hello, w.welcome = frame.Frame{}, frame.Frame{}
	}
}
