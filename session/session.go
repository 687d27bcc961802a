package session

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/session/breakpoints"
	"aidb-mcp/session/inspect"
	"aidb-mcp/session/output"
	"aidb-mcp/session/stopped"
)

// Session is one debuggee.
//
// Goroutines of a session: one start goroutine for each run (plan, adapter,
// handshake); one reader in each dap.Conn, which calls the event handlers; one
// for each program stream; one that waits for the adapter's end; and short
// ones: to decide about a stop that needs requests before it may be told, to
// wait for the reply to a resume, to write input, and to end a run.
//
// op is the operation lock of the callers. sending is held while breakpoint
// requests travel, so that they reach the adapter in the order of the changes. mu
// guards all fields below it and is never held during I/O.
type Session struct {
	id           string
	manager      *Manager
	adapter      adapters.Adapter
	request      StartRequest
	limits       Limits
	log          *slog.Logger
	files        *source.Files
	started      time.Time
	op           chan struct{}
	sending      chan struct{}
	out          *output.Buffer
	armed        armedTraces
	values       stopped.References // the numbers of values that were given out
	tracker      inspect.Tracker    // of the values that frames have shown
	breakpoints  breakpoints.Set
	current      atomic.Pointer[run]
	subject      atomic.Pointer[subject]
	file         atomic.Pointer[string] // where "line" without a file points
	input        atomic.Pointer[input]  // nil while there is no program whose input is ours
	exceptions   exceptionChoice
	history      history
	toldWithheld atomic.Bool // that code outside of the policy's folders is not shown

	mu      sync.Mutex
	changed chan struct{} // closed and replaced when now changes
	now     state
	entered journalKey // the last in the journal
	still   *stopPoint // the current stop, nil while the program runs
	until   *runUntil  // the run_until under way
}

// subject is what is debugged.
type subject struct {
	target string // for people
	mode   adapters.Mode
}

// state is State with what the engine needs besides.
type state struct {
	State
	since  time.Time    // of the last resume or start
	epoch  int          // counts resumes and stops: what was learnt at another epoch is stale
	stops  int          // counts stops
	motion motion       // what set the program going last
	failed error        // why the start failed
	crash  *fault.Error // the adapter died under way
}

// motion is the cause of a run.
type motion int

const (
	moveStart motion = iota
	moveContinue
	moveStep
	moveOut
)

// isStep says whether a step has set the program going.
func (m motion) isStep() bool { return m == moveStep || m == moveOut }

func newSession(m *Manager, a adapters.Adapter, r StartRequest) *Session {
	limits := m.Limits()
	s := &Session{
		manager: m,
		adapter: a,
		request: r,
		limits:  limits,
		log:     m.log,
		files:   m.files,
		started: time.Now(),
		op:      make(chan struct{}, 1),
		sending: make(chan struct{}, 1),
		changed: make(chan struct{}),
	}
	s.subject.Store(&subject{r.Program.Target, r.Program.Mode})
	s.out = output.New(limits.OutputRing, func() { s.publishNews(News{Printed: true}) })
	s.exceptions.choose(r.Exceptions)
	s.history.limit = limits.History
	return s
}

// ID is the session's short name, such as "go-1".
func (s *Session) ID() string { return s.id }

// Language is the adapter's language, such as "go".
func (s *Session) Language() string { return s.adapter.Info().Language }

// Workspace is the absolute root that paths are shown relative to.
func (s *Session) Workspace() string { return s.request.Program.Workspace }

// StartedAt is when the session was opened.
func (s *Session) StartedAt() time.Time { return s.started }

// Mode is how the debuggee came to be debugged, as inferred once that is known.
func (s *Session) Mode() adapters.Mode { return s.subject.Load().mode }

// Target is what is debugged, for people: "./cmd/app", "TestParse in ./pkg".
func (s *Session) Target() string { return s.subject.Load().target }

// PID is the process id of the program, 0 when unknown.
func (s *Session) PID() int {
	if l := s.currentRun(); l != nil {
		return l.processes.program()
	}
	return 0
}

// currentRun is the run under way, or the last one; nil before the first.
func (s *Session) currentRun() *run { return s.current.Load() }

// State is a snapshot of where the session stands.
func (s *Session) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.snapshot()
}

func (s *Session) status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now.Status
}

// snapshot copies the state; mu is held.
func (s *Session) snapshot() State {
	st := s.now.State
	st.Hit = slices.Clone(st.Hit)
	st.BreakpointsActive = st.Status != Terminated && s.breakpoints.Active()
	if st.Status == Running || st.Status == Starting {
		st.Running = time.Since(s.now.since)
	}
	if st.Status == Running && s.currentRun() != nil && s.currentRun().isStillComing() {
		st.Status, st.Doing = Starting, "starting the program"
		if isAttached(s.currentRun().plan()) {
			st.Doing = "attaching to the program"
		}
	}
	return st
}

// Moment is the state and its number, which grows with each resume, stop and end.
func (s *Session) Moment() (epoch int, status Status) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now.epoch, s.now.Status
}

// broadcast wakes everyone who waits for a change; mu is held.
func (s *Session) broadcast() {
	close(s.changed)
	s.changed = make(chan struct{})
	s.publishNews(News{Moved: true})
	s.addToJournal()
}

// wake has everyone who waits look again.
func (s *Session) wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broadcast()
}

// publishNews tells the followers of all sessions what has happened to this one. Until it
// has a name nobody knows it.
func (s *Session) publishNews(what News) {
	if s.id != "" {
		what.ID = s.id
		s.manager.changes.add(what)
	}
}

// Lock takes the session's operation lock (one operation at a time); ctx bounds
// the wait. The caller must call the returned function.
func (s *Session) Lock(ctx context.Context) (unlock func(), err error) {
	return acquire(ctx, s.op)
}

// acquire takes a lock made of a channel with room for one token.
func acquire(ctx context.Context, lock chan struct{}) (release func(), err error) {
	select {
	case lock <- struct{}{}:
		return sync.OnceFunc(func() { <-lock }), nil
	default:
	}
	select {
	case lock <- struct{}{}:
		return sync.OnceFunc(func() { <-lock }), nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Rel shows a path the way replies do: relative to the workspace when inside it.
func (s *Session) Rel(path string) string { return source.Rel(s.Workspace(), path) }

// notStoppedError is the error of what needs a stopped program; mu is held.
func (s *Session) notStoppedError() error {
	switch s.now.Status {
	case Terminated:
		return s.endedError()
	case Starting:
		return fault.New(fault.NotPaused, "the program is still starting (%s)", s.now.Doing).
			WithHint("wait for it with execute(action: wait)")
	}
	return fault.New(fault.NotPaused, "the program is running").
		WithHint("stop it with execute(action: pause), or wait for a stop with execute(action: wait)")
}

// endedError is the error of everything that needs a living program; mu is held.
func (s *Session) endedError() error {
	how := "the program has ended"
	switch {
	case s.now.ExitCode != nil:
		how = fault.New("", "the program has ended with exit code %d", *s.now.ExitCode).Message
	case s.now.Signal != "":
		how = "the program was ended by " + s.now.Signal
	case s.now.Note != "":
		how = "the session has ended: " + s.now.Note
	}
	return fault.New(fault.SessionTerminated, "%s", how).
		WithHint("run it again with session(action: restart); its breakpoints and output are still there")
}
