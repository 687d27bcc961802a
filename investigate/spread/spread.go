// Package spread has parts of a question answered by workers on other machines of a cluster that
// hold the same workspace, by its content. What a machine does not do, who has asked does.
//
// It knows neither what is asked nor how a part travels.
package spread

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/internal/project/workspace"
)

// Question is what a worker elsewhere is asked.
type Question struct {
	Content  string          `json:"content"`  // of the workspace of who asks
	Original string          `json:"original"` // where that lies there
	Ask      json.RawMessage `json:"ask"`
}

// Answer is what it answers.
type Answer struct {
	Refused string          `json:"refused,omitempty"` // why it was not done
	Result  json.RawMessage `json:"result,omitempty"`
}

// Workspace is that of a worker, with what it has found of it.
type Workspace struct {
	Dir   string
	Known workspace.Languages

	mu    sync.Mutex        // guards the field below
	equal map[string]string // digests of its sources when all of it had a content, by that
}

// readLimit is how long the reading of a workspace may take.
const readLimit = 15 * time.Second

// mostEqual is of how many contents it is remembered that the workspace had them.
const mostEqual = 16

// Differs says why the workspace is not what who asks has; empty: it is. All of it is compared once,
// and then its sources each time, since what runs there may write files of its own.
func (w *Workspace) Differs(ctx context.Context, content string) string {
	sources := w.Known.ReadSources(ctx, w.Dir).Sum
	w.mu.Lock()
	before, isKnown := w.equal[content]
	w.mu.Unlock()
	if isKnown && before != sources {
		return "its content has changed meanwhile"
	}
	if isKnown {
		return ""
	}
	limited, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	own, err := w.Known.ReadContent(limited, w.Dir)
	switch {
	case err != nil:
		return "its content could not be compared: " + err.Error()
	case own != content:
		return "its content is another"
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.equal) >= mostEqual || w.equal == nil {
		w.equal = map[string]string{}
	}
	w.equal[content] = sources
	return ""
}

// Team is the other machines that may be asked parts of one call.
type Team struct {
	Machines []*Machine

	by       client.Peers
	tool     string
	question Question
	over     time.Time
}

// gatherLimit is how long the gateway may take to name them.
const gatherLimit = 2 * time.Second

// Gather finds those that hold the workspace, by its name: whether they hold its content is seen when
// they are asked. Nil: there are none. The error says why they cannot be asked.
func Gather(ctx context.Context, by client.Client, tool string, own *Workspace, over time.Time) (*Team, error) {
	peers, is := by.(client.Peers)
	if !is {
		return nil, nil
	}
	limited, cancel := context.WithTimeout(ctx, gatherLimit)
	defer cancel()
	there, err := peers.Peers(limited)
	if err != nil || len(there) == 0 {
		return nil, nil // as without them
	}
	reading, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	content, err := own.Known.ReadContent(reading, own.Dir)
	if err != nil {
		return nil, err
	}
	t := &Team{by: peers, tool: tool, question: Question{Content: content, Original: own.Dir}, over: over}
	for _, p := range there {
		t.Machines = append(t.Machines, &Machine{Name: p.Machine, team: t})
	}
	return t, nil
}

// Machine is one of a team. Its methods may be called from any goroutine.
type Machine struct {
	Name string
	team *Team

	mu  sync.Mutex // guards the field below
	why string     // it is asked no more
}

// NotDone is the error of a part that a machine has not done, or of which nobody knows: nothing of it
// counts.
type NotDone struct{ Why string }

func (e *NotDone) Error() string { return e.Why }

// SetAside has a machine be asked no more. The first reason is kept.
func (m *Machine) SetAside(why string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.why == "" {
		m.why = why
	}
}

// Aside is why a machine is asked no more; empty: it is asked.
func (m *Machine) Aside() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.why
}

// mostAsked is how long a question may be, in bytes.
const mostAsked = 4 << 20

// answerSlack is how much longer an answer is waited for than a part may take.
const answerSlack = 15 * time.Second

// Ask has the machine do a part, which may take so long, and reads its result. room is how many
// parts may be under way there. An error is a *NotDone, with which the machine is set aside, or that of
// the context.
func (m *Machine) Ask(ctx context.Context, limit time.Duration, room int, ask, result any) error {
	if why := m.Aside(); why != "" {
		return &NotDone{why}
	}
	err := m.ask(ctx, limit, room, ask, result)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var refusal *NotDone
	if errors.As(err, &refusal) {
		m.SetAside(refusal.Why)
	}
	return err
}

func (m *Machine) ask(ctx context.Context, limit time.Duration, room int, ask, result any) error {
	question := m.team.question
	var err error
	if question.Ask, err = json.Marshal(ask); err != nil {
		return fmt.Errorf("writing a part: %w", err)
	}
	asked, err := json.Marshal(question)
	if err != nil {
		return fmt.Errorf("writing a part: %w", err)
	}
	if len(asked) > mostAsked {
		return &NotDone{"what is to be done is too long to be sent there"}
	}
	waiting, cancel := context.WithTimeout(ctx, limit+answerSlack)
	defer cancel()
	text, err := m.team.by.Ask(waiting, client.Part{
		Machine: m.Name, Tool: m.team.tool, Question: asked, Room: room,
		Arguments: json.RawMessage(fmt.Sprintf(`{"timeout_ms":%d}`, limit.Milliseconds())),
	})
	if err != nil {
		return &NotDone{reason(err)}
	}
	var answer Answer
	if err := json.Unmarshal(text, &answer); err != nil {
		return &NotDone{"its answer cannot be read"}
	}
	if answer.Refused != "" {
		return &NotDone{answer.Refused}
	}
	if err := json.Unmarshal(answer.Result, result); err != nil {
		return &NotDone{"its answer cannot be read"}
	}
	return nil
}

func reason(err error) string {
	var f *fault.Error
	if errors.As(err, &f) {
		return strings.TrimSuffix(f.Message, ".")
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "it has not answered in time"
	}
	return err.Error()
}

// AnswerTo is the answer to a part that is asked of this worker: do does what is asked, in the
// worker's own workspace.
func AnswerTo(ctx context.Context, text json.RawMessage, own *Workspace, do func(original string, ask json.RawMessage) (result any, err error)) (json.RawMessage, error) {
	var q Question
	if err := json.Unmarshal(text, &q); err != nil {
		return nil, fault.New(fault.InvalidParam, "reading the part of a call: %w", err)
	}
	answer := Answer{Refused: own.Differs(ctx, q.Content)}
	if answer.Refused == "" {
		result, err := do(q.Original, q.Ask)
		if err != nil {
			return nil, err
		}
		if answer.Result, err = json.Marshal(result); err != nil {
			return nil, fault.New(fault.Internal, "writing the answer to a part: %w", err)
		}
	}
	out, err := json.Marshal(answer)
	if err != nil {
		return nil, fault.New(fault.Internal, "writing the answer to a part: %w", err)
	}
	return out, nil
}
