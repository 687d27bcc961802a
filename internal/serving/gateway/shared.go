package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"sync"

	"aidb-mcp/internal/mcp/answer"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/audit"
	"aidb-mcp/internal/serving/pool"
)

// shared is the worker of one principal of the stateless revisions, 2026-07-28
// and later. Several of the principal's programs may use it, which know nothing
// of each other: ids and tokens are changed to numbers that are unique at the
// worker, and back.
type shared struct {
	seat      pool.Slot
	principal string
	ledger    *ledger
	audit     *audit.Log
	granted   *granted

	mu    sync.Mutex // guards the fields below
	last  int64
	calls map[string]*sharedCall // by the id at the worker
	tools *toolHeaders           // nil until they are asked for
}

// sharedCall is a request that has not been answered.
type sharedCall struct {
	number    int64
	id, token json.RawMessage // as the client wrote them
	listens   bool
	lists     bool                 // tools
	done      func(outcome string) // notes what came of it; nil: it is not noted
	stream    *stream
	giveUp    func()      // ends the wait for a worker, or a visit
	again     frame.Frame // what may have to be asked elsewhere; the zero frame for nothing
}

func newShared(principal string, l *ledger) *shared {
	return &shared{principal: principal, ledger: l, calls: map[string]*sharedCall{}}
}

// Where a message names a request other than by its id.
var (
	progressPath     = []string{"params", "_meta", "progressToken"}
	progressedPath   = []string{"params", "progressToken"}
	subscriptionPath = []string{"params", "_meta", "io.modelcontextprotocol/subscriptionId"}
	cancelledPath    = []string{"params", "requestId"}
)

const listenMethod = "subscriptions/listen"

// ask passes a request on. Cancel drops it, when nobody waits for it any more.
func (s *shared) ask(ctx context.Context, f frame.Frame) (to *stream, cancel func()) {
	to = s.ledger.stream(s.principal, 1)
	s.mu.Lock()
	if len(s.calls) >= maxUnanswered {
		s.mu.Unlock()
		to.add(answer.Fault(f, tooMany()))
		to.end()
		return to, to.forget
	}
	passed, done, refused := s.granted.begin(ctx, s.audit, s.principal, nil, f)
	if refused != nil {
		s.mu.Unlock()
		to.add(answer.Fault(f, refused))
		to.end()
		return to, to.forget
	}
	s.last++
	ctx, giveUp := context.WithCancel(ctx)
	defer giveUp()
	c := &sharedCall{
		number: s.last, id: bytes.Clone(f.ID()), token: bytes.Clone(f.Get(progressPath...)), // and not the rest of the message
		listens: f.Method() == listenMethod, lists: f.Method() == listTools, done: done, stream: to, giveUp: giveUp,
	}
	key := strconv.FormatInt(c.number, 10)
	s.calls[key] = c
	s.mu.Unlock()

	unique := []byte(key)
	at := passed.With(unique, "id").With(unique, progressPath...)
	s.pass(ctx, c, at)
	return to, func() {
		s.cancel(key)
		to.forget()
	}
}

// pass asks the worker, or that of another client which holds the session.
func (s *shared) pass(ctx context.Context, c *sharedCall, f frame.Frame) {
	to, refused := destination(s.seat, f)
	switch {
	case refused != nil:
		s.receive(answer.Fault(f, refused))
		return
	case to != nil:
		s.visit(ctx, c, to, f)
		return
	}
	if failure, is := homeless(s.seat, f); is {
		s.mu.Lock()
		c.again = f
		s.mu.Unlock()
		f = failure
	}
	if err := s.seat.Ask(ctx, f); err != nil {
		s.receive(answer.Fault(f, err))
	} else if ctx.Err() != nil { // cancelled in the same moment
		s.forget(c)
	}
}

// visit asks the worker of another client.
func (s *shared) visit(ctx context.Context, c *sharedCall, to pool.Visited, f frame.Frame) {
	cancel, err := visitor{}.visit(ctx, to, f, s.receive)
	if err != nil {
		s.receive(answer.Fault(f, err))
		return
	}
	s.mu.Lock()
	_, waits := s.calls[string(f.ID())]
	c.giveUp = cancel
	s.mu.Unlock()
	if !waits { // answered already, or cancelled
		cancel()
	}
}

// moves asks elsewhere what the principal's worker has no session for. True: another
// answer comes. False: this one counts.
func (s *shared) moves(f frame.Frame) (frame.Frame, bool) {
	s.mu.Lock()
	c := s.calls[string(f.ID())]
	var again frame.Frame
	if c != nil {
		again, c.again = c.again, frame.Frame{}
	}
	s.mu.Unlock()
	return moved(s.seat, again, f, func(to pool.Visited, again frame.Frame) {
		s.visit(context.Background(), c, to, again) // who cancels it drops it
	})
}

func (s *shared) cancel(key string) {
	s.mu.Lock()
	c := s.calls[key]
	delete(s.calls, key)
	var giveUp func()
	if c != nil {
		giveUp = c.giveUp
	}
	s.mu.Unlock()
	if c == nil {
		return
	}
	dropAct(c.done)
	giveUp()
	c.stream.end()
	s.forget(c)
}

// forget tells the worker that nobody waits for a call any more.
func (s *shared) forget(c *sharedCall) {
	s.seat.Cancel(json.RawMessage(strconv.FormatInt(c.number, 10)), answer.Notification("notifications/cancelled", struct {
		RequestID int64  `json:"requestId"`
		Reason    string `json:"reason"`
	}{c.number, "the client has hung up"}))
}

// receive takes what the worker says to the request that it belongs to, in the client's own words.
func (s *shared) receive(f frame.Frame) {
	switch f.Kind() {
	case frame.Answer:
		f, moved := s.moves(f)
		if moved {
			return
		}
		s.mu.Lock()
		c := s.calls[string(f.ID())]
		delete(s.calls, string(f.ID()))
		s.mu.Unlock()
		if c != nil {
			if endAct(c.done, f); c.lists {
				f = s.granted.shown(s.principal, f)
			}
			c.stream.add(f.With(c.id, "id"))
			c.stream.end()
		}
	case frame.Request: // in these revisions a server asks in its results
		s.seat.Tell(answer.Error(f.ID(), answer.CodeMethodNotFound, "this client is asked by results that require input", nil))
	case frame.Notification:
		s.notify(f)
	}
}

func (s *shared) notify(f frame.Frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.Method() == "notifications/tools/list_changed" {
		s.tools = nil
	}
	for _, path := range [][]string{progressedPath, subscriptionPath} {
		if raw := f.Get(path...); raw != nil {
			if c := s.calls[string(raw)]; c != nil && c.ownID(path) != nil {
				c.stream.add(f.With(c.ownID(path), path...))
			}
			return
		}
	}
	// A worker does not say which request it means: the newest that waits.
	var newest *sharedCall
	for _, c := range s.calls {
		if !c.listens && (newest == nil || c.number > newest.number) {
			newest = c
		}
	}
	if newest != nil {
		newest.stream.add(f)
	}
}

// ownID is what the client calls the request by in a notification.
func (c *sharedCall) ownID(path []string) json.RawMessage {
	if &path[0] == &progressedPath[0] {
		return c.token
	}
	return c.id
}

// tell passes a notification on.
func (s *shared) tell(f frame.Frame) {
	id := f.Name(cancelledPath...)
	if f.Method() != "notifications/cancelled" || id == nil {
		s.seat.Tell(f)
		return
	}
	s.mu.Lock()
	var key string
	var newest int64
	for k, c := range s.calls {
		if string(c.id) == string(id) && c.number > newest {
			key, newest = k, c.number
		}
	}
	s.mu.Unlock()
	s.cancel(key)
}
