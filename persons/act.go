package persons

import (
	"context"
	"fmt"
	"strings"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/hub"
	"aidb-mcp/session"
)

// Kind is what a person does.
type Kind string

// The acts. Those that drive the program need the session taken.
const (
	Continue         Kind = "continue"
	Pause            Kind = "pause"
	StepOver         Kind = "step_over"
	StepIn           Kind = "step_in"
	StepOut          Kind = "step_out"
	SetBreakpoint    Kind = "set_breakpoint"
	RemoveBreakpoint Kind = "remove_breakpoint"
	Evaluate         Kind = "evaluate"
	SetValue         Kind = "set_value"
	Note             Kind = "note"
	Take             Kind = "take"
	Give             Kind = "give"
	Answer           Kind = "answer"
)

// Drives says that an act needs the session taken: it moves or changes the program.
func (k Kind) Drives() bool {
	switch k {
	case Continue, Pause, StepOver, StepIn, StepOut, SetValue:
		return true
	}
	return false
}

// Act is what a person wants done.
type Act struct {
	Kind         Kind   `json:"kind"`
	Thread       int    `json:"thread,omitempty"`   // of a step, an evaluation; 0: the one that stopped
	Frame        int    `json:"frame,omitempty"`    // of an evaluation, a value: its index
	Location     string `json:"location,omitempty"` // of a breakpoint: "file:line" or a function
	Condition    string `json:"condition,omitempty"`
	HitCondition string `json:"hit_condition,omitempty"`
	LogMessage   string `json:"log_message,omitempty"`
	ID           int    `json:"id,omitempty"`   // of the breakpoint to remove, or in whose place another is set, or of the question; 0: the oldest question
	Name         string `json:"name,omitempty"` // that is set
	Text         string `json:"text,omitempty"` // the expression, the value, the note, the answer
}

// Outcome is what came of an act.
type Outcome struct {
	Said       string              `json:"said"`
	Value      *session.Variable   `json:"-"`
	Shown      *hub.Value          `json:"value,omitempty"`
	Breakpoint *session.Breakpoint `json:"-"`
}

// Act does what the person wants, if that is allowed: AIDB_HELD_BY_PERSON where another
// person holds the session. The agent's next reply tells it.
func (s *Seat) Act(ctx context.Context, a Act) (Outcome, error) {
	h := s.Session.Hub()
	switch a.Kind {
	case Take:
		return Outcome{Said: "you hold the session: the agent looks on until you give it back"}, h.Take(s.Person)
	case Give:
		return Outcome{Said: "the session is the agent's again"}, h.Give(s.Person)
	case Note:
		return s.note(a.Text)
	case Answer:
		return Outcome{Said: "answered"}, h.Answer(s.Person, a.ID, a.Text)
	case Evaluate:
		if strings.TrimSpace(a.Text) == "" {
			return Outcome{}, fault.New(fault.MissingParam, "there is nothing to evaluate").WithField("text")
		}
		if s.Session.OnlyReads(a.Text) {
			return s.evaluate(ctx, a) // as whoever looks, beside the agent
		}
		if err := s.mayDrive("an expression that may change something"); err != nil {
			return Outcome{}, err
		}
	}
	if a.Kind.Drives() {
		if err := s.mayDrive("driving the program"); err != nil {
			return Outcome{}, err
		}
	}
	return s.inTurn(ctx, a)
}

// mayDrive says why not, in plain words.
func (s *Seat) mayDrive(what string) error {
	err := s.Session.Hub().CheckPerson(s.Person)
	if fault.Is(err, fault.InvalidParam) {
		return fault.New(fault.InvalidParam, "%s needs the session taken: the agent drives it now", what).
			WithHint("take it first (:take in the debug console), and give it back when you are done")
	}
	return err
}

func (s *Seat) note(text string) (Outcome, error) {
	if strings.TrimSpace(text) == "" {
		return Outcome{}, fault.New(fault.MissingParam, "the note is empty").WithField("text")
	}
	s.Session.Hub().Record(s.Person, "wrote a note", text)
	return Outcome{Said: "noted: the agent's next reply shows it"}, nil
}

// inTurn does what needs the session's turn. An agent that waits for the program makes room.
func (s *Seat) inTurn(ctx context.Context, a Act) (Outcome, error) {
	h := s.Session.Hub()
	ctx, done := h.Acting(ctx, a.Kind != Pause) // whose stop ends the wait
	defer done()
	if a.Kind != Pause { // which may be meant for what holds the lock
		unlock, err := s.lock(ctx)
		if err != nil {
			return Outcome{}, err
		}
		defer unlock()
	}
	if a.Kind.Drives() {
		if err := h.CheckPerson(s.Person); err != nil { // it may have ended meanwhile
			return Outcome{}, err
		}
	}
	did, out, err := s.perform(ctx, a)
	s.Session.PublishBreakpoints(s.Person.Author())
	if err != nil {
		return Outcome{}, err
	}
	h.Record(s.Person, did, "")
	return out, nil
}

// stepPatience is how long a step may take until the person is told that it goes on.
const stepPatience = 2 * time.Second

// perform does an act, and says what was done as the agent will read it.
func (s *Seat) perform(ctx context.Context, a Act) (did string, out Outcome, err error) {
	switch a.Kind {
	case Continue:
		return "let the program continue", Outcome{Said: "it runs"}, s.Session.Continue(ctx, a.Thread)
	case Pause:
		return s.pause(ctx, a)
	case StepOver, StepIn, StepOut:
		return s.step(ctx, a)
	case SetBreakpoint:
		return s.setBreakpoint(ctx, a)
	case RemoveBreakpoint:
		return s.removeBreakpoint(ctx, a.ID)
	case SetValue:
		return s.setValue(ctx, a)
	case Evaluate:
		if err := s.desk.Policy.Change("evaluating what may change something", "expression"); err != nil {
			return "", out, err
		}
		out, err = s.evaluate(ctx, a)
		return fmt.Sprintf("evaluated %s, which gave %s", a.Text, out.Said), out, err
	}
	return "", out, fault.New(fault.InvalidAction, "there is no act %q", a.Kind).WithField("kind")
}

// pause stops the program, and waits a moment until it stands.
func (s *Seat) pause(ctx context.Context, a Act) (did string, out Outcome, err error) {
	if err := s.Session.Pause(ctx, a.Thread); err != nil {
		return "", out, err
	}
	if st, err := s.Session.Wait(ctx, stepPatience); err == nil && !st.Status.Stopped() {
		return "asked the program to pause, which it has not done yet", Outcome{Said: "it pauses when it can"}, nil
	}
	return "paused the program", Outcome{Said: "paused"}, nil
}

func (s *Seat) step(ctx context.Context, a Act) (did string, out Outcome, err error) {
	action := map[Kind]string{StepOver: "over", StepIn: "into", StepOut: "out"}[a.Kind]
	from := s.place(ctx)
	st, err := s.Session.Step(ctx, session.StepOptions{Action: action, Thread: a.Thread, Count: 1}, stepPatience)
	if err != nil {
		return "", out, err
	}
	to := s.place(ctx)
	switch did = "stepped " + action; {
	case from != "" && to != "":
		did += fmt.Sprintf(" from %s to %s", from, to)
	case from != "" && !st.Status.Stopped():
		did += fmt.Sprintf(" from %s; the step is still under way", from)
		if st.Status == session.Terminated {
			did = fmt.Sprintf("stepped %s from %s, with which the program ended", action, from)
		}
	}
	return did, Outcome{Said: did}, nil
}

// place is where a stopped program stands, empty when that cannot be told.
func (s *Seat) place(ctx context.Context) string {
	frames, _, err := s.Session.Stopped().Stack(ctx, 0, 0, 1)
	if err != nil || len(frames) == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d", s.Session.Rel(frames[0].File), frames[0].Line)
}

func (s *Seat) setBreakpoint(ctx context.Context, a Act) (did string, out Outcome, err error) {
	spec, err := s.Session.ResolveLocation(a.Location)
	if err != nil {
		return "", out, err
	}
	spec.Condition, spec.HitCondition, spec.LogMessage = a.Condition, a.HitCondition, a.LogMessage
	b, err := s.Session.SetBreakpoint(ctx, spec)
	if err != nil {
		return "", out, err
	}
	did = fmt.Sprintf("set breakpoint %d at %s", b.ID, s.breakpointPlace(b))
	for _, part := range []struct{ name, text string }{{"if", a.Condition}, {"at hit", a.HitCondition}, {"logging", a.LogMessage}} {
		if part.text != "" {
			did += fmt.Sprintf(" %s %s", part.name, part.text)
		}
	}
	if !b.Verified {
		did += ", which is not bound"
	}
	if a.ID != 0 && a.ID != b.ID {
		if err := s.Session.RemoveBreakpoints(ctx, []int{a.ID}); err != nil {
			return did, out, err
		}
		did += fmt.Sprintf(" in place of breakpoint %d", a.ID)
	}
	return did, Outcome{Said: did, Breakpoint: &b}, nil
}

func (s *Seat) breakpointPlace(b session.Breakpoint) string {
	switch b.Kind {
	case session.FunctionBreakpoint:
		return b.Function
	case session.WatchBreakpoint:
		return b.Expression
	}
	return fmt.Sprintf("%s:%d", s.Session.Rel(b.File), b.Line)
}

func (s *Seat) removeBreakpoint(ctx context.Context, id int) (did string, out Outcome, err error) {
	found, err := s.Session.FindBreakpoints(id, "", "")
	if id == 0 {
		err = fault.New(fault.MissingParam, "which breakpoint is to be removed?").WithField("id")
	}
	if err != nil {
		return "", out, err
	}
	if err := s.Session.RemoveBreakpoints(ctx, []int{id}); err != nil {
		return "", out, err
	}
	did = fmt.Sprintf("removed breakpoint %d (%s)", id, s.breakpointPlace(found[0]))
	return did, Outcome{Said: did}, nil
}

func (s *Seat) setValue(ctx context.Context, a Act) (did string, out Outcome, err error) {
	if a.Name == "" {
		return "", out, fault.New(fault.MissingParam, "what is to be set?").WithField("name")
	}
	if err := s.desk.Policy.Change("setting a variable", "name"); err != nil {
		return "", out, err
	}
	old, now, err := s.Session.Stopped().Assign(ctx, a.Name, a.Text, a.Thread, a.Frame)
	if err != nil {
		return "", out, err
	}
	did = fmt.Sprintf("set %s to %s (it was %s)", a.Name, now.Untyped(), old.Untyped())
	return did, s.outcome(did, now), nil
}

func (s *Seat) evaluate(ctx context.Context, a Act) (Outcome, error) {
	v, err := s.Session.Stopped().Evaluate(ctx, a.Text, a.Thread, a.Frame, session.Page{})
	if err != nil {
		return Outcome{}, err
	}
	return s.outcome(v.Untyped(), v), nil
}

func (s *Seat) outcome(said string, v session.Variable) Outcome {
	return Outcome{Said: said, Value: &v, Shown: &session.WatchedValues([]session.Variable{v})[0]}
}
