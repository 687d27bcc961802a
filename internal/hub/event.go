package hub

import (
	"encoding/json"
	"time"
)

// Kind says which of an event's parts is there.
type Kind string

// The kinds of events.
const (
	KindState      Kind = "state"
	KindView       Kind = "view" // the picture of a stop, once it is known
	KindBreakpoint Kind = "breakpoint"
	KindOutput     Kind = "output"
	KindCall       Kind = "call"  // the agent asks a tool
	KindReply      Kind = "reply" // and is answered
	KindDid        Kind = "did"   // an act of a person
	KindQuestion   Kind = "question"
	KindAnswer     Kind = "answer"
	KindHold       Kind = "hold" // a person has taken the session, or it was given back
	KindPresence   Kind = "presence"
)

// AuthorKind says what sort of author an event has.
type AuthorKind string

// The authors.
const (
	ByAgent   AuthorKind = "agent"
	ByPerson  AuthorKind = "person"
	ByProgram AuthorKind = "program"
)

// Author is whose doing an event is.
type Author struct {
	Kind AuthorKind `json:"kind"`
	Name string     `json:"name,omitempty"` // of a person
}

// The authors that are no persons.
var (
	Agent   = Author{Kind: ByAgent}
	Program = Author{Kind: ByProgram}
)

// Event is one thing that happened. Beside its kind's part the others are nil. What it
// points to is never changed afterwards.
type Event struct {
	N    int64     `json:"n"` // from 1, without gaps where nothing was lost
	At   time.Time `json:"at"`
	By   Author    `json:"by"`
	Kind Kind      `json:"kind"`

	State      *State            `json:"state,omitempty"`
	View       *View             `json:"view,omitempty"`
	Breakpoint *BreakpointChange `json:"breakpoint,omitempty"`
	Output     *Output           `json:"output,omitempty"`
	Call       *Call             `json:"call,omitempty"`
	Reply      *Reply            `json:"reply,omitempty"`
	Did        *Did              `json:"did,omitempty"`
	Question   *Question         `json:"question,omitempty"`
	Answer     *Answer           `json:"answer,omitempty"`
	Hold       *Hold             `json:"hold,omitempty"`     // with Person empty: it was given back
	Presence   *PresenceChange   `json:"presence,omitempty"` // of a person
}

// State is where the session stands. Epoch grows with each resume, stop and end.
type State struct {
	Epoch    int    `json:"epoch"`
	Status   string `json:"status"` // as execution_state has it
	Stopped  bool   `json:"stopped,omitempty"`
	Ended    bool   `json:"ended,omitempty"`
	Reason   string `json:"reason,omitempty"` // of a stop
	Thread   int    `json:"thread,omitempty"` // of a stop; -1 when none is known
	Hit      []int  `json:"hit,omitempty"`    // breakpoints
	ExitCode *int   `json:"exit_code,omitempty"`
	Signal   string `json:"signal,omitempty"`
	Doing    string `json:"doing,omitempty"` // while it starts
	Note     string `json:"note,omitempty"`
}

// View is a stop as it is shown first. It is about the stop of that epoch.
type View struct {
	Epoch       int      `json:"epoch"`
	Thread      int      `json:"thread"`
	Stack       []Frame  `json:"stack,omitempty"` // the user's frame first
	StackTotal  int      `json:"stack_total,omitempty"`
	Locals      []Value  `json:"locals,omitempty"`
	LocalsTotal int      `json:"locals_total,omitempty"`
	Exception   string   `json:"exception,omitempty"`
	Unread      string   `json:"unread,omitempty"` // what the debugger did not give, and why
	Returned    []Value  `json:"returned,omitempty"`
	Warnings    []string `json:"warnings,omitempty"`
}

// Frame is one frame of a stack.
type Frame struct {
	Index    int    `json:"index"`
	Function string `json:"function"`
	File     string `json:"file,omitempty"` // absolute; empty where there is no source
	Path     string `json:"path,omitempty"` // as replies show it
	Line     int    `json:"line,omitempty"`
	Internal bool   `json:"internal,omitempty"`
}

// Value is a variable as it is shown. Ref opens it, until the program goes on.
type Value struct {
	Name    string `json:"name"`
	Value   string `json:"value"`
	Type    string `json:"type,omitempty"`
	Ref     int    `json:"ref,omitempty"`
	Count   int    `json:"count,omitempty"` // of its children, 0 when unknown
	Old     string `json:"old,omitempty"`   // at the last stop in the frame, where it differs
	Changed bool   `json:"changed,omitempty"`
}

// Breakpoint is one as it stands.
type Breakpoint struct {
	ID           int    `json:"id"`
	Kind         string `json:"kind"` // line, function, watch
	File         string `json:"file,omitempty"`
	Path         string `json:"path,omitempty"`
	Line         int    `json:"line,omitempty"`
	Function     string `json:"function,omitempty"`
	Expression   string `json:"expression,omitempty"` // that is watched
	Condition    string `json:"condition,omitempty"`
	HitCondition string `json:"hit_condition,omitempty"`
	LogMessage   string `json:"log_message,omitempty"`
	Enabled      bool   `json:"enabled"`
	Bound        bool   `json:"bound"`
	Message      string `json:"message,omitempty"` // why it is not bound
	By           Author `json:"by"`                // who set it
}

// BreakpointChange is what has become of a breakpoint.
type BreakpointChange struct {
	What string `json:"what"` // set, changed, removed
	Breakpoint
}

// The words of BreakpointChange.What.
const (
	BreakpointSet     = "set"
	BreakpointChanged = "changed"
	BreakpointRemoved = "removed"
)

// Output is a piece of what the program printed.
type Output struct {
	Stream string `json:"stream"` // stdout, stderr, log
	Text   string `json:"text"`
	Cut    int    `json:"cut,omitempty"` // bytes before Text that are left out
}

// Call is a question of the agent to a tool.
type Call struct {
	Tool string `json:"tool"`
	What string `json:"what,omitempty"` // in a few words
	Args string `json:"args,omitempty"` // as JSON, secrets masked
	Cut  int    `json:"cut,omitempty"`  // bytes of Args that are left out
}

// Reply is what the agent was answered.
type Reply struct {
	Call    int64         `json:"call"` // the number of the event that asked; 0: it is kept nowhere
	Tool    string        `json:"tool"`
	OK      bool          `json:"ok"`
	Summary string        `json:"summary"`
	Text    string        `json:"text,omitempty"`
	Cut     int           `json:"cut,omitempty"` // bytes of Text that are left out
	Took    time.Duration `json:"took"`          // nanoseconds

	// Data is what a window can draw, as the reply's JSON has it; left out where there is too much.
	Data json.RawMessage `json:"data,omitempty"`
}

// Did is an act of a person, as the agent's next reply tells it.
type Did struct {
	Who  string    `json:"who"`
	Did  string    `json:"did"`
	At   time.Time `json:"at"`
	Text string    `json:"text,omitempty"`
}

// Question is one that the agent has put to the persons who watch.
type Question struct {
	ID   int       `json:"id"`
	Text string    `json:"text"`
	At   time.Time `json:"at"`
}

// Answer is what a person answered.
type Answer struct {
	Question int    `json:"question"`
	Text     string `json:"text"`
	Who      string `json:"who"`
}

// Hold is who has taken the session. Person is empty where nobody has.
type Hold struct {
	Person string     `json:"person,omitempty"`
	Since  time.Time  `json:"since,omitzero"`
	Ended  string     `json:"ended,omitempty"`  // how, where it has ended: given back, left, program ended
	EndsAt *time.Time `json:"ends_at,omitzero"` // where the person is gone and does not come back before
}

// PresenceChange says that a person has come or gone.
type PresenceChange struct {
	Person string `json:"person"`
	Here   bool   `json:"here"`
}

// size is about how many bytes an event keeps.
func (e *Event) size() int {
	n := 200
	switch {
	case e.Output != nil:
		n += len(e.Output.Text)
	case e.Call != nil:
		n += len(e.Call.Args) + len(e.Call.What)
	case e.Reply != nil:
		n += len(e.Reply.Text) + len(e.Reply.Summary) + len(e.Reply.Data)
	case e.View != nil:
		for _, f := range e.View.Stack {
			n += 80 + len(f.Function) + len(f.File) + len(f.Path)
		}
		for _, v := range e.View.Locals {
			n += 100 + len(v.Name) + len(v.Value) + len(v.Type) + len(v.Old)
		}
		n += len(e.View.Exception)
	case e.Did != nil:
		n += len(e.Did.Text) + len(e.Did.Did)
	case e.Question != nil:
		n += len(e.Question.Text)
	case e.Answer != nil:
		n += len(e.Answer.Text)
	}
	return n
}
