package machine

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"

	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/cluster/wire"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/answer"
	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/pool"
)

// seat is the place of a client, with the line to the gateway where it sits.
type seat struct {
	h                        *Host
	id, principal, workspace string
	peers                    bool // the gateway has other machines do parts of calls
	parts                    bool // and the seat's calls are such parts
	slot                     *pool.ClientSlot
	asks                     chan request
	acts                     acts // that are under way

	over    context.Context // ends with the seat
	endSeat context.CancelFunc
	closing sync.Once

	mu       sync.Mutex // guards the fields below
	name     string     // of the line
	line     *wire.Line
	ended    context.CancelFunc // of what waits for the line
	begins   context.Context    // until the line ends
	reply    string             // where the gateway listens
	info     json.RawMessage    // what the client calls itself
	heard    time.Time
	granted  span.Granted
	sessions []pool.Session
	waiting  map[string]context.CancelFunc // requests that have not been asked, by id
	visits   map[string]context.CancelFunc // to workers of others, by id; nil: it has a worker of its own
}

// request waits for its turn to be asked.
type request struct {
	ctx    context.Context
	cancel context.CancelFunc
	frame  frame.Frame
	line   *wire.Line
	drop   bool // it is none: all that has been asked is given up
}

// maxAsks is how many requests of one client may wait to be asked; a gateway lets fewer through.
const maxAsks = 256

func newSeat(h *Host, o span.Opening) *seat {
	s := &seat{
		h: h, id: o.Seat, principal: o.Principal, workspace: o.Workspace, peers: o.Peers, parts: o.Parts, asks: make(chan request, maxAsks),
		heard: time.Now(), waiting: map[string]context.CancelFunc{}, granted: o.Granted,
	}
	s.over, s.endSeat = context.WithCancel(context.Background())
	return s
}

// work gives the seat a place in the pool, with this directory.
func (s *seat) work(dir string, handshake []json.RawMessage) {
	s.slot = s.h.o.Pool.Seat(s.principal, s.tellClient)
	s.slot.Within(dir)
	s.slot.Under(func() (pool.Rules, *fault.Error) { return s.rules(dir) })
	s.slot.Follow(func(sessions []pool.Session) {
		s.mu.Lock()
		s.sessions = sessions
		s.mu.Unlock()
		s.say(span.OpSessions, span.Marshal(sessions))
		s.h.stir()
		go s.h.tellLive(s.principal)
	})
	s.greeted(handshake)
	go s.askAll()
}

// tellClient passes on what the worker says. What it asks its gateway would reach the client by one
// that does not know of it.
func (s *seat) tellClient(f frame.Frame) {
	if m := f.Method(); !s.peers && (m == client.PeersMethod || m == client.PartMethod) {
		s.slot.Tell(answer.Error(f.ID(), answer.CodeServer, "the gateway knows no such method", nil))
		return
	}
	if f.Kind() == frame.Answer {
		s.acts.end(f.ID(), f)
		s.tellWorked()
	}
	s.say(span.OpFrame, f.Bytes())
}

func parseAll(several []json.RawMessage) (frames []frame.Frame, ok bool) {
	for _, raw := range several {
		f, err := frame.Parse(raw)
		if err != nil {
			return nil, false
		}
		frames = append(frames, f)
	}
	return frames, true
}

// connect puts a new line in the place of the one before, of which nothing can begin any more.
func (s *seat) connect(name, reply string, fresh bool) (before string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before = s.name
	if s.line != nil {
		s.ended()
		go s.line.Close()
	}
	s.name, s.reply, s.heard = name, reply, time.Now()
	s.begins, s.ended = context.WithCancel(s.over)
	var line *wire.Line
	line = wire.New(wire.Options{
		Name: name, Clock: s.h.clock,
		Send:    func(packet []byte) error { return s.h.nc.Publish(reply, packet) },
		Deliver: func(op string, body []byte) { s.hear(line, op, body, fresh) },
		Ended:   func(err error) { s.broken(name, err) },
	})
	s.line = line
	return before
}

// broken ends the seat's line, which nobody reads.
func (s *seat) broken(name string, err error) {
	s.h.o.Log.Warn("the line to a client's gateway has broken", "principal", s.principal, "error", err)
	s.mu.Lock()
	if s.name == name {
		s.ended()
	}
	s.mu.Unlock()
}

// lineOf is the line if it has this name.
func (s *seat) lineOf(name string) *wire.Line {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = time.Now()
	if s.name != name {
		return nil
	}
	return s.line
}

func (s *seat) lastWord() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.heard
}

func (s *seat) say(op string, body []byte) {
	s.mu.Lock()
	line := s.line
	s.mu.Unlock()
	if line != nil {
		line.Say(op, body)
	}
}

// hear takes a message of the gateway.
func (s *seat) hear(line *wire.Line, op string, body []byte, fresh bool) {
	switch op {
	case span.OpOpen:
		s.tellOpened(line, fresh)
		return
	case span.OpClose:
		go s.close()
		return
	case span.OpLeave:
		go s.leave()
		return
	case span.OpVisit:
		s.visit(line, body)
		return
	case span.OpGrant:
		var g span.Granted
		if json.Unmarshal(body, &g) == nil {
			s.grant(g)
			s.h.grantParked(s.principal, g)
		}
		return
	case span.OpYield:
		go s.h.makeRoom(s.principal)
		return
	case span.OpGreet:
		s.greet(body)
		return
	}
	f, err := frame.Parse(body)
	if err != nil {
		s.h.o.Log.Warn("a gateway says what is no message; it is passed over", "error", err)
		return
	}
	if s.visits != nil {
		s.cancelVisit(f, op)
		return
	}
	switch op {
	case span.OpAsk:
		if refused := s.begin(f); refused != nil {
			s.refuse(line, f, refused)
			return
		}
		s.queue(line, f)
	case span.OpTell:
		s.slot.Tell(f)
	case span.OpCancel:
		s.cancel(f)
	}
}

// tellOpened tells the gateway that the seat is there, and what it has.
func (s *seat) tellOpened(line *wire.Line, fresh bool) {
	s.mu.Lock()
	sessions := s.sessions
	s.mu.Unlock()
	line.Say(span.OpOpened, span.Marshal(span.Opened{Fresh: fresh}))
	if len(sessions) > 0 {
		line.Say(span.OpSessions, span.Marshal(sessions))
	}
	if s.visits != nil {
		s.tellLive()
	}
}

// begin lets a call begin, and notes it. The error is why it may not.
func (s *seat) begin(f frame.Frame) *fault.Error {
	if refused := s.admitCall(f); refused != nil {
		return refused
	}
	if refused := s.admitPart(); refused != nil {
		return refused
	}
	return s.beginAct(f, "")
}

// greet remembers a client's handshake.
func (s *seat) greet(body []byte) {
	var several []json.RawMessage
	if s.slot == nil || json.Unmarshal(body, &several) != nil {
		return
	}
	s.greeted(several)
}

func (s *seat) greeted(handshake []json.RawMessage) {
	hello, ok := parseAll(handshake)
	if !ok || len(hello) == 0 {
		return
	}
	s.mu.Lock()
	s.info = hello[0].Get("params", "clientInfo")
	s.mu.Unlock()
	s.slot.Greeted(hello...)
}

// queue has a request asked when it is its turn, as long as its gateway lives.
func (s *seat) queue(line *wire.Line, f frame.Frame) {
	s.mu.Lock()
	if s.line != line {
		s.mu.Unlock()
		return
	}
	ctx, cancel := context.WithCancel(s.begins)
	s.waiting[string(f.ID())] = cancel
	s.mu.Unlock()
	select {
	case s.asks <- request{ctx: ctx, cancel: cancel, frame: f, line: line}:
	default:
		cancel()
		s.refuse(line, f, fault.New(fault.WorkerLimit, "%d requests wait to be asked already, and no more can", maxAsks).
			WithHint("ask again when some of them are answered"))
	}
}

// askAll asks one request after the other, until the seat ends.
func (s *seat) askAll() {
	for {
		select {
		case <-s.over.Done():
			return
		case r := <-s.asks:
			if r.drop {
				s.slot.CancelAll()
			} else {
				s.ask(r)
			}
		}
	}
}

func (s *seat) ask(r request) {
	defer r.cancel()
	lapsed, stop := s.guard(r)
	refused := notBegun()
	if r.ctx.Err() == nil {
		refused = s.slot.Ask(r.ctx, s.fence(r.line, r.frame))
	}
	stop()
	s.mu.Lock()
	delete(s.waiting, string(r.frame.ID()))
	cancelled := r.ctx.Err() != nil
	s.mu.Unlock()
	if cancelled {
		s.acts.drop(r.frame.ID())
	}
	switch {
	case cancelled && refused == nil: // in the same moment
		s.slot.Cancel(r.frame.ID(), answer.Notification("notifications/cancelled", struct {
			RequestID json.RawMessage `json:"requestId"`
		}{r.frame.ID()}))
		if lapsed.Load() {
			s.refuse(r.line, r.frame, fault.New(fault.WorkerGone, "the machine was out of reach for a while, and nobody knows whether the call has begun").
				WithHint("session(status) tells where the program stands"))
		}
	case cancelled && lapsed.Load(): // a gateway that has not given it up waits for an answer
		s.refuse(r.line, r.frame, notBegun())
	case !cancelled && refused != nil:
		s.refuse(r.line, r.frame, refused)
	}
}

func notBegun() *fault.Error {
	return fault.New(fault.WorkerGone, "the machine was out of reach for a while; the call has not begun, and will not").WithHint("call again")
}

// guard gives a request up that has not begun when its gateway may have given it up: when no
// lease of it is left. Lapsed says that it was so; stop ends the watch.
func (s *seat) guard(r request) (lapsed *atomic.Bool, stop func()) {
	lapsed, done := &atomic.Bool{}, make(chan struct{})
	giveUp := func() {
		lapsed.Store(true)
		r.cancel()
	}
	left := func() time.Duration { return s.h.leaseLeft(r.line) }
	first := left()
	if first <= 0 {
		giveUp()
		return lapsed, func() {}
	}
	go func() {
		timer := time.NewTimer(first)
		defer timer.Stop()
		for {
			select {
			case <-done:
				return
			case <-timer.C:
			}
			rest := left()
			if rest <= 0 {
				giveUp()
				return
			}
			timer.Reset(rest)
		}
	}()
	return lapsed, sync.OnceFunc(func() { close(done) })
}

func (s *seat) refuse(line *wire.Line, f frame.Frame, err *fault.Error) {
	s.acts.refuse(f.ID(), err)
	line.Say(span.OpRefused, span.Marshal(span.Refuse(f.ID(), err)))
}

// cancel drops a request: one that waits to be asked, or one that has been.
func (s *seat) cancel(f frame.Frame) {
	id := f.Name("params", "requestId")
	s.mu.Lock()
	giveUp := s.waiting[string(id)]
	s.mu.Unlock()
	if giveUp != nil {
		giveUp()
	}
	s.acts.drop(id)
	s.slot.Cancel(id, f)
	s.tellWorked()
}

// close ends the seat and its worker.
func (s *seat) close() { s.giveBack((*pool.ClientSlot).Close) }

// leave ends the seat; a worker that has debug sessions stays for a while.
func (s *seat) leave() { s.giveBack((*pool.ClientSlot).Leave) }

// giveBack gives the place back, once.
func (s *seat) giveBack(slot func(*pool.ClientSlot)) {
	s.closing.Do(func() { s.giveBackOnce(slot) })
}

func (s *seat) giveBackOnce(slot func(*pool.ClientSlot)) {
	s.endSeat()
	if s.slot != nil {
		slot(s.slot)
	}
	s.acts.dropAll()
	s.say(span.OpClosed, nil)
	ctx, cancel := context.WithTimeout(context.Background(), flushFor)
	defer cancel()
	s.flush(ctx)
	s.mu.Lock()
	line, name := s.line, s.name
	s.mu.Unlock()
	s.h.leave(s, name)
	line.Close()
}

// flushFor is how long the last messages may take to reach their gateway.
const flushFor = 2 * time.Second

// flush waits until the gateway has all that was said.
func (s *seat) flush(ctx context.Context) {
	s.mu.Lock()
	line := s.line
	s.mu.Unlock()
	line.Flush(ctx)
}
