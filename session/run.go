package session

import (
	"context"
	"sync"
	"sync/atomic"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/system/mend"
	"aidb-mcp/internal/system/offspring"
	"aidb-mcp/session/lifecycle"
)

// run is one start of the program, from plan to end; restarting a session
// begins another. Events of an earlier run are not believed. Its parts guard what they
// own themselves.
type run struct {
	s      *Session
	first  bool // of its session
	number int  // by which the state knows it
	ctx    context.Context
	cancel context.CancelCauseFunc

	started chan struct{} // closed when the start goroutine has ended
	gone    chan struct{} // closed when everything is released

	onceEnd, onceRelease sync.Once

	planned      atomic.Pointer[adapters.Plan]
	opened       atomic.Pointer[adapters.Peer]
	after        atomic.Pointer[func(context.Context) error] // what is done when all is over
	toldReady    atomic.Bool                                 // a reply has told at which address the program can be called
	toldOutdated atomic.Bool                                 // a reply has told that a source is newer than the program

	notices      notices
	words        lastWords
	ending       *ending
	programs     programs
	processes    childProcesses
	offspring    atomic.Pointer[offspring.Watch] // nil: nobody has asked for it, or the kernel does not tell us
	listening    listeners
	loading      loading
	onceOutlived sync.Once // its first process has ended
	triggers     triggers

	connections connections
	adopted     chan error // tells a broker's start of its first child
	found       mend.Sight // how a program was before it was attached to

	noting sync.Mutex     // guards noted and left
	noted  *recording.Log // what the program has noted; nil until it was read
	left   *adapters.Left // what it has left running; nil until the run is released
}

// begin starts the run; it returns at once.
func (l *run) begin() {
	// It owns the start, and ends when the program runs, has failed to, or the run is ended.
	l.spawn("starting the program", l.start)
}

// newRun makes a run the session's own. It is in status starting, and nothing
// happens before its start.
func (s *Session) newRun(first bool) *run {
	l := &run{
		s:       s,
		first:   first,
		started: make(chan struct{}),
		ending:  newEnding(),
		gone:    make(chan struct{}),
		adopted: make(chan error, 1),
	}
	l.ctx, l.cancel = context.WithCancelCause(s.request.Call.In(context.Background()))
	s.change(func(m *lifecycle.Machine) {
		l.number = m.Begin()
		s.current.Store(l)
	})
	return l
}

// plan is how the program is started; nil before the adapter has made it.
func (l *run) plan() *adapters.Plan { return l.planned.Load() }

// peer is the adapter; nil before it is up.
func (l *run) peer() *adapters.Peer { return l.opened.Load() }

// change has something done with the state, unless this run has ended or is not the
// session's any more; then it answers false.
func (l *run) change(event func(m *lifecycle.Machine)) (current bool) {
	l.s.change(func(m *lifecycle.Machine) {
		if current = m.Is(l.number); current {
			event(m)
		}
	})
	return current
}

// isCurrent says whether this run is the session's and has not ended.
func (l *run) isCurrent() bool { return l.change(func(*lifecycle.Machine) {}) }

// liveConnection returns the run and its program's connection while requests make sense.
func (s *Session) liveConnection() (*run, *connection, error) {
	st, l := s.state(), s.currentRun()
	if st.Status == Terminated {
		return nil, nil, st.EndedError()
	}
	main := l.connections.main()
	if st.Status == Starting || main == nil {
		return nil, nil, st.NotStoppedError()
	}
	return l, main, nil
}

// dialect is the adapter's dialect, nil before the plan is known.
func (s *Session) dialect() adapters.Dialect {
	if l := s.currentRun(); l != nil && l.plan() != nil {
		return l.plan().Dialect
	}
	return nil
}

// capabilities are what the adapter can do beyond the protocol, nothing before the
// plan is known.
func (s *Session) capabilities() adapters.Capabilities {
	if l := s.currentRun(); l != nil && l.plan() != nil {
		return l.plan().Capabilities
	}
	return adapters.Capabilities{}
}

// protocol is what the live adapter says of itself.
func (s *Session) protocol() godap.Capabilities { return s.currentRun().connections.protocol() }

// Peeks says that an expression can be evaluated so that it runs none of the program's code,
// whatever its text says: with a context of [adapters.WithReading].
func (s *Session) Peeks() bool { return s.capabilities().Values.Peeks }

// CarriesRegisters says that a statement may read what the one before it has left in a
// register: none of them can be left out.
func (s *Session) CarriesRegisters() bool { return s.capabilities().Machine.CarriesRegisters }

// sourceDirs are the directories in which the program that runs has its sources.
func (s *Session) sourceDirs() []string {
	l := s.currentRun()
	if l == nil || l.plan() == nil {
		return nil
	}
	dirs := []string{l.plan().Dir}
	if isAttached(l.plan()) { // nothing else tells where its sources lie
		dirs = append(dirs, l.plan().Modules...)
	}
	return dirs
}

// newestFile is the file of the newest breakpoint, empty when there is none.
func (s *Session) newestFile() string {
	if all := s.breakpoints.List(); len(all) > 0 {
		return all[len(all)-1].Path()
	}
	return ""
}
