package handlers

import (
	"context"
	"encoding/json"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// Tool is one tool: its definition, and what each of its actions needs, changes and
// does. In points to its parameters.
type Tool[In tools.Params] struct {
	Definition tools.Typed[In]
	Action     func(In) string // which action the arguments mean; nil where there is but one
	Actions    Actions[In]
}

// Actions are what a tool does, by the word for it in the arguments. "" stands for all
// words that are not named.
type Actions[In tools.Params] map[string]Action[In]

// Action is one thing that a tool does.
type Action[In tools.Params] struct {
	Rule rule // what it needs of a session
	// Effect is what it changes of a program or of this machine, as a refusal by the
	// policy names it; empty when it only looks, or only lets a program go on or stand
	// still. What depends on the session's language or on files the session refuses itself.
	Effect string
	When   func(In) bool // the arguments with which it has its effect; nil: all
	// Vary is what else the arguments change of what the action needs and does; its errors
	// refuse them. Nil: nothing.
	Vary   func(In, *request) error
	Drives bool // it moves or changes the program, which is a person's while they hold it
	Shows  bool // it only shows something: Look may ask for it too
	Handle func(ctx context.Context, c *Call, p In) (*responses.Envelope, error)
}

// tool is a Tool, whatever its parameters are.
type tool interface {
	definition() *tools.Definition
	read(args json.RawMessage) (*request, error)
	waiting(wait time.Duration) tool
}

// request is what a call asks for: one action, and the parameters that all tools have
// in common.
type request struct {
	tools.Params
	action string
	rule   rule
	effect string
	drives bool
	shows  bool
	handle func(ctx context.Context, c *Call) (*responses.Envelope, error)
}

func (t Tool[In]) definition() *tools.Definition { return t.Definition.Definition }

func (t Tool[In]) waiting(wait time.Duration) tool {
	t.Definition = t.Definition.Waiting(wait)
	return t
}

// read reads the arguments of a call.
func (t Tool[In]) read(args json.RawMessage) (*request, error) {
	p, err := t.Definition.Decode(args)
	if err != nil {
		return nil, err
	}
	return t.request(p)
}

// request is what the parameters ask for.
func (t Tool[In]) request(p In) (*request, error) {
	word := ""
	if t.Action != nil {
		word = t.Action(p)
	}
	action, known := t.Actions[word]
	if !known {
		action, known = t.Actions[""]
	}
	if !known {
		return nil, fault.New(fault.Internal, "%s has no action %q", t.Definition.Name, word)
	}
	r := &request{
		Params: p, action: word, rule: action.Rule, shows: action.Shows, drives: action.Drives,
		handle: func(ctx context.Context, c *Call) (*responses.Envelope, error) { return action.Handle(ctx, c, p) },
	}
	if action.When == nil || action.When(p) {
		r.effect = action.Effect
	}
	if action.Vary != nil {
		if err := action.Vary(p, r); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// missingParam is the error for a parameter that an action cannot do without.
func missingParam(field, message, example string) *fault.Error {
	return fault.New(fault.MissingParam, "%s", message).WithField(field).WithHint("%s", example)
}
