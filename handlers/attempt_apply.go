package handlers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"aidb-mcp/internal/attempts"
	"aidb-mcp/internal/change"
	"aidb-mcp/internal/fault"
	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// apply writes a change that has passed into the workspace, or takes it back.
func (m *matter) apply(ctx context.Context, p *tools.AttemptParams) (*responses.Envelope, error) {
	all, err := m.h.Memory.List(ctx, m.problem)
	if err != nil {
		return nil, unreadable(err)
	}
	a, err := chosen(all, p.N)
	if err != nil {
		return nil, err
	}
	var given kept
	if err := json.Unmarshal(a.Change, &given); err != nil {
		return nil, fault.New(fault.Internal, "reading attempt %d: %w", a.N, err)
	}
	switch {
	case given.At != nil:
		return nil, fault.New(fault.InvalidParam, "attempt %d changed the running program only: there is nothing to write", a.N).WithField("n").
			WithHint("try an edit that does the same")
	case p.Undo:
		return m.undo(a, given)
	}
	made, err := m.change(given.Candidate, 0)
	if err == nil && made.Key() != a.Key {
		err = errMoved
	}
	if err == nil {
		err = made.Apply(m.workspace)
	}
	if err != nil {
		return nil, unwritten(a.N, err)
	}
	data := &responses.Attempts{Problem: m.problem, Changed: names(made)}
	given.Undo = made.Cuts()
	if a.Change, err = json.Marshal(given); err == nil {
		err = m.h.Memory.Add(ctx, &a)
	}
	if err != nil {
		data.Warnings = append(data.Warnings, "it cannot be taken back: "+err.Error())
	}
	env := &responses.Envelope{Success: true, Summary: fmt.Sprintf("attempt %d is written", a.N), Data: data}
	undo := responses.NewCall("attempt", "action", "apply", "n", a.N, "undo", true, "check", m.start)
	env.NextSteps = []responses.NextStep{undo.Why("take it back")}
	return env, nil
}

// kept is a candidate as the memory has it, with what takes it back once it was written.
type kept struct {
	tools.Candidate
	Undo []change.Cut `json:"undo,omitempty"`
}

// undo takes back what apply has written: the files must still be as that left them.
func (m *matter) undo(a attempts.Attempt, given kept) (*responses.Envelope, error) {
	if len(given.Undo) == 0 {
		return nil, fault.New(fault.InvalidParam, "attempt %d was not written", a.N).WithField("undo")
	}
	back, err := change.Restore(m.workspace, given.Undo)
	if err == nil {
		err = back.Apply(m.workspace)
	}
	if err != nil {
		return nil, fault.New(fault.Patch, "attempt %d is not taken back: %w", a.N, err).WithField("undo").
			WithHint("the files were edited since: take it back by hand")
	}
	return &responses.Envelope{Success: true, Summary: fmt.Sprintf("attempt %d is taken back", a.N), Data: &responses.Attempts{Problem: m.problem, Changed: names(back)}}, nil
}

var errMoved = errors.New("the files that it changes are not what they were when it was tried")

func unwritten(n int, err error) error {
	return fault.New(fault.Patch, "attempt %d is not written: %w", n, err).WithField("n").
		WithHint("try it anew: what passes then is what would be written now")
}

// chosen is the attempt with a number, else the first that passed.
func chosen(all []attempts.Attempt, n int) (attempts.Attempt, error) {
	for _, a := range all {
		switch {
		case n > 0 && a.N != n, n == 0 && a.Result != attempts.Passed:
			continue
		case a.Result != attempts.Passed:
			return a, fault.New(fault.InvalidParam, "attempt %d has not passed: %s", n, a.Result).WithField("n").
				WithHint("only what passed is written; attempt(list) shows which did")
		}
		return a, nil
	}
	if n > 0 {
		return attempts.Attempt{}, fault.New(fault.InvalidParam, "there is no attempt %d of this problem", n).WithField("n").
			WithHint("attempt(list) with the same check shows them")
	}
	return attempts.Attempt{}, fault.New(fault.InvalidParam, "nothing that was tried has passed").WithField("n").
		WithHint("attempt(list) shows what was tried")
}

func names(c *change.Change) []string {
	var list []string
	for _, f := range c.Files {
		list = append(list, f.Name)
	}
	return list
}

func unreadable(err error) error {
	return fault.New(fault.Internal, "the memory of attempts cannot be read: %w", err).
		WithHint("attempt(try) works without it")
}
