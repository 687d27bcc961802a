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
	"aidb-mcp/internal/telemetry"
	"aidb-mcp/session/breakpoints"
	"aidb-mcp/session/lifecycle"
)

// Continue lets the program run on. It returns as soon as the adapter has
// accepted the request; Wait then waits for the stop.
// Errors: STATE_NOT_PAUSED, SESSION_TERMINATED.
func (s *Session) Continue(ctx context.Context, thread int) error {
	return s.resume(ctx, lifecycle.ByContinue, "continue", thread, func(thread int) any {
		return godap.ContinueArguments{ThreadId: thread}
	})
}

// resume marks the program as running, sends the request, and returns once it
// is accepted. Events are believed before replies: some adapters answer only
// at the next stop. A refusal puts everything back.
func (s *Session) resume(ctx context.Context, how lifecycle.Motion, command string, thread int, args func(thread int) any) error {
	still, err := s.selectStop(thread)
	if err != nil {
		return err
	}
	thread = cmp.Or(thread, still.program.Thread())
	k := still.connection
	l := k.run
	if l.plan().Mode == adapters.Core {
		return fault.New(fault.NotSupported, "a core file is what a program left behind: nothing of it runs").
			WithHint("look at it with inspect: stack, threads, locals, expressions; start the program anew with session_start")
	}
	var before lifecycle.Before
	var epoch int
	moved, shown := false, false
	s.change(func(m *lifecycle.Machine) {
		switch {
		case !m.IsAt(still.Number, still.Epoch):
			moved = true
		case command == "continue" && m.PublishNext(k.number, s.breakpoints.Enabled):
			shown = true
		default:
			before, epoch = m.Resume(k.number, how)
		}
	})
	switch {
	case moved:
		return s.resume(ctx, how, command, thread, args)
	case shown:
		return nil
	}
	pending := k.Send(command, args(k.AdapterThread(thread)))
	if how == lifecycle.ByContinue {
		s.change(func(m *lifecycle.Machine) { m.Resumed(epoch) })
	}
	answered := make(chan error, 1)
	// It owns the reply, and ends with that, the connection, or the run.
	go func() {
		var refused *dap.RequestError
		err := pending.WaitOpen(telemetry.CallOf(ctx).In(l.ctx), nil)
		if !errors.As(err, &refused) { // the end of the connection is told by the state
			answered <- nil
			return
		}
		// The refusal is told before anybody can see that stop, who would take it for one of
		// the resume's.
		s.change(func(m *lifecycle.Machine) {
			answered <- err
			m.Restore(epoch, before)
		})
	}()
	return s.awaitAccepted(ctx, command, epoch, answered)
}

// selectStop makes the stop that a thread belongs to the session's own, when it was
// held for another's.
func (s *Session) selectStop(thread int) (*stopPoint, error) {
	still, err := s.currentPoint()
	if err != nil || thread == 0 {
		return still, err
	}
	k := still.connectionOf(thread)
	if k == still.connection {
		return still, nil
	}
	selected := false
	s.change(func(m *lifecycle.Machine) { selected = m.IsAt(still.Number, still.Epoch) && m.SelectStop(k.number) })
	if !selected {
		return nil, fault.New(fault.NotPaused, "thread %d is running", thread).WithField("thread_id").
			WithHint("pause it with execute(action: pause, thread_id: %d), or leave thread_id out", thread)
	}
	return s.currentPoint()
}

// awaitAccepted waits for the reply to a resume, a stop, or the moment when silence
// counts as yes.
func (s *Session) awaitAccepted(ctx context.Context, command string, epoch int, answered <-chan error) error {
	limit := time.NewTimer(acceptLimit)
	defer limit.Stop()
	for {
		moved, changed := s.next(func(m *lifecycle.Machine) bool { return m.Epoch() != epoch })
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
	k = l.connections.owner(thread, k)
	stands := false
	s.change(func(m *lifecycle.Machine) {
		stands = m.StopNumber() != 0 && (thread == 0 || m.StandsAt(k.number))
		m.Of(k.number).Pausing = !stands
	})
	if stands {
		return fault.New(fault.NotRunning, "the program stands still already").
			WithHint("look at it with inspect, or let it go on with execute(action: continue)")
	}
	k.awaitStart(ctx)
	if thread == 0 {
		thread = max(k.anyThread(ctx), k.OurThread(0))
	}
	err = k.pause(ctx, thread)
	if err == nil {
		k.rouse(ctx)
	}
	if err != nil && s.status().Stopped() {
		return nil // it stopped by itself meanwhile
	}
	return s.adapterError(ctx, "pause", err)
}

// awaitStart waits until the adapter has started the program: what it is asked for
// meanwhile, it may lose or never answer.
func (k *connection) awaitStart(ctx context.Context) {
	limit, deaf := acceptLimit, k.run.plan().Capabilities.Start.IgnoresRequestsUntilProcess
	if deaf {
		limit = k.run.s.limits.Request
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	_ = k.run.s.waitFor(ctx, func(m *lifecycle.Machine) bool {
		return m.Status() != Running || k.over.Load() || k.run.hasStarted() && (k.begun.Load() || !deaf)
	})
}

func (l *run) hasStarted() bool {
	return isClosed(l.started)
}

// pause asks for a pause at a moment at which the adapter heeds it.
func (k *connection) pause(ctx context.Context, thread int) error {
	stops := k.run.plan().Capabilities.Stops
	if stops.ConfirmsResumes {
		goes, cancel := context.WithTimeout(ctx, acceptLimit)
		_ = k.run.s.waitFor(goes, func(m *lifecycle.Machine) bool {
			return !m.Of(k.number).IsOwed() || k.over.Load() || m.Status() != Running
		})
		cancel()
	}
	if stops.LosesEarlyPauses {
		// It owns nothing, and ends when the pause has come, after its tries, or with the run.
		defer k.run.spawn("insisting on a pause", func() { k.repeatPause(thread) })
	}
	return k.Call(ctx, "pause", godap.PauseArguments{ThreadId: k.AdapterThread(thread)}, nil)
}

// rouse has the program look up, where the adapter can have it do so and a pause does not come by itself.
func (k *connection) rouse(ctx context.Context) {
	rouse := k.run.plan().Capabilities.Stops.Rouse
	if rouse == nil {
		return
	}
	soon, cancel := context.WithTimeout(ctx, pauseSoon)
	defer cancel()
	if k.run.s.waitFor(soon, func(m *lifecycle.Machine) bool { return k.over.Load() || m.Status() != Running }) == nil {
		return
	}
	if err := rouse(ctx, k); err != nil {
		k.run.s.log.Debug("rousing the program", "error", err)
	}
}

// pauseSoon is how long a pause takes at most that comes by itself.
const pauseSoon = 200 * time.Millisecond

// repeatPause asks again for a pause that has brought nothing: one is lost where the program
// has not begun to run, which not every adapter tells of, and on a busy machine that
// takes its time. A stop that is still decided about is an answer.
func (k *connection) repeatPause(thread int) {
	stops := 0
	k.run.s.change(func(m *lifecycle.Machine) { stops = m.Of(k.number).Sequence })
	heeded := func(m *lifecycle.Machine) bool {
		known := m.Of(k.number)
		return k.over.Load() || known.Sequence != stops || !known.Pausing || m.Status() != Running
	}
	for wait := firstInsist; wait <= lastInsist; wait *= 2 {
		over, cancel := context.WithTimeout(k.run.ctx, wait)
		_ = k.run.s.waitFor(over, heeded)
		cancel()
		if enough, _ := k.run.s.next(heeded); enough || k.run.ctx.Err() != nil {
			return
		}
		if err := k.Call(k.run.ctx, "pause", godap.PauseArguments{ThreadId: k.AdapterThread(thread)}, nil); err != nil {
			k.run.s.log.Debug("pause again", "error", err)
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
		still.publishJump(k, thread)
		return nil
	}
	if !s.protocol().SupportsGotoTargetsRequest {
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
	return s.resume(ctx, lifecycle.ByContinue, "goto", thread, func(thread int) any {
		return godap.GotoArguments{ThreadId: thread, TargetId: body.Targets[0].Id}
	})
}

// publishJump publishes the stop after a jump that the adapter announces by no event.
func (t *stopPoint) publishJump(k *connection, thread int) {
	t.session.change(func(m *lifecycle.Machine) {
		if m.IsAt(t.Number, t.Epoch) {
			m.Jumped(k.stopOf(adapters.Stop{Reason: "goto", ThreadID: thread, HasThread: true}, breakpoints.Decision{}))
		}
	})
}
