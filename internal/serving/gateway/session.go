package gateway

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/answer"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/audit"
	"aidb-mcp/internal/serving/pool"
)

// general is the number of the stream of what belongs to no request.
const general = 0

// session is one client of the revisions up to 2025-11-25, from its initialize
// to its DELETE. It has a worker of its own, so that no id need be changed.
type session struct {
	id, principal string
	seat          pool.Slot
	ledger        *ledger
	audit         *audit.Log
	granted       *granted
	lasting       bool // it lasts as long as its client

	mu         sync.Mutex // guards the fields below
	streams    map[int]*stream
	last       int        // number of the newest stream
	waiting    []*waiting // the oldest first
	early      map[string]*time.Timer
	initialize frame.Frame
	revision   string // that was agreed on, empty until then
	taken      int    // number of the last general event that was written
	listening  chan struct{}
	open       int // requests of HTTP that are being answered
	used       time.Time
}

// waiting is a request that has not been answered.
type waiting struct {
	id     string
	token  string // of its progress, as it is written; empty for none
	stream *stream
	lists  bool                 // tools
	done   func(outcome string) // notes what came of it; nil: it is not noted
	giveUp func()               // ends the wait for a worker, or a visit
	again  frame.Frame          // what may have to be asked elsewhere; the zero frame for nothing
}

func newSession(id, principal string, l *ledger) *session {
	return &session{
		id: id, principal: principal, ledger: l, used: time.Now(),
		streams: map[int]*stream{general: l.stream(principal, general)}, early: map[string]*time.Timer{},
	}
}

// maxUnanswered is how many requests of one client may wait for their answers.
const maxUnanswered = 64

// ask passes requests on and returns the stream of what comes of them.
func (s *session) ask(ctx context.Context, requests []frame.Frame) *stream {
	s.mu.Lock()
	s.last++
	to := s.ledger.stream(s.principal, s.last)
	s.streams[to.number] = to
	var passed []frame.Frame
	for _, f := range requests {
		if at, refused := s.expect(ctx, f, to); refused != nil {
			to.add(answer.Fault(f, refused))
		} else {
			passed = append(passed, at)
		}
	}
	s.mu.Unlock()
	for _, f := range passed {
		s.pass(ctx, f)
	}
	if len(passed) == 0 {
		to.end()
	}
	return to
}

// pass asks the worker, for which the request may have to wait; who cancels it
// meanwhile ends that.
func (s *session) pass(ctx context.Context, f frame.Frame) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.mu.Lock()
	w := s.find(string(f.ID()))
	if w == nil { // cancelled
		s.mu.Unlock()
		return
	}
	w.giveUp = cancel
	s.mu.Unlock()
	to, refused := destination(s.seat, f)
	switch {
	case refused != nil:
		s.receive(answer.Fault(f, refused))
		return
	case to != nil:
		s.visit(ctx, to, f)
		return
	}
	if failure, is := homeless(s.seat, f); is {
		s.mu.Lock()
		w.again = f
		s.mu.Unlock()
		f = failure
	}
	if err := s.seat.Ask(ctx, f); err != nil {
		s.receive(answer.Fault(f, err))
		return
	}
	if ctx.Err() != nil { // in the same moment
		s.seat.Cancel(f.ID(), cancellation(f))
		return
	}
	s.cancelEarly(f)
}

// visit asks the worker of another client.
func (s *session) visit(ctx context.Context, to pool.Visited, f frame.Frame) {
	s.mu.Lock()
	who := visitor{s.initialize.Get("params", "clientInfo")}
	s.mu.Unlock()
	cancel, err := who.visit(ctx, to, f, s.receive)
	if err != nil {
		s.receive(answer.Fault(f, err))
		return
	}
	s.mu.Lock()
	w := s.find(string(f.ID()))
	if w != nil {
		w.giveUp = cancel
	}
	s.mu.Unlock()
	if w == nil { // answered already, or cancelled
		cancel()
		return
	}
	s.cancelEarly(f)
}

// moves asks elsewhere what the client's own worker has no session for. True: another
// answer comes. False: this one counts.
func (s *session) moves(f frame.Frame) (frame.Frame, bool) {
	s.mu.Lock()
	var again frame.Frame
	if w := s.find(string(f.ID())); w != nil {
		again, w.again = w.again, frame.Frame{}
	}
	s.mu.Unlock()
	return moved(s.seat, again, f, func(to pool.Visited, again frame.Frame) {
		s.visit(context.Background(), to, again) // who cancels it drops it
	})
}

// expect notes a request whose answer is to come to a stream, and is the request as it is
// passed on, or says why it cannot be; mu is held.
func (s *session) expect(ctx context.Context, f frame.Frame, to *stream) (frame.Frame, *fault.Error) {
	id := string(f.ID())
	switch {
	case len(s.waiting) >= maxUnanswered:
		return f, tooMany()
	case slices.ContainsFunc(s.waiting, func(w *waiting) bool { return w.id == id }):
		return f, fault.New(fault.InvalidParam, "a call with the id %s waits for its answer already", id).
			WithHint("give each call of a session an id of its own")
	}
	passed, done, refused := s.granted.begin(ctx, s.audit, s.principal, s.initialize.Get("params", "clientInfo"), f)
	if refused != nil {
		return f, refused
	}
	s.waiting = append(s.waiting, &waiting{id: id, token: string(f.Name(progressPath...)), stream: to, lists: f.Method() == listTools, done: done, giveUp: func() {}})
	if f.Method() == "initialize" {
		s.initialize = f
	}
	return passed, nil
}

func tooMany() *fault.Error {
	return fault.New(fault.WorkerLimit, "%d requests wait for their answers already, and no more can", maxUnanswered).
		WithHint("ask again when some of them are answered")
}

// tell passes on a notification or an answer.
func (s *session) tell(f frame.Frame) {
	switch f.Method() {
	case "notifications/cancelled":
		s.cancel(f)
		return
	case "notifications/initialized":
		s.mu.Lock()
		hello := s.initialize
		s.mu.Unlock()
		s.seat.Greeted(hello, f)
	}
	s.seat.Tell(f)
}

// earlyFor is how long a cancellation waits for its request, which it may overtake
// on another connection.
const earlyFor = time.Second

// cancel drops a request that nobody waits for.
func (s *session) cancel(f frame.Frame) {
	id := f.Name(cancelledPath...)
	s.mu.Lock()
	w := s.take(string(id))
	if w == nil && len(s.early) < maxUnanswered && len(id) <= frame.MaxName {
		s.early[string(id)] = time.AfterFunc(earlyFor, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			delete(s.early, string(id))
		})
	}
	s.mu.Unlock()
	if w != nil {
		dropAct(w.done)
		w.giveUp()
		s.seat.Cancel(id, f)
		s.settle(w.stream)
	}
}

// cancelEarly cancels a request whose cancellation has overtaken it.
func (s *session) cancelEarly(f frame.Frame) {
	s.mu.Lock()
	timer := s.early[string(f.ID())]
	delete(s.early, string(f.ID()))
	s.mu.Unlock()
	if timer != nil && timer.Stop() {
		s.cancel(cancellation(f))
	}
}

func cancellation(f frame.Frame) frame.Frame {
	return answer.Notification("notifications/cancelled", struct {
		RequestID json.RawMessage `json:"requestId"`
	}{f.ID()})
}

// find is a request that waits, nil if it is not among them; mu is held.
func (s *session) find(id string) *waiting {
	for _, w := range s.waiting {
		if w.id == id {
			return w
		}
	}
	return nil
}

// take is find, and the request waits no more; mu is held.
func (s *session) take(id string) *waiting {
	w := s.find(id)
	if w != nil {
		s.waiting = slices.DeleteFunc(s.waiting, func(other *waiting) bool { return other == w })
	}
	return w
}

// settle ends a stream whose requests are all answered.
func (s *session) settle(to *stream) {
	s.mu.Lock()
	for _, w := range s.waiting {
		if w.stream == to {
			s.mu.Unlock()
			return
		}
	}
	s.mu.Unlock()
	to.end()
}

// receive takes what the worker says to the stream that it belongs to.
func (s *session) receive(f frame.Frame) {
	if f.Kind() != frame.Answer {
		if to := s.streamOf(f); to != nil {
			to.add(f)
		}
		return
	}
	f, moved := s.moves(f)
	if moved {
		return
	}
	s.mu.Lock()
	w := s.take(string(f.ID()))
	if w != nil && w.id == string(s.initialize.ID()) && s.revision == "" {
		s.revision = f.Text("result", "protocolVersion")
	}
	s.mu.Unlock()
	if w != nil {
		if endAct(w.done, f); w.lists {
			f = s.granted.shown(s.principal, f)
		}
		w.stream.add(f)
		s.settle(w.stream)
	}
}

// streamOf is where a notification or a question of the worker goes: to the
// request that it names, else to the newest that waits (a worker on a pair of
// streams does not say which it means), else to who listens. Nil: to nobody.
func (s *session) streamOf(f frame.Frame) *stream {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.Method() == "notifications/progress" {
		token := string(f.Name(progressedPath...))
		for _, w := range s.waiting {
			if w.token == token && token != "" {
				return w.stream
			}
		}
		return nil // its request has been answered
	}
	if len(s.waiting) > 0 && !isForAll(f.Method()) {
		return s.waiting[len(s.waiting)-1].stream
	}
	return s.streams[general]
}

// isForAll says that a notification belongs to no request.
func isForAll(method string) bool {
	switch method {
	case "notifications/tools/list_changed", "notifications/resources/list_changed",
		"notifications/prompts/list_changed", "notifications/resources/updated":
		return true
	}
	return false
}

// listen is where a client that listens begins to read; ended is closed when
// another connection takes over.
func (s *session) listen() (from *stream, taken int, ended <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listening != nil {
		close(s.listening)
	}
	s.listening = make(chan struct{})
	return s.streams[general], s.taken, s.listening
}

// noteListened notes that a client has read on from an event to another.
func (s *session) noteListened(from, to int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken == from {
		s.taken = to
	}
}

// stream is the one of a number, nil if it is not kept any more.
func (s *session) stream(number int) *stream {
	s.mu.Lock()
	defer s.mu.Unlock()
	if st := s.streams[number]; st != nil && !st.isLost() {
		return st
	}
	return nil
}

// How long a stream that has ended can be taken up again, and how many of them,
// of how many bytes together, a session keeps for that.
const (
	keepEnded    = 5 * time.Minute
	maxKept      = 100
	maxKeptBytes = 16 << 20
)

// begin and done count the requests of HTTP that are being answered; between
// them the session is in use.
func (s *session) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open++
	s.used = time.Now()
	s.forgetEnded()
}

// forgetEnded drops streams that nobody can expect to take up any more, and the
// oldest where there are too many; mu is held.
func (s *session) forgetEnded() {
	kept, bytes := 0, 0
	for _, number := range slices.Backward(slices.Sorted(maps.Keys(s.streams))) {
		size, since, ended := s.streams[number].keptSize()
		if !ended {
			continue
		}
		kept, bytes = kept+1, bytes+size
		if s.used.Sub(since) > keepEnded || kept > maxKept || kept > 1 && bytes > maxKeptBytes {
			s.streams[number].forget()
			delete(s.streams, number)
		}
	}
}

// forget drops a stream of which the client has no event to come back by.
func (s *session) forget(to *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	to.forget()
	delete(s.streams, to.number)
}

func (s *session) done() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
	s.used = time.Now()
}

// restsSince is when the session was last in use; false: it is.
func (s *session) restsSince() (time.Time, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.used, s.open == 0 && len(s.waiting) == 0
}

// close ends the worker and all streams. A bridge says by it that its client has ended;
// one that comes for each call anew does not, and its debug sessions stay for a while.
func (s *session) close() {
	if s.lasting {
		s.seat.Close()
	} else {
		s.seat.Leave()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, st := range s.streams {
		st.end()
		st.forget()
	}
}
