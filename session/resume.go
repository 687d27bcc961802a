package session

import (
	"cmp"
	"context"
	"errors"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/dap"
	"aidb-mcp/internal/fault"
	"aidb-mcp/session/breakpoints"
	"aidb-mcp/session/stopped"
)

// Continue lets the program run on. It returns as soon as the adapter has
// accepted the request; Wait then waits for the stop.
// Errors: STATE_NOT_PAUSED, SESSION_TERMINATED.
func (s *Session) Continue(ctx context.Context, thread int) error {
	return s.resume(ctx, moveContinue, "continue", thread, func(thread int) any {
		return godap.ContinueArguments{ThreadId: thread}
	})
}

// resume marks the program as running, sends the request, and returns once it
// is accepted. Events are believed before replies: some adapters answer only
// at the next stop. A refusal puts everything back.
func (s *Session) resume(ctx context.Context, how motion, command string, thread int, args func(thread int) any) error {
	s.mu.Lock()
	still, err := s.selectStop(thread)
	if err != nil {
		s.mu.Unlock()
		return err
	}
	if thread == 0 {
		thread = still.program.Thread()
	}
	k := still.connection
	l := k.run
	before := resumeSnapshot{s.now, still, s.values.Save(), l.held}
	if l.plan().Mode == adapters.Core {
		s.mu.Unlock()
		return fault.New(fault.NotSupported, "a core file is what a program left behind: nothing of it runs").
			WithHint("look at it with inspect: stack, threads, locals, expressions; start the program anew with session_start")
	}
	if command == "continue" && s.until == nil && l.publishNext(k) {
		s.mu.Unlock()
		return nil
	}
	l.held = withoutConnection(l.held, k) // a step, and a run to a place, pass over what they were told of
	s.setRunning(how)
	epoch := s.now.epoch
	k.owed, k.letGo = true, true
	s.mu.Unlock()

	pending := k.Send(command, args(k.AdapterThread(thread)))
	if how == moveContinue {
		s.mu.Lock()
		if s.now.epoch == epoch {
			l.publishHeld()
		}
		s.mu.Unlock()
	}
	answered := make(chan error, 1)
	go func() {
		var refused *dap.RequestError
		err := pending.WaitOpen(l.ctx, nil)
		if !errors.As(err, &refused) { // the end of the connection is told by the state
			answered <- nil
			return
		}
		s.restoreStop(epoch, before, func() { answered <- err })
	}()
	return s.awaitAccepted(ctx, command, epoch, answered)
}

// selectStop makes the stop that a thread belongs to the session's own, when it was
// held back for another's; mu is held.
func (s *Session) selectStop(thread int) (*stopPoint, error) {
	if s.still == nil {
		return nil, s.notStoppedError()
	}
	l := s.still.connection.run
	k := l.owner(thread, s.still.connection)
	if thread == 0 || k == s.still.connection {
		return s.still, nil
	}
	for _, h := range l.held {
		if h.connection == k {
			l.held = append(withoutConnection(l.held, k), heldStop{s.still.connection, s.still.stop, breakpoints.Decision{}})
			s.publish(h.connection, h.stop, h.decision)
			return s.still, nil
		}
	}
	return nil, fault.New(fault.NotPaused, "thread %d is running", thread).WithField("thread_id").
		WithHint("pause it with execute(action: pause, thread_id: %d), or leave thread_id out", thread)
}

// resumeSnapshot is the state before a resume, to which a refused one returns.
type resumeSnapshot struct {
	now    state
	still  *stopPoint
	values stopped.Saved
	held   []heldStop
}

// restoreStop restores the stop that a refused request would have ended. The refusal is
// told before anybody can see that stop, who would take it for one of the resume's.
func (s *Session) restoreStop(epoch int, before resumeSnapshot, refuse func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	refuse()
	if s.now.epoch != epoch || s.now.Status != Running {
		return
	}
	s.now, s.still = before.now, before.still
	s.values.Restore(before.values)
	s.still.connection.run.held = before.held
	s.broadcast()
}

// awaitAccepted waits for the reply to a resume, a stop, or the moment when silence
// counts as yes.
func (s *Session) awaitAccepted(ctx context.Context, command string, epoch int, answered <-chan error) error {
	limit := time.NewTimer(acceptLimit)
	defer limit.Stop()
	for {
		s.mu.Lock()
		moved, changed := s.now.epoch != epoch, s.changed
		s.mu.Unlock()
		select {
		case err := <-answered:
			return s.adapterError(ctx, command, err)
		default:
		}
		if moved {
			return nil
		}
		select {
		case err := <-answered:
			return s.adapterError(ctx, command, err)
		case <-changed:
		case <-limit.C:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Pause asks the running program to stand still; Wait then waits for it.
// Errors: STATE_NOT_RUNNING, SESSION_TERMINATED.
func (s *Session) Pause(ctx context.Context, thread int) error {
	l, k, err := s.liveConnection()
	if err != nil {
		return err
	}
	s.mu.Lock()
	k = l.owner(thread, k)
	stands := s.still != nil && (thread == 0 || s.still.connection == k)
	k.pausing = !stands
	s.mu.Unlock()
	if stands {
		return fault.New(fault.NotRunning, "the program stands still already").
			WithHint("look at it with inspect, or let it go on with execute(action: continue)")
	}
	l.awaitStart(ctx, k)
	if thread == 0 {
		thread = max(l.anyThread(ctx, k), k.OurThread(0))
	}
	err = l.pause(ctx, k, thread)
	if err != nil && s.status().Stopped() {
		return nil // it stopped by itself meanwhile
	}
	return s.adapterError(ctx, "pause", err)
}

// awaitStart waits until the adapter has started the program: what it is asked for
// meanwhile, it may lose or never answer.
func (l *run) awaitStart(ctx context.Context, k *connection) {
	limit, deaf := acceptLimit, l.plan().Capabilities.Start.IgnoresRequestsUntilProcess
	if deaf {
		limit = l.s.limits.Request
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	_ = l.s.waitFor(ctx, func() bool {
		return l.s.now.Status != Running || k.over || l.hasStarted() && (k.begun || !deaf)
	})
}

func (l *run) hasStarted() bool {
	select {
	case <-l.started:
		return true
	default:
		return false
	}
}

// pause asks for a pause at a moment at which the adapter heeds it.
func (l *run) pause(ctx context.Context, k *connection, thread int) error {
	if l.plan().Capabilities.Stops.LosesEarlyPauses {
		goes, cancel := context.WithTimeout(ctx, acceptLimit)
		_ = l.s.waitFor(goes, func() bool { return !k.owed || k.over || l.s.now.Status != Running })
		cancel()
		defer l.spawn("insisting on a pause", func() { l.repeatPause(k, thread) })
	}
	return k.Call(ctx, "pause", godap.PauseArguments{ThreadId: k.AdapterThread(thread)}, nil)
}

// repeatPause asks again for a pause that has brought nothing: one is lost where the program
// has not begun to run, which not every adapter tells of, and on a busy machine that
// takes its time. A stop that is still decided about is an answer.
func (l *run) repeatPause(k *connection, thread int) {
	l.s.mu.Lock()
	stops := k.stopSeq
	l.s.mu.Unlock()
	heeded := func() bool { return k.over || k.stopSeq != stops || !k.pausing || l.s.now.Status != Running }
	for wait := firstInsist; wait <= lastInsist; wait *= 2 {
		over, cancel := context.WithTimeout(l.ctx, wait)
		_ = l.s.waitFor(over, heeded)
		cancel()
		l.s.mu.Lock()
		enough := heeded() || l.ctx.Err() != nil
		l.s.mu.Unlock()
		if enough {
			return
		}
		if err := k.Call(l.ctx, "pause", godap.PauseArguments{ThreadId: k.AdapterThread(thread)}, nil); err != nil {
			l.s.log.Debug("pause again", "error", err)
		}
	}
}

// Jump moves the point of execution to a location without running what lies
// between. Errors: CAPABILITY_NOT_SUPPORTED, INVALID_LOCATION, STATE_NOT_PAUSED, SESSION_TERMINATED.
func (s *Session) Jump(ctx context.Context, location string, thread int) error {
	still, err := s.currentStop()
	if err != nil {
		return err
	}
	spec, err := s.ResolveLocation(location)
	if err != nil {
		return err
	}
	if spec.Function != "" {
		return fault.New(fault.InvalidLocation, "jumping needs a line, not the function %s", spec.Function).
			WithHint(`give jump_target as "file.go:42", inside the current function`)
	}
	thread = cmp.Or(thread, still.program.Thread())
	k := still.connectionOf(thread)
	if jump := s.capabilities().Machine.Jump; jump != nil {
		if err := jump(ctx, k, k.AdapterThread(thread), spec.File, spec.Line); err != nil {
			return s.jumpError(ctx, err)
		}
		s.publishJump(still, k, thread)
		return nil
	}
	if !s.adapterCapabilities().SupportsGotoTargetsRequest {
		return s.unsupportedError("jump", "run there with run_until, or set variables so that the program takes the other way")
	}
	return s.gotoTarget(ctx, k, spec, thread)
}

// jumpError is why a line was refused as the next to run.
func (s *Session) jumpError(ctx context.Context, err error) error {
	err = s.refusalError(ctx, fault.InvalidLocation, "jump", err)
	var f *fault.Error
	if errors.As(err, &f) && f.Hint == "" {
		return f.WithHint("choose a line with code in the current function; run_until goes anywhere by running")
	}
	return err
}

func (s *Session) gotoTarget(ctx context.Context, k *connection, spec BreakpointSpec, thread int) error {
	var body godap.GotoTargetsResponseBody
	args := godap.GotoTargetsArguments{Source: godap.Source{Path: spec.File}, Line: spec.Line}
	if err := k.Call(ctx, "gotoTargets", args, &body); err != nil {
		return s.jumpError(ctx, err)
	}
	if len(body.Targets) == 0 {
		return fault.New(fault.InvalidLocation, "%s:%d is no place to jump to", s.Rel(spec.File), spec.Line).
			WithHint("choose a line with code in the current function")
	}
	return s.resume(ctx, moveContinue, "goto", thread, func(thread int) any {
		return godap.GotoArguments{ThreadId: thread, TargetId: body.Targets[0].Id}
	})
}

// publishJump publishes the stop after a jump that the adapter announces by no event.
func (s *Session) publishJump(still *stopPoint, k *connection, thread int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if still.isCurrent() {
		s.now.motion = moveContinue
		s.publish(k, adapters.Stop{Reason: "goto", ThreadID: thread, HasThread: true}, breakpoints.Decision{})
	}
}
