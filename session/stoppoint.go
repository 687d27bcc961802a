package session

import (
	"context"
	"errors"
	"fmt"

	godap "github.com/google/go-dap"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/session/breakpoints"
	"aidb-mcp/session/lifecycle"
	"aidb-mcp/session/stopped"
)

// stopPoint is a stop of the session, and what the stopped program asks of it. It
// dies when the program resumes, with all ids the adapter gave out.
type stopPoint struct {
	lifecycle.Stop
	session    *Session
	connection *connection
	program    *stopped.Program
}

// currentPoint is the current stop, or the error that says why there is none. All who look
// at one stop share what they learn.
func (s *Session) currentPoint() (t *stopPoint, err error) {
	s.change(func(m *lifecycle.Machine) {
		now, ok := m.Current()
		if !ok {
			err = m.State().NotStoppedError()
			return
		}
		if t = s.point.Load(); t == nil || !m.IsAt(t.Number, t.Epoch) {
			t = newStopPoint(s, now, m.Status())
			s.point.Store(t)
		}
	})
	return t, err
}

func newStopPoint(s *Session, at lifecycle.Stop, status Status) *stopPoint {
	l := s.currentRun()
	t := &stopPoint{Stop: at, session: s, connection: l.connections.at(at.Connection)}
	out := at.After == lifecycle.ByStepOut
	t.program = stopped.New(t, t.connection, stopped.Stop{
		Stop: at.Event, Number: at.Number, AfterOut: out, SteppedOut: out && status == StoppedStep, Functions: s.functionsHit(l, at.Decision),
	}, s.facts(l))
	return t
}

// functionsHit are those whose breakpoints have been hit, that of the entry among them.
func (s *Session) functionsHit(l *run, d breakpoints.Decision) (names []string) {
	if d.Entry {
		names = append(names, l.plan().Dialect.Entry())
	}
	for _, id := range d.Hit {
		if b, ok := s.breakpoints.Get(id); ok && b.Kind == FunctionBreakpoint {
			names = append(names, b.Function)
		}
	}
	return names
}

// facts are what a stopped program of a run is shown by.
func (s *Session) facts(l *run) stopped.Facts {
	info := s.adapter.Info()
	return stopped.Facts{
		Adapter:  info.Name,
		Language: info.Language,
		Dialect:  atHome{l.plan().Dialect, s.Workspace()},
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

// currentStop is currentPoint of a program that was not killed meanwhile.
func (s *Session) currentStop() (*stopPoint, error) {
	t, err := s.currentPoint()
	if err != nil {
		return nil, err
	}
	return t, t.goneError()
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

// IsCurrent says that the session still stands at this stop.
func (t *stopPoint) IsCurrent() (so bool) {
	t.session.change(func(m *lifecycle.Machine) { so = m.IsAt(t.Number, t.Epoch) })
	return so
}

// Check says why the program cannot be looked at any more.
func (t *stopPoint) Check() error {
	if t.IsCurrent() {
		return t.goneError()
	}
	st := t.session.state()
	if st.Status.Stopped() {
		return fault.New(fault.NotPaused, "the program has gone on meanwhile, and stands at another stop").
			WithHint("look at it anew with inspect")
	}
	return st.NotStoppedError()
}

// AwaitEnd waits until the session stands at this stop no longer.
func (t *stopPoint) AwaitEnd(ctx context.Context) error {
	return t.session.waitFor(ctx, func(m *lifecycle.Machine) bool { return !m.IsAt(t.Number, t.Epoch) })
}

// Stops counts the stopped events of the run.
func (t *stopPoint) Stops() (n int) {
	t.session.change(func(m *lifecycle.Machine) { n = m.Sequences() })
	return n
}

// Connection is that of a thread.
func (t *stopPoint) Connection(thread int) stopped.Connection { return t.connectionOf(thread) }

func (t *stopPoint) connectionOf(thread int) *connection {
	return t.connection.run.connections.owner(thread, t.connection)
}

// Connections are those with a living program, its own first.
func (t *stopPoint) Connections() []stopped.Connection { return t.connection.run.connections.stopped() }

// Protocol is what the live adapter says of itself.
func (t *stopPoint) Protocol() godap.Capabilities { return t.connection.run.connections.protocol() }

// Select makes another thread the one that the session shows.
func (t *stopPoint) Select(thread int) {
	t.session.change(func(m *lifecycle.Machine) {
		if m.IsAt(t.Number, t.Epoch) {
			m.Select(thread)
		}
	})
}

// attribute names the breakpoint of a stop that came without ids, by its place.
func (t *stopPoint) attribute() {
	top, known := t.program.KnownTop()
	if !known || top.Source == nil {
		return
	}
	t.session.change(func(m *lifecycle.Machine) {
		if st := m.State(); m.IsAt(t.Number, t.Epoch) && !t.Decision.Placed && st.Status == StoppedBreakpoint && len(st.Hit) == 0 && len(t.Event.Hit) == 0 {
			m.Credit(t.session.breakpoints.Attribute(top.Source.Path, top.Line))
		}
	})
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
	st := s.state()
	cause := "the program stopped inside the call: " + st.Reason
	switch {
	case st.Status == Terminated:
		return fault.New(fault.Evaluation, "the program ended while %q was evaluated", expression).
			WithHint("run it again with session(action: restart)")
	case len(st.Hit) > 0:
		cause = fmt.Sprintf("the call hit breakpoint %d", st.Hit[0])
	}
	return fault.New(fault.Evaluation, "%q did not finish: %s", expression, cause).
		WithHint("the program stands there now; step out or continue lets the call finish, or disable the breakpoint first")
}

// CheckExpression says why an expression of the user may not be evaluated: the policy forbids
// it, or it may run code in a program that a person holds.
func (t *stopPoint) CheckExpression(ctx context.Context, expression string) error {
	if err := t.session.checkEvaluate("expression", expression); err != nil {
		return err
	}
	if t.session.OnlyReads(expression) {
		return nil
	}
	err := t.session.hub.CheckCode(ctx)
	if held := (*fault.Error)(nil); errors.As(err, &held) {
		return fault.New(held.Code, "%q may run code of the program: %s", expression, held.Message).WithField("expression").
			WithHint("names, members, elements and operators can be evaluated, and inspect(locals) and ref open values. %s", held.Hint)
	}
	return err
}

// Locate finds what a location of the user means.
func (t *stopPoint) Locate(location string) (stopped.Place, error) {
	spec, err := t.session.ResolveLocation(location)
	return stopped.Place{File: spec.File, Line: spec.Line, Function: spec.Function}, err
}

// FindFile finds a file of the program.
func (t *stopPoint) FindFile(name string) (string, error) { return t.session.resolveFile(name) }
