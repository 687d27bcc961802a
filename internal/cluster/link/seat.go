package link

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/cluster/wire"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/answer"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/handle"
	"aidb-mcp/internal/serving/pool"
)

// seat is the place of one client, with the line to the machine that has it.
type seat struct {
	l       *Link
	id      string // nobody else knows it
	who     pool.Client
	receive func(frame.Frame)
	over    chan struct{} // closed when the place is given back

	mu       sync.Mutex // guards the fields below; the link's may be taken under it
	at       *machine   // that has the seat; nil: none has had it yet, or what it had is lost
	name     string     // of the line
	line     *wire.Line // nil: there is none
	opened   chan struct{}
	place    string // the workspace that it is in
	hello    []frame.Frame
	calls    map[string]*call
	sessions []pool.Session
	untold   *fault.Error // what was lost while nobody waited
	touched  time.Time
	used     time.Time
	awaits   time.Time // since when it waits until its principal may have another worker; zero: it does not
	closing  bool
	done     bool

	granted span.Granted // as the machine was told last

	visits bool           // it has no worker: it asks those of others
	visit  int            // number of the last
	live   []handle.Entry // then: what lives of the principal at the machine
	known  chan struct{}  // closed when that is known

	peer  bool                          // it does parts of another seat's calls, on one machine only
	peers map[*machine]*seat            // that do parts of ours
	parts map[string]context.CancelFunc // parts under way, by the worker's ids
}

// call is a request that has not been answered.
type call struct {
	request pool.Brief
	line    *wire.Line
	number  uint64 // of the message on the line
	receive func(frame.Frame)
}

func newSeat(l *Link, who pool.Client, receive func(frame.Frame)) *seat {
	return &seat{l: l, id: rand.Text(), who: who, receive: receive, over: make(chan struct{}), calls: map[string]*call{}, used: time.Now()}
}

// Greeted remembers the handshake, for a worker that must be started anew.
func (s *seat) Greeted(handshake ...frame.Frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hello = handshake
	if s.line != nil {
		s.line.Say(span.OpGreet, span.Marshal(rawOf(handshake)))
	}
}

func rawOf(frames []frame.Frame) (raw []json.RawMessage) {
	for _, f := range frames {
		raw = append(raw, json.RawMessage(f.Bytes()))
	}
	return raw
}

// Ask makes a call. Its answer comes to receive, whatever happens to the machine; the
// error is that it could not be made.
func (s *seat) Ask(ctx context.Context, f frame.Frame) *fault.Error {
	if f.Method() == "tools/call" {
		if untold := s.takeUntold(); untold != nil {
			return untold
		}
	}
	if refused := s.l.awaitRoom(ctx, s); refused != nil {
		return refused
	}
	for {
		line, opened, refused := s.open(ctx)
		if refused != nil {
			return refused
		}
		if opened != nil {
			if refused := s.awaitOpened(ctx, opened); refused != nil {
				return refused
			}
		}
		switch err := s.pass(line, f); {
		case err == nil:
			return nil
		case errors.Is(err, errTwin):
			return fault.New(fault.InvalidParam, "a call with the id %s waits for its answer already", f.ID()).
				WithHint("give each call an id of its own")
		}
		if untold := s.takeUntold(); untold != nil {
			return untold
		}
		if ctx.Err() != nil {
			return fault.New(fault.Cancelled, "the call was given up: %v", context.Cause(ctx))
		}
	}
}

var (
	errTwin  = errors.New("a call of this id waits already")
	errStale = errors.New("the line has ended meanwhile")
)

// pass says a call on the line.
func (s *seat) pass(line *wire.Line, f frame.Frame) error {
	id := string(f.ID())
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.line != line {
		return errStale
	}
	if s.calls[id] != nil {
		return errTwin
	}
	s.used = time.Now()
	s.calls[id] = &call{request: pool.NewBrief(f), line: line, number: line.Say(span.OpAsk, f.Bytes()), receive: s.receive}
	return nil
}

// open returns the line, a new one if there is none; opened where it must be waited for,
// because sessions may have been lost with the one before.
func (s *seat) open(ctx context.Context) (*wire.Line, <-chan struct{}, *fault.Error) {
	s.mu.Lock()
	switch {
	case s.closing:
		s.mu.Unlock()
		return nil, nil, fault.New(fault.Cancelled, "the server is shutting down").WithHint("call again when it is back")
	case s.at != nil && !s.l.lives(s.at):
		at := s.at
		s.mu.Unlock()
		return s.openElsewhere(ctx, at)
	case s.line != nil:
		defer s.mu.Unlock()
		return s.line, s.awaited(), nil
	}
	who, at, place := s.who, s.at, s.place
	s.mu.Unlock()
	if at == nil && (s.visits || s.peer) {
		return nil, nil, lostMachine()
	}
	if at == nil {
		best, refused := s.l.choose(ctx, who)
		if refused != nil {
			return nil, nil, refused
		}
		at, place = best.at, best.workspace
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.line == nil && !s.closing {
		s.begin(at, place)
	}
	if s.line == nil {
		return nil, nil, fault.New(fault.Cancelled, "the client's session is over").WithHint("begin a new one")
	}
	return s.line, s.awaited(), nil
}

// openElsewhere is open where the machine does not answer: one that has ended is lost, and what was lost
// with it is told before there is another line.
func (s *seat) openElsewhere(ctx context.Context, at *machine) (*wire.Line, <-chan struct{}, *fault.Error) {
	s.l.mu.Lock()
	gone, why := at.gone, at.why
	s.l.mu.Unlock()
	if !gone {
		return nil, nil, s.awayAnswer(at)
	}
	s.lose(at, loss{why: why, ended: true}) // as whoever has heard of its end is doing in this moment
	if s.visits || s.peer {
		return nil, nil, lostMachine()
	}
	if untold := s.takeUntold(); untold != nil {
		return nil, nil, untold
	}
	return s.open(ctx)
}

// awaited is what must be waited for before a call is made; s.mu is held.
func (s *seat) awaited() <-chan struct{} {
	if len(s.sessions) == 0 {
		return nil
	}
	return s.opened
}

// begin opens a line; s.mu is held.
func (s *seat) begin(at *machine, place string) {
	name := rand.Text()
	s.at, s.place, s.name, s.opened, s.touched = at, place, name, make(chan struct{}), time.Now()
	var line *wire.Line
	line = wire.New(wire.Options{
		Name:    name,
		Send:    func(packet []byte) error { return s.l.send(at, packet) },
		Deliver: func(op string, body []byte) { s.hear(line, op, body) },
		Heard:   func() (int64, time.Time) { return s.l.heard(at) },
		Ended:   func(err error) { s.lose(at, loss{line: name, why: err.Error()}) },
	})
	s.line, s.granted = line, s.l.grantedTo(s.who.Principal, at)
	s.l.enter(name, s)
	line.Say(span.OpOpen, span.Marshal(span.Opening{
		Epoch: s.l.epochOf(at), Seat: s.id, Principal: s.who.Principal, Workspace: place, Hello: rawOf(s.hello), Visits: s.visits,
		Granted: s.granted, Pages: s.l.o.Pages, Peers: !s.peer, Parts: s.peer,
	}))
}

// awaitOpened waits until it is known whether the seat is still there.
func (s *seat) awaitOpened(ctx context.Context, opened <-chan struct{}) *fault.Error {
	select {
	case <-opened:
	case <-s.over:
	case <-ctx.Done():
		return fault.New(fault.Cancelled, "the call was given up: %v", context.Cause(ctx))
	}
	return s.takeUntold()
}

// takeUntold is what the client must hear before it goes on. It is told once.
func (s *seat) takeUntold() *fault.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	untold := s.untold
	s.untold = nil
	return untold
}

// Tell passes on a notification or an answer.
func (s *seat) Tell(f frame.Frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.line != nil {
		s.line.Say(span.OpTell, f.Bytes())
	}
}

// Cancel passes on that nobody waits for a call any more. It will not be answered.
func (s *seat) Cancel(id json.RawMessage, cancellation frame.Frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.calls[string(id)]
	delete(s.calls, string(id))
	if c != nil && c.line == s.line {
		s.line.Say(span.OpCancel, cancellation.Bytes())
	}
}

// usedFor is how long a seat counts as in use after its last call.
const usedFor = pool.DefaultIdle

// Running says that the seat may have a worker.
func (s *seat) Running() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.line != nil && (len(s.calls) > 0 || len(s.sessions) > 0 || time.Since(s.used) < usedFor)
}

// closeFor is how long a machine may take to say that a worker has ended.
const closeFor = 6 * time.Second

// Close ends the worker and gives the place back.
func (s *seat) Close() { s.end(span.OpClose) }

// Leave gives the place back; a worker that has debug sessions stays for a while.
func (s *seat) Leave() { s.end(span.OpLeave) }

func (s *seat) end(op string) {
	s.mu.Lock()
	if s.closing {
		s.mu.Unlock()
		return
	}
	s.closing = true
	if s.visits {
		s.l.forgetVisit(s) // who visits next has another
	}
	line := s.line
	if line != nil {
		line.Say(op, nil)
		time.AfterFunc(closeFor, s.leave)
	}
	s.mu.Unlock()
	if line == nil {
		s.leave()
	}
}

// leave gives the place back, once.
func (s *seat) leave() {
	s.mu.Lock()
	line, name, done := s.line, s.name, s.done
	s.line, s.done = nil, true
	left := s.takeCalls(line)
	s.dismissPeers()
	s.mu.Unlock()
	if done {
		return
	}
	s.l.leave(s, name)
	if line != nil {
		line.Close()
	}
	for _, c := range left {
		s.answer(c, fault.New(fault.Cancelled, "the call was cut short: its client's connection is closed, or the server is shutting down").
			WithHint("call again when it is back, or with a new connection"))
	}
	close(s.over)
}

// takeCalls takes the calls of a line that nobody will answer; s.mu is held.
func (s *seat) takeCalls(line *wire.Line) (left []*call) {
	for id, c := range s.calls {
		if c.line == line {
			left = append(left, c)
			delete(s.calls, id)
		}
	}
	return left
}

// touch tells the machine that we live: often where a call is open.
func (s *seat) touch(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.visits && !s.closing && len(s.calls) == 0 && now.Sub(s.used) > visitFor {
		go s.Close()
		return
	}
	if !s.isCalled() {
		s.dismissPeers()
	}
	every := keepEvery
	if len(s.calls) > 0 {
		every = touchEvery
	}
	if s.line != nil && now.Sub(s.touched) >= every {
		s.touched = now
		s.line.Touch()
	}
}

// touchAt is touch at once, for a machine that has connected again.
func (s *seat) touchAt(at *machine) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.line != nil && s.at == at {
		s.touched = time.Now()
		s.line.Touch()
	}
}

// answer answers a call that the machine will not.
func (s *seat) answer(c *call, err *fault.Error) {
	reply := answer.Fault(c.request.Frame(), err)
	s.l.o.Observe.Called(c.request.Called(reply))
	c.receive(reply)
}
