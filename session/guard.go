package session

import (
	"runtime/debug"

	"aidb-mcp/internal/fault"
	"aidb-mcp/session/lifecycle"
)

// spawn runs a part of the run's work on a goroutine of its own. A panic there
// costs this session, and no other.
func (l *run) spawn(doing string, work func()) {
	go func() {
		defer l.guard(doing)
		work()
	}()
}

// guard ends the run when what runs has panicked. To be deferred.
func (l *run) guard(doing string) {
	p := recover()
	if p == nil {
		return
	}
	l.s.log.Error("panic", "session", l.s.id, "doing", doing, "panic", p, "stack", string(debug.Stack()))
	l.cancel(errStopped)
	crash := fault.New(fault.Internal, "aidb-mcp has failed while %s: %v", doing, p).
		WithHint("this is a bug of ours, which has ended the session and its program; start it again with session(action: restart)")
	l.onceEnd.Do(func() {}) // nobody else ends it now; whoever has begun to may go on
	l.publishPanic(crash)
	l.release()
}

// publishPanic ends the session because of a panic in our own code.
func (l *run) publishPanic(crash *fault.Error) {
	l.change(func(m *lifecycle.Machine) { m.Panicked(crash) })
}

// recoverPanic calls ask and turns a panic in it into an error: it runs on another
// goroutine than the tool call, which would not recover it.
func (s *Session) recoverPanic(doing string, ask func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("panic", "session", s.id, "doing", doing, "panic", p, "stack", string(debug.Stack()))
			err = fault.New(fault.Internal, "%s failed inside aidb-mcp: %v", doing, p).WithHint("this is a bug of ours; the session goes on")
		}
	}()
	return ask()
}
