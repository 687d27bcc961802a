package session

import (
	"runtime/debug"
	"time"

	"aidb-mcp/internal/fault"
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
	l.s.Regain()
	l.cancel(errStopped)
	crash := fault.New(fault.Internal, "aidb-mcp has failed while %s: %v", doing, p).
		WithHint("this is a bug of ours, which has ended the session and its program; start it again with session(action: restart)")
	l.onceEnd.Do(func() {}) // nobody else ends it now; whoever has begun to may go on
	l.publishPanic(crash)
	l.release()
}

// publishPanic ends the session because of a panic in our own code.
func (l *run) publishPanic(crash *fault.Error) {
	s := l.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.currentRun() != l || s.now.Status == Terminated {
		return
	}
	starting := s.now.Status == Starting
	s.terminate(crash.Message)
	if starting {
		s.now.failed, s.now.Failed = crash, true
	} else {
		s.now.crash = crash
	}
	s.broadcast()
}

// lockLimit is longer than anybody holds a session's lock.
const lockLimit = time.Second

// Regain frees the session's lock if a goroutine has panicked with it. Nothing
// waits for anything while it holds the lock, so that one which is held for so
// long has nobody to free it.
func (s *Session) Regain() {
	got := make(chan struct{})
	go func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		close(got)
	}()
	limit := time.NewTimer(lockLimit)
	defer limit.Stop()
	select {
	case <-got:
	case <-limit.C:
		s.mu.Unlock()
	}
}

// recoverPanic calls ask and turns a panic in it into an error: it runs on another
// goroutine than the tool call, which would not recover it.
func (s *Session) recoverPanic(doing string, ask func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("panic", "session", s.id, "doing", doing, "panic", p, "stack", string(debug.Stack()))
			s.Regain()
			err = fault.New(fault.Internal, "%s failed inside aidb-mcp: %v", doing, p).WithHint("this is a bug of ours; the session goes on")
		}
	}()
	return ask()
}
