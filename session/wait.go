package session

import (
	"context"
	"time"

	"aidb-mcp/session/lifecycle"
)

// Wait returns when the program stands still, has ended, or its start failed
// (the error), or when d has passed or ctx has ended (ctx's error; the program
// keeps its state). An act of a person ends the wait too. d of 0 does not wait. It sends nothing to the adapter. When
// the adapter dies during the wait the error says so.
func (s *Session) Wait(ctx context.Context, d time.Duration) (State, error) {
	limit := time.NewTimer(max(d, 0))
	defer limit.Stop()
	acted := s.hub.Acted(ctx)
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for waited := false; ; waited = true {
		var st State
		var failed, crash error
		_, changed := s.next(func(m *lifecycle.Machine) bool {
			st, failed = s.snapshot(m), m.Failure()
			if died := m.Crash(); died != nil {
				crash = died
			}
			return false
		})
		switch {
		case failed != nil:
			return st, failed
		case crash != nil && waited:
			return st, crash
		case st.Status.Stopped() || st.Status == Terminated || d <= 0:
			return st, nil
		}
		select {
		case <-changed:
		case <-look.C:
			s.updateProcesses()
		case <-acted:
			d, acted = 0, nil
		case <-limit.C:
			d = 0 // what has changed at the same moment counts
		case <-ctx.Done():
			return s.State(), context.Cause(ctx)
		}
	}
}

// WaitFirst is Wait for a run that has just begun. A session whose very first
// start fails is forgotten. A program that was attached to without anything for
// it to stop at is not waited for once it runs; one that was to stop on entry is
// paused, where its adapter does not.
func (s *Session) WaitFirst(ctx context.Context, d time.Duration) (State, error) {
	l := s.currentRun()
	if p := s.request.Program; p.Attaches() && (p.StopOnEntry || len(s.Breakpoints()) == 0) {
		deadline := time.Now().Add(d)
		l.awaitJoined(ctx, d)
		d = 0
		if p.StopOnEntry {
			d = time.Until(deadline)
		}
	}
	st, err := s.Wait(ctx, d)
	forget := false
	s.change(func(m *lifecycle.Machine) { forget = m.Failure() != nil && m.IsRun(l.number) && l.first })
	if forget {
		s.manager.removeFailed(s)
	}
	return st, err
}

// awaitJoined waits until the attach is over, and pauses the program if it was to
// stop then and its adapter only stops what it starts.
func (l *run) awaitJoined(ctx context.Context, d time.Duration) {
	limit := time.NewTimer(max(d, 0))
	defer limit.Stop()
	select {
	case <-l.started:
	case <-limit.C:
		return
	case <-ctx.Done():
		return
	}
	s := l.s
	if !s.request.Program.StopOnEntry || !s.capabilities().Start.AttachKeepsRunning || s.status() != Running {
		return
	}
	if err := s.Pause(ctx, 0); err != nil { // it runs on, which the answer says
		s.log.Warn("the attached program could not be paused", "error", err)
	}
}
