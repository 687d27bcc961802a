package session

import (
	"context"
	"fmt"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/internal/fault"
	"aidb-mcp/session/inspect"
	"aidb-mcp/session/lifecycle"
)

// StepOptions say how to step.
type StepOptions struct {
	Action      string // over, into, out, back
	Count       int    // 1 to 100
	Thread      int    // 0 the current one
	Granularity string // line, statement, instruction
	Into        string // into_function: step into this function of the current line, others are stepped over
}

var stepCommands = map[string]string{"over": "next", "into": "stepIn", "out": "stepOut", "back": "stepBack"}

// Step makes the steps one after another, each waited for within d overall. A
// stop for another cause ends the count early (State.Note says so). When d
// passes first, the state is running and the step is still under way.
func (s *Session) Step(ctx context.Context, o StepOptions, d time.Duration) (State, error) {
	if err := s.checkStep(&o); err != nil {
		return s.State(), err
	}
	x := stepping{s, time.Now().Add(d)}
	if o.Into != "" {
		return x.into(ctx, o)
	}
	var st State
	for n := 1; n <= o.Count; n++ {
		var err error
		if st, err = x.once(ctx, o); err != nil {
			return st, err
		}
		if st.Status != StoppedStep {
			return x.endedEarly(st, n, o.Count), nil
		}
	}
	return st, nil
}

// stepping are the steps of one call.
type stepping struct {
	session  *Session
	deadline time.Time // by which they are waited for
}

// checkStep checks the options and fills in what was left out.
func (s *Session) checkStep(o *StepOptions) error {
	if o.Into != "" {
		o.Action = "into"
	}
	if o.Action == "" {
		o.Action = "over"
	}
	o.Count = max(o.Count, 1)
	if stepCommands[o.Action] == "" {
		return fault.New(fault.InvalidAction, "there is no step %q", o.Action).WithHint("use over, into, out or back")
	}
	if _, err := s.currentStop(); err != nil {
		return err
	}
	caps := s.protocol()
	switch {
	case o.Action == "back" && !caps.SupportsStepBack:
		return s.unsupportedError("stepping back", "restart with a breakpoint further up: session(action: restart)")
	case o.Granularity == "instruction" && !caps.SupportsSteppingGranularity:
		return s.unsupportedError("stepping by instruction", "step by line")
	}
	return nil
}

func (x stepping) once(ctx context.Context, o StepOptions) (State, error) {
	how := lifecycle.ByStep
	if o.Action == "out" {
		how = lifecycle.ByStepOut
	}
	granularity := godap.SteppingGranularity("")
	if x.session.protocol().SupportsSteppingGranularity {
		granularity = godap.SteppingGranularity(o.Granularity)
	}
	err := x.session.resume(ctx, how, stepCommands[o.Action], o.Thread, func(thread int) any {
		return stepArguments{ThreadID: thread, Granularity: granularity}
	})
	if err != nil {
		return x.session.State(), err
	}
	st, err := x.session.Wait(ctx, time.Until(x.deadline))
	if err == nil && st.Status == StoppedStep && o.Granularity != "instruction" && x.mustGoOn(ctx, o.Thread) {
		o.Action = "out"
		return x.once(ctx, o)
	}
	if how == lifecycle.ByStepOut && err == nil && st.Status == StoppedStep && x.session.capabilities().Stops.StepOutStopsInside {
		o.Action = "over"
		return x.once(ctx, o)
	}
	return st, err
}

// mustGoOn says whether a step has ended in a place where none should.
func (x stepping) mustGoOn(ctx context.Context, thread int) bool {
	skipped := x.session.capabilities().Stops.Skipped
	if skipped == nil {
		return false
	}
	top, known := x.session.Stopped().TopFrame(ctx, thread)
	return known && skipped(top)
}

// stepArguments serve all four step requests.
type stepArguments struct {
	ThreadID    int                       `json:"threadId"`
	Granularity godap.SteppingGranularity `json:"granularity,omitempty"`
}

// endedEarly adds to the state how many of the steps were made, where not all
// were.
func (x stepping) endedEarly(st State, n, count int) State {
	if count == 1 {
		return st
	}
	done := n - 1
	why := "the program stopped for another reason"
	switch {
	case st.Status == Terminated:
		why = "the program ended"
	case st.Status == Running:
		why = "the time was up during the next one"
	case len(st.Hit) > 0:
		why = fmt.Sprintf("breakpoint %d was hit", st.Hit[0])
	case st.Note != "":
		why = st.Note
	}
	return x.session.addNote(st, fmt.Sprintf("%d of %d steps were made: %s", done, count, why))
}

// into steps into the named function of the current line: into each call,
// and out again of those that are others.
func (x stepping) into(ctx context.Context, o StepOptions) (State, error) {
	start, err := x.session.Stopped().Frame(ctx, o.Thread, 0)
	if err != nil {
		return x.session.State(), err
	}
	in, out := o, o
	out.Action = "out"
	for range maxIntoTries {
		st, err := x.once(ctx, in)
		if err != nil || st.Status != StoppedStep {
			return st, err
		}
		at, err := x.session.Stopped().Frame(ctx, o.Thread, 0)
		if err != nil {
			return st, err
		}
		switch {
		case inspect.IsNamed(at.Name, o.Into):
			return st, nil
		case at.Name != start.Name:
			if st, err = x.once(ctx, out); err != nil || st.Status != StoppedStep {
				return st, err
			}
			if at, err = x.session.Stopped().Frame(ctx, o.Thread, 0); err != nil {
				return st, err
			}
		}
		if inspect.IsNamed(at.Name, o.Into) {
			return st, nil
		}
		if at.Name != start.Name || at.Line != start.Line {
			return x.session.addNote(st, fmt.Sprintf("line %d was left without a call of %s", start.Line, o.Into)), nil
		}
	}
	return x.session.addNote(x.session.State(), fmt.Sprintf("gave up looking for a call of %s after %d calls", o.Into, maxIntoTries)), nil
}
