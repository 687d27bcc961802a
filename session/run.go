package session

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/system/mend"
)

// run is one start of the program, from plan to end; restarting a session
// begins another. Events of an earlier run are not believed.
//
// The fields up to ctx never change; those below are guarded by the session's
// mu until the start goroutine has ended.
type run struct {
	s      *Session
	first  bool // of its session
	ctx    context.Context
	cancel context.CancelCauseFunc

	started chan struct{} // closed when the start goroutine has ended
	gone    chan struct{} // closed when everything is released

	onceEnd, onceRelease sync.Once

	planned      atomic.Pointer[adapters.Plan]
	opened       atomic.Pointer[adapters.Peer]
	root         atomic.Pointer[connection]                  // once there is one
	after        atomic.Pointer[func(context.Context) error] // what is done when all is over
	toldReady    atomic.Bool                                 // a reply has told at which address the program can be called
	toldOutdated atomic.Bool                                 // a reply has told that a source is newer than the program

	notices   notices
	words     lastWords
	ending    *ending
	programs  programs
	processes childProcesses
	listening listeners

	connections []*connection       // the root first; child connections follow
	owners      map[int]*connection // of threads, by our ids
	held        []heldStop          // stops that wait until another connection's is let go
	adopted     chan error          // tells a broker's start of its first child
	found       mend.Sight          // how a program was before it was attached to

	noting sync.Mutex     // guards noted
	noted  *recording.Log // what the program has noted; nil until it was read
}

// begin starts a further run; it returns at once.
func (s *Session) begin() {
	l := s.newRun(false)
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
		owners:  map[int]*connection{},
		adopted: make(chan error, 1),
	}
	l.ctx, l.cancel = context.WithCancelCause(context.Background())
	s.mu.Lock()
	s.current.Store(l)
	s.still = nil
	s.now = state{
		State: State{Status: Starting, ThreadID: -1, Doing: "preparing"},
		since: time.Now(),
		epoch: s.now.epoch + 1,
		stops: s.now.stops,
	}
	s.broadcast()
	s.mu.Unlock()
	return l
}

// plan is how the program is started; nil before the adapter has made it.
func (l *run) plan() *adapters.Plan { return l.planned.Load() }

// peer is the adapter; nil before it is up.
func (l *run) peer() *adapters.Peer { return l.opened.Load() }

// isCurrent says whether this run is the session's and has not ended; mu is held.
func (l *run) isCurrent() bool {
	return l.s.currentRun() == l && l.s.now.Status != Terminated
}

// liveConnection returns the run and its program's connection while requests make sense.
func (s *Session) liveConnection() (*run, *connection, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now.Status == Terminated {
		return nil, nil, s.endedError()
	}
	main := s.currentRun().mainConnection()
	if s.now.Status == Starting || main == nil {
		return nil, nil, s.notStoppedError()
	}
	return s.currentRun(), main, nil
}

// dialect is the adapter's dialect, the protocol's plain one before the plan is known.
func (s *Session) dialect() adapters.Dialect {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.currentRun() != nil && s.currentRun().plan() != nil {
		return s.currentRun().plan().Dialect
	}
	return nil
}

// capabilities are what the adapter can do beyond the protocol, nothing before the
// plan is known.
func (s *Session) capabilities() adapters.Capabilities {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.currentRun() != nil && s.currentRun().plan() != nil {
		return s.currentRun().plan().Capabilities
	}
	return adapters.Capabilities{}
}

// adapterCapabilities are what the live adapter says of itself by the protocol.
func (s *Session) adapterCapabilities() godap.Capabilities {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.currentRun().programCapabilities()
}

// programCapabilities are what the adapter of the program's connection says of itself;
// mu is held.
func (l *run) programCapabilities() godap.Capabilities {
	if main := l.mainConnection(); main != nil {
		return main.caps
	}
	if root := l.rootConnection(); root != nil {
		return root.caps
	}
	return godap.Capabilities{}
}

// decode unmarshals leniently: adapters send nulls and wrong types in fields
// that do not matter, and what could be read still counts.
func (l *run) decode(what string, raw json.RawMessage, into any) bool {
	if len(raw) == 0 {
		return true
	}
	if err := json.Unmarshal(raw, into); err != nil {
		l.s.log.Warn("odd message from the adapter", "what", what, "error", err)
		return false
	}
	return true
}
