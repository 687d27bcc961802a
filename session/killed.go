package session

import (
	"context"
	"syscall"

	"aidb-mcp/internal/system/process"
	"aidb-mcp/session/lifecycle"
)

// killedOutside is the note of a program that has ended at a stop, which it
// cannot do by itself.
const killedOutside = "the program was ended from outside while it stood still"

// NoticeEnd looks, when the program stands still, whether it is there at all:
// one that was killed meanwhile is over, though its adapter knows nothing of it
// and goes on telling what it has learnt before. It says whether that was so.
func (s *Session) NoticeEnd(ctx context.Context) (ended bool) {
	still, _ := s.currentPoint()
	if s.status() == Running && s.currentRun().isChildless() {
		return s.awaitBriefly(ctx, disconnectLimit, hasEnded)
	}
	if still == nil || !still.connection.isGone() {
		return false
	}
	s.log.Info("the program was ended from outside", "session", s.id)
	if !still.connection.markKilled() {
		return s.awaitBriefly(ctx, programLimit, func(m *lifecycle.Machine) bool { return !m.IsAt(still.Number, still.Epoch) })
	}
	return s.awaitBriefly(ctx, programLimit, hasEnded)
}

// isChildless says that a broker's last child has ended, so that its own end is
// near.
func (l *run) isChildless() bool {
	root := l.connections.root()
	return root != nil && root.broker && l.connections.isChildless()
}

// isGone says whether the connection's process has ended.
func (k *connection) isGone() bool {
	pid := k.processID()
	return pid != 0 && process.Gone(pid)
}

// processID is that of the connection's program, 0 when it is not known.
func (k *connection) processID() int {
	if k == k.run.connections.main() {
		return k.run.programPID()
	}
	return k.knownPID()
}

// markKilled ends a connection whose program is no longer there, and says whether it
// was the session's main one.
func (k *connection) markKilled() (main bool) {
	l := k.run
	pid := k.processID()
	main = k == l.connections.main() && !l.isOutlived()
	if main && l.programs.first() == nil && l.ending.exitCode() == nil { // else how it ended is known better
		n := process.EndedBy(pid)
		if n == 0 && l.plan().Capabilities.End.HeldBySystem {
			n = int(syscall.SIGKILL)
		}
		if n != 0 {
			l.ending.kill(process.SignalText(n))
		}
	}
	if main {
		l.onProgramEnd(killedOutside)
	} else {
		k.onChildEnded()
	}
	return main
}
