package session

import (
	"context"
	"syscall"
	"time"

	"aidb-mcp/internal/system/process"
)

// killedOutside is the note of a program that has ended at a stop, which it
// cannot do by itself.
const killedOutside = "the program was ended from outside while it stood still"

// NoticeEnd looks, when the program stands still, whether it is there at all:
// one that was killed meanwhile is over, though its adapter knows nothing of it
// and goes on telling what it has learnt before. It says whether that was so.
func (s *Session) NoticeEnd(ctx context.Context) (ended bool) {
	s.mu.Lock()
	still, l := s.still, s.run
	ends := s.now.Status == Running && l.childless()
	s.mu.Unlock()
	if ends {
		return s.soon(ctx, disconnectLimit, func() bool { return s.now.Status == Terminated })
	}
	if still == nil || !still.link.gone() {
		return false
	}
	s.log.Info("the program was ended from outside", "session", s.id)
	if !still.link.lose() {
		return s.soon(ctx, programLimit, func() bool { return !still.holds(s) })
	}
	return s.soon(ctx, programLimit, func() bool { return s.now.Status == Terminated })
}

// soon waits for what is about to come.
func (s *Session) soon(ctx context.Context, limit time.Duration, come func() bool) bool {
	noticed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return s.waitFor(noticed, come) == nil
}

// childless says that a broker's last child has ended, so that its own end is
// near; mu is held.
func (l *run) childless() bool {
	root := l.root()
	return root != nil && root.broker && len(l.connections) > 1 && l.main() == nil
}

// gone says that the connection's process has ended.
func (k *connection) gone() bool {
	pid := k.process()
	return pid != 0 && process.Gone(pid)
}

// process is that of the connection's program, 0 when it is not known.
func (k *connection) process() int {
	l := k.run
	l.s.mu.Lock()
	main, pid := k == l.main(), k.pid
	l.s.mu.Unlock()
	if main {
		return l.programPID()
	}
	return pid
}

// lose ends what a program was that is no longer there, and says whether it was
// the session's own.
func (k *connection) lose() (main bool) {
	l := k.run
	pid := k.process()
	l.s.mu.Lock()
	main = k == l.main()
	if main && !l.ourStreams() && l.exitCode == nil { // else how it ended is known better
		n := process.EndedBy(pid)
		if n == 0 && l.plan.Capabilities.End.HeldBySystem {
			n = int(syscall.SIGKILL)
		}
		if n != 0 {
			l.signal = process.SignalText(n)
			l.onceExited.Do(func() { close(l.exited) })
		}
	}
	l.s.mu.Unlock()
	if main {
		l.finish(killedOutside)
	} else {
		l.childOver(k)
	}
	return main
}
