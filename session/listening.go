package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/system/netstat"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/system/sleep"
)

// listeners know at which sockets the program accepts connections. The system announces
// none, so they are looked for: at every reply, and while somebody waits. The lock is
// its own.
type listeners struct {
	mu      sync.Mutex
	at      adapters.Debuggee // that was attached to
	own     []string          // inodes of those that an attached program had before the debugger came
	known   []string          // of those that are no news: the debugger's own, and those that were told
	heard   []netstat.Socket
	mention int // how many waits have ended for what was heard
}

const (
	listenSoon   = 50 * time.Millisecond  // the first look of a wait; the next ones come later and later
	listenLate   = 250 * time.Millisecond // and no later than this
	listenSettle = 500 * time.Millisecond // a program that has begun to listen may stop, or listen at more
	mostMentions = 3                      // of one run: a program that listens over and over is no server
	mostSockets  = 20
)

// ignoreListening takes what a program listens at, before anything of its own has
// run, for the debugger's. Another connection's program has sockets of its own.
func (k *connection) ignoreListening() {
	pid := k.run.listeningPID()
	if k != k.run.connections.main() && k != k.run.connections.root() {
		if own := k.knownPID(); own == pid {
			pid = 0
		} else {
			pid = own
		}
	}
	if pid == 0 {
		return
	}
	k.run.listening.ignore(netstat.Listening(pid))
}

// noteOwnSockets looks at what a program that is attached to listens at before the debugger
// comes: that is news for whoever attaches, but for the debugger's port.
func (l *run) noteOwnSockets() {
	r := l.s.request.Program
	debuggee := adapters.FindDebuggee(r)
	if serves := l.plan().Capabilities.Start.Serves; serves != nil && r.PID == 0 && debuggee.PID != 0 {
		debuggee = adapters.FindDebuggee(adapters.Request{PID: serves(debuggee.PID)})
	}
	if !r.Attaches() || debuggee.PID == 0 {
		return
	}
	own := slices.DeleteFunc(netstat.Listening(debuggee.PID), func(s netstat.Socket) bool {
		return r.Port != 0 && int(s.Address.Port()) == r.Port
	})
	l.listening.note(debuggee, own)
	if sharing := netstat.Sharing(debuggee.PID, own); len(sharing) > 0 {
		l.warn(sharedText(own[0], sharing))
	}
}

// sharedText says which processes may serve a request that somebody expects in the session.
func sharedText(socket netstat.Socket, sharing []process.Other) string {
	var pids []string
	for _, o := range sharing[:min(len(sharing), mostSockets)] {
		pids = append(pids, strconv.Itoa(o.PID))
	}
	who := "process " + pids[0]
	if len(pids) > 1 {
		who = "processes " + strings.Join(pids, ", ")
	}
	return fmt.Sprintf("what comes to %s may be answered by %s in its place, where this session sees nothing: attach to each that serves", socket.Address, who)
}

// listeningPID is the process whose sockets are the program's; 0 where nobody knows.
func (l *run) listeningPID() int {
	if pid := l.programPID(); pid != 0 {
		return pid
	}
	if at, plan := l.listening.attached(), l.plan(); plan != nil && at.Runs(plan.Capabilities.Start.Accepts...) {
		return at.PID
	}
	return 0
}

func (e *listeners) note(at adapters.Debuggee, own []netstat.Socket) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.at = at
	for _, socket := range own {
		e.own = append(e.own, socket.Inode)
	}
}

func (e *listeners) attached() adapters.Debuggee {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.at
}

// ignore takes sockets for no news, unless they were the program's before the debugger came.
func (e *listeners) ignore(open []netstat.Socket) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, socket := range open {
		if slices.Contains(e.own, socket.Inode) {
			continue
		}
		if !slices.Contains(e.known, socket.Inode) {
			e.known = append(e.known, socket.Inode)
		}
		e.heard = slices.DeleteFunc(e.heard, func(s netstat.Socket) bool { return s.Inode == socket.Inode })
	}
}

// update takes in what is open now, and says whether some of it is news.
func (e *listeners) update(open []netstat.Socket) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.heard = e.heard[:0]
	for _, socket := range open {
		if len(e.heard) < mostSockets && !slices.Contains(e.known, socket.Inode) {
			e.heard = append(e.heard, socket)
		}
	}
	return len(e.heard) > 0
}

// take takes the addresses that are news, which they are no longer then.
func (e *listeners) take() (addresses []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, socket := range e.heard {
		if at := socket.Address.String(); !slices.Contains(addresses, at) {
			addresses = append(addresses, at)
		}
		e.known = append(e.known, socket.Inode)
	}
	e.heard = nil
	return addresses
}

// mayMention says whether a wait may end because the program listens, and counts it.
func (e *listeners) mayMention() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.mention++
	return e.mention <= mostMentions
}

// updateListening looks at which addresses the program listens by now, and says whether
// there is a new one.
func (l *run) updateListening() bool {
	pid := l.listeningPID()
	if pid == 0 {
		return false
	}
	open := netstat.Listening(pid)
	if ofDebugger := l.plan().Capabilities.Start.OfDebugger; ofDebugger != nil {
		open = slices.DeleteFunc(open, ofDebugger)
	}
	return l.listening.update(open)
}

// Listening are the addresses at which the program has begun to listen since they
// were last asked for: "127.0.0.1:8080".
func (s *Session) Listening() []string {
	l, status := s.currentRun(), s.status()
	if status != Running && !status.Stopped() || !l.updateListening() {
		return nil
	}
	return l.listening.take()
}

// WaitOrListen is Wait that also returns when the program has begun to listen and
// does not stop: what it then waits for is a request from outside.
func (s *Session) WaitOrListen(ctx context.Context, d time.Duration) (State, error) {
	return s.waitOrListening(ctx, d, s.Wait)
}

// WaitFirstOrListen is WaitFirst that also returns when the program listens.
func (s *Session) WaitFirstOrListen(ctx context.Context, d time.Duration) (State, error) {
	return s.waitOrListening(ctx, d, s.WaitFirst)
}

func (s *Session) waitOrListening(ctx context.Context, d time.Duration, wait func(context.Context, time.Duration) (State, error)) (State, error) {
	if d <= 0 {
		return wait(ctx, d)
	}
	waiting, end := context.WithCancelCause(ctx)
	defer end(nil)
	// It owns nothing, and ends with the wait.
	go s.watchListening(waiting, func() { end(errListens) })
	st, err := wait(waiting, d)
	if errors.Is(err, errListens) {
		return s.State(), nil
	}
	return st, err
}

// errListens ends a wait; nobody outside sees it.
var errListens = errors.New("the program listens")

// watchListening calls heard once the running program has listened for a while.
func (s *Session) watchListening(ctx context.Context, heard func()) {
	var joined time.Time // when the adapter had attached, which takes long on a busy machine
	for pause := listenSoon; ; pause = min(2*pause, listenLate) {
		if !sleep.For(ctx, pause) {
			return
		}
		if joined.IsZero() && s.hasJoined() {
			joined = time.Now()
		}
		if !hasListeningNews(s) || s.mayBindSoon() && (joined.IsZero() || time.Since(joined) < bindSoon) {
			continue
		}
		if !sleep.For(ctx, listenSettle) {
			return
		}
		if hasListeningNews(s) && s.currentRun().listening.mayMention() {
			heard()
			return
		}
	}
}

// mayBindSoon says that the adapter may still be looking at what an attached program has loaded.
func (s *Session) mayBindSoon() bool {
	l := s.currentRun()
	plan := l.plan()
	return plan != nil && plan.Capabilities.Breakpoints.BindsLoadedSilently && len(s.findUnbound("")) > 0 && !l.loading.isOver()
}

// hasJoined says that the adapter has answered attach, and looks at what the program has loaded.
func (s *Session) hasJoined() bool {
	k := s.currentRun().connections.main()
	return k != nil && k.answered.Load()
}

// hasListeningNews says whether the program runs and has begun to listen, or says that it
// can be called. Of a run of tests
// nobody asks anything from outside.
func hasListeningNews(s *Session) bool {
	l, runs := s.currentRun(), s.status() == Running && s.Mode() != adapters.Test
	return runs && (l.updateListening() || l.readyAddress() != "")
}
