package pool

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/answer"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/system/sleep"
)

// ClientSlot is the place of one client in the pool. It has at most one worker at a
// time, which starts when there is something to ask.
type ClientSlot struct {
	pool      *Pool
	principal string
	receive   func(frame.Frame)
	dir       string          // its workers work in; empty: the pool's
	follow    func([]Session) // is told of their sessions; nil: nobody
	rules     func() (Rules, *fault.Error)
	renewed   atomic.Int64 // how often they have changed

	mu            sync.Mutex // guards the fields below
	worker        *worker    // nil: none runs
	starting      chan struct{}
	hello         []frame.Frame     // the handshake that a new worker is given: initialize and what follows it
	subscriptions subscriptions     // of a client that has one
	crashes       []time.Time       // within the window
	untold        *fault.Error      // of a crash that took sessions along while nobody waited
	guests        map[string]*guest // calls of other clients to our worker, by id there
	parked        bool              // its client has gone and has left sessions
	closed        bool
}

// Seat takes a place for a client of this principal. What its workers say, and
// the answers that are given for them, come to receive, which must not block.
func (p *Pool) Seat(principal string, receive func(frame.Frame)) *ClientSlot {
	s := &ClientSlot{pool: p, principal: principal, receive: receive, subscriptions: subscriptions{}, guests: map[string]*guest{}}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seats[s] = struct{}{}
	s.closed = p.closed
	return s
}

// Greeted remembers the handshake that has succeeded: initialize, and the
// notification that ends it. A worker that starts after a crash is given it
// again, without the client's hearing of it.
func (s *ClientSlot) Greeted(handshake ...frame.Frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hello = handshake
}

// Ask makes a call. Its answer comes to receive, whatever happens to the worker;
// the error is that it could not be made.
func (s *ClientSlot) Ask(ctx context.Context, f frame.Frame) *fault.Error {
	if f.Method() == "tools/call" {
		if untold := s.takeUntold(); untold != nil {
			return untold
		}
	}
	if s.greeted(f) {
		return nil
	}
	limit := s.pool.o.Call
	if isHandshake(f.Method()) {
		limit = s.pool.o.Start
	}
	for {
		w, refused := s.open(ctx)
		if refused != nil {
			return refused
		}
		switch err := w.ask(f, limit); {
		case err == nil:
			return nil
		case errors.Is(err, errFull):
			return fullAnswer(s.pool.o.Queue)
		case errors.Is(err, errTwin):
			return fault.New(fault.InvalidParam, "a call with the id %s waits for its answer already", f.ID()).
				WithHint("give each call an id of its own")
		}
		select { // it was ending, and the next one starts when it has
		case <-w.over:
		case <-ctx.Done():
			return abandonedAnswer(ctx)
		}
	}
}

// Tell passes on a notification or an answer, if there is a worker to hear it.
func (s *ClientSlot) Tell(f frame.Frame) {
	s.mu.Lock()
	w := s.worker
	s.mu.Unlock()
	if w != nil {
		w.tell(f)
	}
}

// Cancel passes on that nobody waits for a call any more. It will not be answered.
func (s *ClientSlot) Cancel(id json.RawMessage, cancellation frame.Frame) {
	s.mu.Lock()
	w := s.worker
	s.mu.Unlock()
	if w != nil && w.forget(id) {
		w.tell(cancellation)
	}
}

// Running says that the seat has a worker, or will soon.
func (s *ClientSlot) Running() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.worker != nil || s.starting != nil
}

// Close ends the worker and gives the place back.
func (s *ClientSlot) Close() { s.close(context.Background()) }

func (s *ClientSlot) close(ctx context.Context) {
	s.mu.Lock()
	s.closed = true
	w := s.worker
	s.mu.Unlock()
	if w != nil {
		w.dismiss(ctx, "closed")
	}
	s.vacate()
}

// vacate gives the place back.
func (s *ClientSlot) vacate() {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	delete(s.pool.seats, s)
}

// open returns the worker, a new one if there is none.
func (s *ClientSlot) open(ctx context.Context) (*worker, *fault.Error) {
	for {
		s.mu.Lock()
		w, starting := s.worker, s.starting
		switch {
		case s.closed:
			s.mu.Unlock()
			return nil, fault.New(fault.Cancelled, "the server is shutting down").WithHint("call again when it is back")
		case w != nil:
			s.mu.Unlock()
			return w, nil
		case starting == nil:
			s.starting = make(chan struct{})
			s.mu.Unlock()
			return s.begin(ctx)
		}
		s.mu.Unlock()
		select {
		case <-starting:
		case <-ctx.Done():
			return nil, abandonedAnswer(ctx)
		}
	}
}

// begin starts a worker; starting is set, and this is who closes it.
func (s *ClientSlot) begin(ctx context.Context) (*worker, *fault.Error) {
	w, refused := s.start(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if w != nil && s.closed {
		go w.end(ending{why: "closed"})
	}
	if w != nil && !w.isGone() { // it may have ended before it is anybody's
		s.worker = w
	}
	close(s.starting)
	s.starting = nil
	return w, refused
}

// start waits for the backoff and for a place, and starts a worker in it.
func (s *ClientSlot) start(ctx context.Context) (*worker, *fault.Error) {
	if refused := s.await(ctx); refused != nil {
		return nil, refused
	}
	waiting, cancel := context.WithTimeout(ctx, s.pool.o.Wait)
	defer cancel()
	age := s.age() // before they are read
	rules, refused := s.currentRules()
	if refused != nil {
		return nil, refused
	}
	most := 0
	if rules.Workers > 0 {
		if most = rules.Workers - rules.Elsewhere; most <= 0 {
			return nil, s.pool.elsewhereAnswer(s.principal, rules)
		}
	}
	place := s.pool.places.ask(s.principal, most)
	s.pool.share()
	if err := s.pool.places.await(waiting, place); err != nil {
		if ctx.Err() != nil {
			return nil, abandonedAnswer(ctx)
		}
		if most > 0 && s.pool.places.has(s.principal) >= most {
			return nil, s.pool.fullAnswer(s.principal, rules)
		}
		return nil, fault.New(fault.WorkerLimit, "all %d workers are taken, and none became free within %s", s.pool.o.Workers, s.pool.o.Wait).
			WithHint("call again later; a worker becomes free when its client ends its session, or after %s without a message", s.pool.o.Idle)
	}
	begun := time.Now()
	w, err := s.spawn(rules.Command, age)
	if err == nil {
		err = s.greet(w)
	} else {
		s.pool.places.leave(s.principal, false)
		s.pool.o.Observe.Ended("start")
		s.fell()
	}
	if err != nil {
		s.pool.o.Log.Error("a worker did not start", "principal", s.principal, "error", err)
		return nil, s.startFailure(err)
	}
	s.pool.o.Observe.Started(time.Since(begun))
	s.pool.o.Log.Info("a worker has started", "worker", w.name, "principal", s.principal, "pid", w.child.Pid(), "took", time.Since(begun).Round(time.Millisecond))
	return w, nil
}

// await waits until the seat may start a worker again after a crash.
func (s *ClientSlot) await(ctx context.Context) *fault.Error {
	s.mu.Lock()
	s.forget()
	crashes := slices.Clone(s.crashes)
	s.mu.Unlock()
	if len(crashes) == 0 {
		return nil
	}
	last := crashes[len(crashes)-1]
	if len(crashes) > s.pool.o.Restarts {
		return s.givenUpAnswer(last.Add(s.pool.o.Window))
	}
	delay := s.pool.o.Backoff << (len(crashes) - 1)
	if len(crashes) == 1 {
		delay = 0
	}
	if delay = time.Until(last.Add(delay)); delay <= 0 {
		return nil
	}
	if !sleep.For(ctx, delay) {
		return abandonedAnswer(ctx)
	}
	return nil
}

// forget drops the crashes that count no more; mu is held. Once given up, a seat
// rests for a whole window and begins anew.
func (s *ClientSlot) forget() {
	now := time.Now()
	if n := len(s.crashes); n > s.pool.o.Restarts {
		if now.Sub(s.crashes[n-1]) >= s.pool.o.Window {
			s.crashes = nil
		}
		return
	}
	s.crashes = slices.DeleteFunc(s.crashes, func(at time.Time) bool { return now.Sub(at) >= s.pool.o.Window })
}

// spawn starts the process.
func (s *ClientSlot) spawn(command []string, age int64) (*worker, error) {
	o := &s.pool.o
	w := &worker{
		name: fmt.Sprintf("w%d", s.pool.named.Add(1)), seat: s, fresh: true, age: age,
		calls: map[string]*call{}, asked: map[string]bool{}, over: make(chan struct{}),
	}
	env := append(slices.Clip(o.Env), NameVariable+"="+w.name, PrincipalVariable+"="+s.principal, MachineVariable+"="+o.Machine)
	if o.Pages != nil {
		env = append(env, o.Pages.Open(w.name, s.principal)...)
	}
	dir := cmp.Or(s.dir, o.Dir)
	if dir != "" { // the system cannot tell one that lies in another container
		env = append(env, "PWD="+dir)
	}
	var err error
	w.child, err = process.Start(process.Spec{
		Name: w.name, Path: command[0], Args: command[1:], Dir: dir, Log: o.Log, Streams: true, Farewell: o.Grace,
		Env: env,
	})
	if err != nil {
		s.pool.closePage(w.name)
		return nil, err
	}
	w.talk(o)
	return w, nil
}

func (p *Pool) closePage(worker string) {
	if p.o.Pages != nil {
		p.o.Pages.Close(worker)
	}
}

// greet repeats the client's handshake to a worker that is not the first.
func (s *ClientSlot) greet(w *worker) error {
	s.mu.Lock()
	hello, again := s.hello, s.subscriptions.requests()
	s.mu.Unlock()
	if len(hello) == 0 {
		return nil
	}
	w.mu.Lock()
	w.replay = make(chan frame.Frame, 1)
	replay := w.replay
	w.mu.Unlock()
	err := w.ask(hello[0], s.pool.o.Start)
	if err == nil {
		reply := <-replay // the call's limit and the worker's end see to it that it comes
		if reply.Get("error") != nil {
			err = fmt.Errorf("its handshake failed: %s", reply.Text("error", "message"))
		}
	}
	w.mu.Lock()
	w.replay = nil
	w.mu.Unlock()
	if err != nil {
		w.end(ending{"start", err.Error()})
		return err
	}
	for _, f := range hello[1:] {
		w.tell(f)
	}
	for _, f := range again {
		if err := w.ask(f, s.pool.o.Start); err != nil {
			s.pool.o.Log.Warn("a worker does not know what its client follows", "worker", w.name, "method", f.Method(), "error", err)
		}
	}
	return nil
}

// noteSubscriptions notes what a client with a handshake has asked for and got.
func (s *ClientSlot) noteSubscriptions(request, reply frame.Frame) {
	if reply.Get("error") != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.hello) > 0 {
		s.subscriptions.note(request)
	}
}

// handleEnd cleans up after a worker: its place is free, and who waits is answered.
func (s *ClientSlot) handleEnd(w *worker) {
	exit := w.child.Exit()
	w.child.End()
	w.out.Fail(errGone)
	s.pool.closePage(w.name)
	calls, sessions, why, vacates := w.leave()
	s.mu.Lock()
	if s.worker == w {
		s.worker = nil
	}
	parked := s.parked
	s.mu.Unlock()
	crash := why == nil || why.says != ""
	if crash {
		s.fell()
	}
	s.pool.places.leave(s.principal, vacates)

	said := "it ended with " + exit.String()
	reason := "crashed"
	if why != nil {
		said, reason = why.says, why.why
	}
	if crash {
		s.pool.o.Log.Error("a worker has ended", "worker", w.name, "principal", s.principal, "why", said, "calls", len(calls), "sessions", names(sessions))
	} else {
		s.pool.o.Log.Info("a worker has ended", "worker", w.name, "principal", s.principal, "why", reason)
	}
	s.pool.o.Observe.Ended(reason)
	s.closeBook(w, crash, reason, said)
	lost := closingAnswer()
	if crash {
		lost = s.crashAnswer(reason, said, sessions)
		go process.Sweep() // what it could not clean up itself
	}
	answered := slices.ContainsFunc(calls, func(c *call) bool { return c.request.Method() == "tools/call" })
	if crash && len(sessions) > 0 && !answered {
		s.mu.Lock()
		s.untold = lost
		s.mu.Unlock()
	}
	for _, c := range calls {
		s.answerFor(w, c, lost)
	}
	if s.follow != nil && len(sessions) > 0 {
		s.follow(nil)
	}
	if parked {
		s.vacate()
	}
	close(w.over)
}

// takeUntold is what the client must hear before it goes on: that its sessions
// are lost. It is told once.
func (s *ClientSlot) takeUntold() *fault.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	untold := s.untold
	s.untold = nil
	return untold
}

// fell notes a crash.
func (s *ClientSlot) fell() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget()
	s.crashes = append(s.crashes, time.Now())
}

// answerFor answers a call that the worker will not.
func (s *ClientSlot) answerFor(w *worker, c *call, f *fault.Error) {
	reply := answer.Fault(c.request, f)
	w.mu.Lock()
	replay := w.replay
	w.mu.Unlock()
	if replay != nil {
		replay <- reply
		return
	}
	s.pool.o.Observe.Called(calledOf(c, reply))
	s.deliver(reply)
}

// count adds what the seat does to a status.
func (s *ClientSlot) count(status *Status) {
	s.mu.Lock()
	w := s.worker
	s.forget()
	if len(s.crashes) > s.pool.o.Restarts {
		status.GivenUp++
	}
	s.mu.Unlock()
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	status.Workers++
	status.Calls += len(w.calls)
	for _, c := range w.calls {
		if c.request.Method() == "tools/call" {
			status.Working++
		}
	}
	for _, session := range w.sessions {
		status.Sessions[session.Language]++
	}
}
