package session

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/dap"
)

// life is one start of the program, from plan to end; restarting a session
// begins another. Events of an earlier life are not believed.
//
// The fields up to ctx never change; those below are guarded by the session's
// mu until the start goroutine has ended.
type life struct {
	s      *Session
	first  bool // of its session: when it fails to start, the session is forgotten
	ctx    context.Context
	cancel context.CancelCauseFunc

	started     chan struct{} // closed when the start goroutine has ended
	initialized chan struct{} // closed at the first initialized event
	exited      chan struct{} // closed when the exit code is known
	gone        chan struct{} // closed when everything is released

	onceInitialized, onceExited, onceEnd sync.Once

	plan       *adapters.Plan
	peer       *adapters.Peer
	links      []*link // the root first; child connections follow
	caps       godap.Capabilities
	configured bool   // breakpoints have been sent: later changes are sent too
	stopSeq    int    // counts stopped events, so that a newer one wins over one still decided about
	pauses     int    // tries at the pause under way
	owed       bool   // a continued event of our own resume may still come
	exitCode   *int   // of the exited event
	signal     string // that ended the program, when the adapter only found it gone
	console    []byte // last words of the adapter, for start errors
	warnings   []string
}

// link is one DAP connection of a life.
type link struct {
	conn *dap.Conn
	life *life
}

// Call and Send make a link an adapters.Caller.
func (k *link) Call(ctx context.Context, command string, arguments, body any) error {
	return k.conn.Call(ctx, command, arguments, body)
}

func (k *link) Send(command string, arguments any) *dap.Pending {
	return k.conn.Send(command, arguments)
}

// begin starts a new life; it returns at once.
func (s *Session) begin(first bool) {
	l := &life{
		s:           s,
		first:       first,
		started:     make(chan struct{}),
		initialized: make(chan struct{}),
		exited:      make(chan struct{}),
		gone:        make(chan struct{}),
	}
	l.ctx, l.cancel = context.WithCancelCause(context.Background())
	s.mu.Lock()
	s.life = l
	s.still, s.pid = nil, 0
	s.now = state{
		State: State{Status: Starting, ThreadID: -1, Doing: "preparing"},
		since: time.Now(),
		epoch: s.now.epoch + 1,
		stops: s.now.stops,
	}
	s.broadcast()
	s.mu.Unlock()
	go l.start()
}

// root is the connection that requests without a thread go to; nil before the
// adapter is up. The session's mu is held, or the start has ended.
func (l *life) root() *link {
	if len(l.links) == 0 {
		return nil
	}
	return l.links[0]
}

// current says whether this life is the session's and has not ended; mu is held.
func (l *life) current() bool {
	return l.s.life == l && l.s.now.Status != Terminated
}

// connect wraps the adapter's stream.
func (l *life) connect(stream *adapters.Peer) *link {
	k := &link{life: l}
	k.conn = dap.New(stream.Stream, dap.Options{
		Name:    l.s.id,
		Log:     l.s.log,
		Trace:   l.s.manager.trace,
		Timeout: l.s.limits.Request,
		OnEvent: func(e dap.Event) { l.onEvent(k, e) },
	})
	return k
}

// live returns the life and its root connection while requests make sense.
func (s *Session) live() (*life, *link, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.now.Status == Terminated:
		return nil, nil, s.ended()
	case s.now.Status == Starting || s.life.root() == nil:
		return nil, nil, s.notStanding()
	}
	return s.life, s.life.root(), nil
}

// dialect is the adapter's dialect, the protocol's plain one before the plan is known.
func (s *Session) dialect() adapters.Dialect {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.life != nil && s.life.plan != nil {
		return s.life.plan.Dialect
	}
	return nil
}

// caps are the capabilities of the live adapter.
func (s *Session) caps() godap.Capabilities {
	s.mu.Lock()
	l := s.life
	s.mu.Unlock()
	return l.capabilities()
}

func (l *life) capabilities() godap.Capabilities {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	return l.caps
}

// decode unmarshals leniently: adapters send nulls and wrong types in fields
// that do not matter, and what could be read still counts.
func (l *life) decode(what string, raw json.RawMessage, into any) bool {
	if len(raw) == 0 {
		return true
	}
	if err := json.Unmarshal(raw, into); err != nil {
		l.s.log.Warn("odd message from the adapter", "what", what, "error", err)
		return false
	}
	return true
}
