package session

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/hub"
	"aidb-mcp/session/inspect"
	"aidb-mcp/session/lifecycle"
	"aidb-mcp/session/output"
	"aidb-mcp/session/stopped"
)

// Session is one debuggee. Its engine owns the state; the other parts guard what
// they own themselves.
type Session struct {
	Code
	points
	armedTraces
	memory  lastMemory
	id      string
	name    string // what it is called; the id, unless the server spells that otherwise
	manager *Manager
	request StartRequest
	limits  Limits
	log     *slog.Logger
	started time.Time
	op      chan struct{} // the operation lock of the callers: holds a token while one works
	out     *output.Buffer
	values  stopped.References // the numbers of values that were given out
	tracker inspect.Tracker    // of the values that frames have shown
	current atomic.Pointer[run]
	subject atomic.Pointer[subject]
	input   atomic.Pointer[input] // nil while there is no program whose input is ours
	history history
	far     far
	hub     *hub.Hub // for those who watch

	engine
	point   atomic.Pointer[stopPoint] // the last stop that somebody has looked at
	entered journalKey                // the last in the journal; only what follows from a move touches it
}

// subject is what is debugged.
type subject struct {
	target string // for people
	mode   adapters.Mode
}

func newSession(m *Manager, a adapters.Adapter, r StartRequest) *Session {
	limits := m.Limits()
	s := &Session{
		manager: m,
		request: r,
		limits:  limits,
		log:     m.log,
		started: time.Now(),
		op:      make(chan struct{}, 1),
		hub:     hub.New(),
		engine:  engine{changed: make(chan struct{})},
		points:  points{sending: make(chan struct{}, 1)},
		Code:    Code{adapter: a, program: r.Program, policy: m.policy, files: m.files},
	}
	s.session, s.moved = s, s.follow
	s.dirs, s.lastPlace = s.sourceDirs, s.newestFile
	s.observing = func() adapters.Observing { return s.capabilities().Observing }
	s.within = s.enteredProgram
	s.hint, s.here = func() string { return observeHint(s) }, s.localPath
	s.ended = func() bool { return s.status() == Terminated }
	s.subject.Store(&subject{r.Program.Target, r.Program.Mode})
	s.out = output.New(limits.OutputRing, s.tellPrinted)
	s.exceptions.choose(r.Exceptions)
	s.history.limit = limits.History
	return s
}

// ID is the session's short name, such as "go-1".
func (s *Session) ID() string { return s.id }

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

// AdapterPID is the process of the debug adapter, 0 when there is none or it is unknown.
func (s *Session) AdapterPID() int {
	if l := s.currentRun(); l != nil {
		if peer := l.peer(); peer != nil {
			return peer.PID
		}
	}
	return 0
}

// currentRun is the run under way, or the last one; nil before the first.
func (s *Session) currentRun() *run { return s.current.Load() }

// State is a snapshot of where the session stands.
func (s *Session) State() (st State) {
	s.change(func(m *lifecycle.Machine) { st = s.snapshot(m) })
	return st
}

// snapshot is the state as it is shown.
func (s *Session) snapshot(m *lifecycle.Machine) State {
	st := m.State()
	st.BreakpointsActive = st.Status != Terminated && s.breakpoints.Active()
	if l := s.currentRun(); st.Status == Running && l != nil && l.isStillComing(m) {
		st.Status, st.Doing = Starting, "starting the program"
		if isAttached(l.plan()) {
			st.Doing = "attaching to the program"
		}
	}
	return st
}

// Moment is the state and its number, which grows with each resume, stop and end.
func (s *Session) Moment() (epoch int, status Status) {
	s.change(func(m *lifecycle.Machine) { epoch, status = m.Epoch(), m.Status() })
	return epoch, status
}

// follow does what follows from a move of the state: values are good at their stop, and
// nothing is bound when the run has ended. Those who follow the sessions are told.
func (s *Session) follow(m *lifecycle.Machine) {
	s.values.Begin(m.StopNumber())
	if m.Status() == Terminated {
		s.breakpoints.Unbind()
	}
	s.publishNews(News{Moved: true})
	s.addToJournal(m)
}

// tellPrinted tells that the program has printed.
func (s *Session) tellPrinted(stream string, text []byte) {
	s.hub.Print(stream, text)
	s.publishNews(News{Printed: true})
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
