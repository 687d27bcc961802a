package session

import (
	"context"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/session/stopped"
)

// stopPoint is one stop of the session, and what the stopped program asks of it. It
// dies when the program resumes, with all ids the adapter gave out.
type stopPoint struct {
	session    *Session
	number     int
	epoch      int
	connection *connection
	stop       adapters.Stop
	placed     bool // it was decided about by its place, or needs none
	program    *stopped.Program
}

// newStopPoint is the stop that the session has just come to; mu is held.
func (s *Session) newStopPoint(k *connection, stop adapters.Stop, placed bool) *stopPoint {
	t := &stopPoint{session: s, number: s.now.stops, epoch: s.now.epoch, connection: k, stop: stop, placed: placed}
	out := s.now.motion == moveOut
	t.program = stopped.New(t, k, stopped.Stop{
		Stop: stop, Number: s.now.stops, AfterOut: out, SteppedOut: out && s.now.Status == StoppedStep,
	}, s.facts(k.run))
	return t
}

// facts are what a stopped program of a run is shown by.
func (s *Session) facts(l *run) stopped.Facts {
	info := s.adapter.Info()
	return stopped.Facts{
		Adapter:  info.Name,
		Language: info.Language,
		Dialect:  l.plan().Dialect,
		Can:      l.plan().Capabilities,
		Limits: stopped.Limits{
			StackPage: s.limits.StackPage, Locals: s.limits.Locals, ValueBytes: s.limits.ValueBytes,
			AskedBytes: s.limits.AskedBytes, Children: s.limits.Children, Request: s.limits.Request,
		},
		Log:      s.log,
		Rel:      s.Rel,
		Withhold: func(text string) string { return s.manager.policy.Withhold(text, s.Workspace()) },
		Guard:    s.recoverPanic,
		Values:   &s.values,
		Tracker:  &s.tracker,
	}
}

// Stopped is the program at the current stop, for as long as that lasts. Where there is
// none, and after it, it refuses: STATE_NOT_PAUSED, SESSION_TERMINATED.
func (s *Session) Stopped() *stopped.Program {
	still, err := s.currentStop()
	if err != nil {
		return stopped.None(err)
	}
	return still.program
}

// currentStop returns the current stop, or the error that says why there is none.
func (s *Session) currentStop() (*stopPoint, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.still == nil {
		return nil, s.notStoppedError()
	}
	return s.still, s.still.goneError()
}

// goneError says that the program was killed while it stood still.
func (t *stopPoint) goneError() error {
	pid := t.connection.run.knownPID()
	if pid == 0 || !process.Gone(pid) {
		return nil
	}
	return fault.New(fault.SessionTerminated, "the program (process %d) is gone: it was killed from outside while it stood still", pid).
		WithHint("execute says how it ended; session(action: restart) runs it again")
}

// isCurrent says that the session still stands at this stop; mu is held.
func (t *stopPoint) isCurrent() bool {
	now := t.session.still
	return now != nil && now.number == t.number && now.epoch == t.epoch
}

// IsCurrent says that the session still stands at this stop.
func (t *stopPoint) IsCurrent() bool {
	t.session.mu.Lock()
	defer t.session.mu.Unlock()
	return t.isCurrent()
}

// Check says why the program cannot be looked at any more.
func (t *stopPoint) Check() error {
	s := t.session
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case t.isCurrent():
		return t.goneError()
	case s.still != nil:
		return fault.New(fault.NotPaused, "the program has gone on meanwhile, and stands at another stop").
			WithHint("look at it anew with inspect")
	}
	return s.notStoppedError()
}

// AwaitEnd waits until the session stands at this stop no longer.
func (t *stopPoint) AwaitEnd(ctx context.Context) error {
	return t.session.waitFor(ctx, func() bool { return !t.isCurrent() })
}

// Stops counts the stopped events of the run.
func (t *stopPoint) Stops() int {
	t.session.mu.Lock()
	defer t.session.mu.Unlock()
	n := 0
	for _, k := range t.connection.run.connections {
		n += k.stopSeq
	}
	return n
}

// Connection is that of a thread.
func (t *stopPoint) Connection(thread int) stopped.Connection { return t.connectionOf(thread) }

func (t *stopPoint) connectionOf(thread int) *connection {
	t.session.mu.Lock()
	defer t.session.mu.Unlock()
	return t.connection.run.owner(thread, t.connection)
}

// Connections are those with a living program, its own first.
func (t *stopPoint) Connections() []stopped.Connection { return t.connection.run.stoppedConnections() }

// Protocol is what the live adapter says of itself.
func (t *stopPoint) Protocol() godap.Capabilities { return t.session.adapterCapabilities() }

// Select makes another thread the one that the session shows.
func (t *stopPoint) Select(thread int) {
	t.session.mu.Lock()
	defer t.session.mu.Unlock()
	if t.isCurrent() {
		t.session.now.ThreadID = thread
	}
}

// attribute names the breakpoint of a stop that came without ids, by its place.
func (t *stopPoint) attribute() {
	top, known := t.program.KnownTop()
	if !known || top.Source == nil {
		return
	}
	s := t.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.isCurrent() && !t.placed && s.now.Status == StoppedBreakpoint && len(s.now.Hit) == 0 && len(t.stop.Hit) == 0 {
		s.now.Hit = s.breakpoints.Attribute(top.Source.Path, top.Line)
	}
}

// Refusal puts a failed request into words.
func (t *stopPoint) Refusal(ctx context.Context, code fault.Code, op string, err error) error {
	return t.session.refusalError(ctx, code, op, err)
}

// Interruption says what became of the program when an evaluation was cut short.
func (t *stopPoint) Interruption(ctx context.Context, expression string) error {
	s := t.session
	if now, err := s.currentStop(); err == nil {
		now.program.TopFrame(ctx, 0)
		now.attribute()
	}
	if crash := s.crashError(); crash != nil {
		return crash
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now.Status == Terminated {
		return fault.New(fault.Evaluation, "the program ended while %q was evaluated", expression).
			WithHint("run it again with session(action: restart)")
	}
	return fault.New(fault.Evaluation, "%q did not finish: %s", expression, s.interruptedBy()).
		WithHint("the program stands there now; step out or continue lets the call finish, or disable the breakpoint first")
}

// CheckExpressions says why the policy forbids expressions of the user.
func (t *stopPoint) CheckExpressions(param string, expressions ...string) error {
	return t.session.checkEvaluate(param, expressions...)
}

// Locate finds what a location of the user means.
func (t *stopPoint) Locate(location string) (stopped.Place, error) {
	spec, err := t.session.ResolveLocation(location)
	return stopped.Place{File: spec.File, Line: spec.Line, Function: spec.Function}, err
}

// FindFile finds a file of the program.
func (t *stopPoint) FindFile(name string) (string, error) { return t.session.resolveFile(name) }
