package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/dap"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/telemetry"
	"aidb-mcp/session/lifecycle"
)

// Stop ends the session: the program is killed, or left running when it was
// attached to and kill is false. It works in every state and returns within seconds.
func (s *Session) Stop(ctx context.Context, kill bool) (State, error) {
	l := s.currentRun()
	l.end(StoppedOnRequest, kill)
	select {
	case <-l.gone:
		return s.State(), nil
	case <-ctx.Done():
		return s.State(), context.Cause(ctx)
	}
}

// StoppedOnRequest is the note of a session that was stopped; leftRunning is added
// to it when the program runs on.
const (
	StoppedOnRequest = "stopped on request"
	leftRunning      = "; the program was left running"
)

// awaitRelease waits until an ended session has released everything, bounded by ctx.
func (s *Session) awaitRelease(ctx context.Context) {
	l := s.currentRun()
	select {
	case <-l.gone:
	case <-ctx.Done():
	}
}

// end begins to end the run on request; it returns at once.
func (l *run) end(note string, kill bool) {
	l.onceEnd.Do(func() {
		// It owns the end of the run, and ends when everything is released.
		l.spawn("ending the session", func() {
			l.cancel(errStopped)
			<-l.started
			note += l.endingText()
			// The program is told to end before its end is published, so
			// that its last output is there.
			lived := l.isProgramAlive() // a child session is over once it was let go
			l.ending.byUs.Store(lived && l.plan() != nil && (kill || !l.plan().Detach))
			if !l.endDirectly() {
				l.disconnect(kill)
			}
			if !kill && l.plan() != nil && l.plan().Detach && lived {
				note += l.detachedText()
				if !l.hasProgramEnded() {
					l.ending.forget()
				}
			}
			l.publishEnd(note, nil)
			l.release()
		})
	})
}

// endDirectly ends the program without the adapter, where that would let it run on
// for a moment. False: the adapter is to be asked.
func (l *run) endDirectly() bool {
	if !l.endsDirectly() {
		return false
	}
	l.programs.kill()
	l.awaitExitCode()
	return true
}

// endsDirectly says that we end the program ourselves, and need no adapter for it.
func (l *run) endsDirectly() bool {
	return l.programs.first() != nil && l.plan().Capabilities.End.RunsOnAtDisconnect
}

// onLauncherExit ends the run when the program that we started for a broker has
// ended and no connection debugs anything that lives. The broker, which has no
// part in the program, may look whether it is there only now and then.
func (l *run) onLauncherExit() {
	if l.plan().Broker && l.connections.isChildless() && l.plan().Capabilities.End.RunsOnAtDisconnect && l.programs.isFirstGone() {
		l.connections.root().onTerminated()
	}
}

// onProgramEnd is called when the program has ended by itself.
func (l *run) onProgramEnd(note string) {
	l.onceEnd.Do(func() {
		// It owns the end of the run, and ends when everything is released.
		l.spawn("following the program's end", func() {
			l.awaitExitCode()
			l.interpretExit()
			l.drainChildren()
			l.findSurvivors()
			l.publishEnd(note, nil)
			<-l.started
			l.triggers.await()
			if !l.endsDirectly() {
				l.disconnect(true)
			}
			l.release()
		})
	})
}

// drainChildren gives the adapters of children that have ended before the program the time
// to hand over what is still on its way: their hits, log messages and output.
func (l *run) drainChildren() {
	links := slices.DeleteFunc(l.connections.all(), func(k *connection) bool { return k.over.Load() || k.broker || k.knownPID() == 0 })
	limit := time.NewTimer(endLimit)
	defer limit.Stop()
	for _, k := range links {
		if l.plan().Mode == adapters.RemoteAttach || !process.Gone(k.knownPID()) {
			continue
		}
		select {
		case <-k.done:
		case <-k.conn.Done():
		case <-limit.C:
			return
		}
	}
}

// fail ends a run whose start failed. A program that was attached to by then is
// left running.
func (l *run) fail(err error) {
	if l.claimEnd() {
		l.publishFailure(err)
		l.disconnect(false)
		l.release()
	}
}

// claimEnd is true for the first who ends the run, who then has time to do it:
// others do not wait here.
func (l *run) claimEnd() (first bool) {
	l.onceEnd.Do(func() { first = true })
	return first
}

// watchAdapter waits for the adapter's end. Unless the run is ending already it is a
// crash; during the start the handshake notices first.
func (l *run) watchAdapter(root *connection) {
	<-root.conn.Done()
	<-l.started
	if l.peer().Program != nil && l.awaitProgramEnd() {
		l.onProgramEnd("")
		return
	}
	if l.claimEnd() {
		crash := l.crashError("while the program was being debugged")
		l.publishEnd(crash.Message, crash)
		l.release()
	}
}

// awaitProgramEnd waits a moment for the end of a program that serves DAP itself
// and has closed the connection.
func (l *run) awaitProgramEnd() bool {
	limit := time.NewTimer(endLimit)
	defer limit.Stop()
	select {
	case <-l.ending.known:
		return true
	case <-limit.C:
		return false
	}
}

// crashError describes the adapter's death with its last words; they may still be
// on their way when the stream has ended.
func (l *run) crashError(when string) *fault.Error {
	if l.peer().Done != nil {
		limit := time.NewTimer(exitLimit)
		defer limit.Stop()
		select {
		case <-l.peer().Done:
		case <-limit.C:
		}
	}
	remote := l.plan().Mode == adapters.RemoteAttach && l.peer().Done == nil
	message := "the debug adapter ended unexpectedly " + when
	if remote {
		message = fmt.Sprintf("what listens at %s has closed the connection %s", portAddress(l.s.request.Program), when)
	}
	if why := l.brokenReason(); why != "" {
		message = fmt.Sprintf("the debug adapter broke the protocol %s, and was ended: %s", when, why)
	}
	words := tidyText(l.peer().Stderr(), 2000)
	if root := l.connections.root(); words == "" && root != nil { // some runtimes say why they die where the protocol is
		words = tidyText(root.conn.Nonsense(), 2000)
	}
	if words != "" {
		message += "; its last words: " + words
	}
	hint := l.fateText() + "; start again with session(action: restart) or session_start"
	if remote {
		hint += "; does a debugger's server listen there?"
	}
	if advise := l.plan().Capabilities.End.CrashAdvice; advise != nil {
		if advice := advise(); advice != "" {
			hint += ". " + advice
		}
	}
	return fault.New(fault.AdapterCrashed, "%s", message).WithHint("%s", hint)
}

// brokenReason is what the adapter has sent that made us close the connection, empty
// when the adapter has closed it.
func (l *run) brokenReason() string {
	root := l.connections.root()
	if root == nil {
		return ""
	}
	err := root.conn.Err()
	if !errors.Is(err, dap.ErrProtocol) {
		return ""
	}
	return err.Error()
}

// isProgramAlive says whether the program is connected and, as far as we know, has not
// ended.
func (l *run) isProgramAlive() bool {
	return l.connections.main() != nil && !l.hasProgramEnded()
}

// hasProgramEnded says that the program that was attached to is gone: by the system,
// where it runs here, for some adapters tell of an end when they let it go.
func (l *run) hasProgramEnded() bool {
	if pid := cmp.Or(l.s.PID(), l.s.request.Program.PID); pid != 0 && l.plan().Mode != adapters.RemoteAttach {
		return process.Gone(pid)
	}
	return l.ending.isTold()
}

// fateText is what becomes of the program when its adapter has died: what we have
// started ends with the session, of what was attached to only the system knows.
func (l *run) fateText() string {
	pid := l.s.PID()
	if pid == 0 && l.plan().Mode == adapters.Attach {
		pid = l.s.request.Program.PID
	}
	switch {
	case l.plan().Mode == adapters.RemoteAttach || l.plan().Detach && pid == 0:
		return "whether the program still runs is not known"
	case !l.plan().Detach:
		return "the program that it was to debug does not run any more"
	case process.Gone(pid):
		return fmt.Sprintf("the program (process %d) is gone too", pid)
	}
	return fmt.Sprintf("the program (process %d) is still there", pid)
}

// awaitExitCode gives the exit code a moment when the end was told before it.
func (l *run) awaitExitCode() {
	wait, closed := exitLimit, l.connections.root().conn.Done()
	if l.programs.first() != nil { // we know how it ends without the adapter
		wait, closed = programLimit, nil
	}
	limit := time.NewTimer(wait)
	defer limit.Stop()
	select {
	case <-l.ending.known:
	case <-closed:
	case <-limit.C:
	}
}

// interpretExit asks the dialect what the exit code means.
func (l *run) interpretExit() {
	end := l.plan().Capabilities.End
	code := l.ending.exitCode()
	if code == nil {
		return
	}
	if end.Read != nil {
		ctx, cancel := context.WithTimeout(l.ctx, endLimit)
		defer cancel()
		end.Read(ctx, l.connections.root(), *code)
	}
	if end.Warning == nil {
		return
	}
	if warning := end.Warning(); warning != "" {
		l.warn(warning)
		l.s.log.Warn("the program has ended", "warning", warning)
	}
}

// publishEnd makes the session terminated, with all output of the program in
// its rings.
func (l *run) publishEnd(note string, crash *fault.Error) {
	l.s.out.Drain()
	signal := func(int) string { return "" } // it may end before there is a plan
	if plan := l.plan(); plan != nil {
		signal = plan.Dialect.Signal
	}
	l.change(func(m *lifecycle.Machine) {
		m.End(note)
		m.Crashed(crash)
		m.EndedWith(l.ending.detail(signal))
	})
}

func (l *run) publishFailure(err error) {
	var f *fault.Error
	stopped := errors.Is(err, errStopped) || errors.Is(err, context.Canceled) && l.ctx.Err() != nil
	if !stopped && !errors.As(err, &f) {
		f = fault.New(fault.SessionStart, "%w", err)
	}
	l.change(func(m *lifecycle.Machine) {
		if stopped {
			m.End("stopped on request while it was starting")
		} else {
			m.Fail(f)
		}
	})
}

// release closes and kills what the run holds, once.
func (l *run) release() { l.onceRelease.Do(l.closeAll) }

func (l *run) closeAll() {
	defer close(l.gone)
	l.cancel(errStopped)
	l.triggers.end()
	l.closeAdapters()
	l.programs.kill()
	l.s.out.Detach()
	l.programs.close()
	l.s.closeInput()
	if l.plan() != nil && l.plan().Records != "" {
		_, _ = l.readRecording() // Close takes it away; whoever asks for it is told of an error
	}
	l.keepLeft()
	if l.plan() != nil && l.plan().Close != nil {
		l.plan().Close()
	}
	l.runAfter()
}

// tidyText is a text of an adapter without the colours of a terminal and the
// space round it, cut to its last max bytes.
func tidyText(text string, max int) string {
	text = strings.TrimSpace(dap.PlainText(text))
	if len(text) > max {
		text = "…" + strings.ToValidUTF8(text[len(text)-max:], "")
	}
	return text
}

// Restart ends the program and starts it anew (building again) with the same
// request; breakpoints are kept unless keep is false, and follow their
// statements when the source has changed. Wait for it like after Open.
func (s *Session) Restart(ctx context.Context, keep bool) error {
	if _, err := s.Stop(ctx, false); err != nil {
		return fmt.Errorf("end the program before its restart: %w", err)
	}
	if !keep {
		s.breakpoints.Clear()
	}
	s.breakpoints.Reset()
	s.breakpoints.Follow(s.files)
	s.tracker.Reset()
	s.request.Program.Record, s.request.Program.Left = nil, adapters.LeftUnasked
	s.request.Call = telemetry.CallOf(ctx)
	s.newRun(false).begin()
	return nil
}
