package handlers

import (
	"context"
	"fmt"

	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// inspect answers one question about the program, in bounds.
func (h *Handlers) inspect() Tool[*tools.InspectParams] {
	return Tool[*tools.InspectParams]{
		Definition: tools.Inspect(),
		Action:     (*tools.InspectParams).Subject,
		Actions: Actions[*tools.InspectParams]{
			"":            {Rule: atStop, Handle: h.answerWith((*question).namedScope)}, // locals, globals, arguments, registers
			"stack":       {Rule: atStop, Shows: true, Handle: h.answerWith((*question).frames)},
			"threads":     {Rule: rule{session: required, state: alive}, Handle: h.answerWith((*question).threads)}, // some adapters tell them of a program that runs
			"waits":       {Rule: rule{session: required, state: alive}, Handle: h.answerWith((*question).waits)},
			"expression":  {Rule: atStop, Handle: h.answerWith((*question).expression)},
			"object":      {Rule: atStop, Handle: h.answerWith((*question).object)},
			"all":         {Rule: atStop, Handle: h.answerWith((*question).everything)},
			"exception":   {Rule: atStop, Handle: h.answerWith((*question).exception)},
			"source":      {Rule: unlocked, Handle: h.answerWith((*question).source)},
			"output":      {Rule: unlocked, Shows: true, Handle: h.answerWith((*question).output)},
			"memory":      {Rule: atStop, Handle: h.answerWith((*question).memory)},
			"disassembly": {Rule: atStop, Handle: h.answerWith((*question).disassembly)},
			"modules":     {Rule: atStop, Handle: h.answerWith((*question).modules)},
		},
	}
}

// answerWith is the handler of one kind of question. Answer fills in the data and says
// what it is in one sentence.
func (h *Handlers) answerWith(answer func(*question, context.Context) (string, error)) func(context.Context, *Call, *tools.InspectParams) (*responses.Envelope, error) {
	return func(ctx context.Context, c *Call, p *tools.InspectParams) (*responses.Envelope, error) {
		q := h.question(c, p)
		c.What = "inspect " + q.subject()
		said, err := answer(&q, ctx)
		if err != nil {
			return nil, err
		}
		return &responses.Envelope{
			Success: true, Summary: said, Data: q.data, Omitted: q.omitted,
			Notes: c.notes(func() []string { return inspectNotes[q.Subject()] }),
		}, nil
	}
}

// question is one inspection under way: what was asked, and the answer so far.
type question struct {
	*tools.InspectParams
	show

	textPage int // bytes of one piece of a long text
	data     *responses.Inspection
	omitted  []responses.Omission
}

func (h *Handlers) question(c *Call, p *tools.InspectParams) question {
	return question{InspectParams: p, show: h.show(c.Session), textPage: h.Settings.room(p.Budget(), h.Sessions.Limits().AskedBytes), data: &responses.Inspection{}}
}

// subject is what is asked, in a few words.
func (q *question) subject() string {
	switch {
	case q.Subject() == "expression":
		return q.Expression
	case q.Subject() == "object" && q.Expression == "":
		return fmt.Sprintf("ref %d", q.Ref)
	}
	return q.Subject()
}

// namedScope shows the variables of the scope that the target names.
func (q *question) namedScope(ctx context.Context) (string, error) {
	return q.scope(ctx, session.Scope(q.Subject()))
}

// page is the part of a list or value that was asked for.
func (q *question) page() session.Page {
	return session.Page{Start: max(0, q.Start), Count: q.Count, Depth: q.Depth, Filter: q.Filter}
}

// more is the same question from another start.
func (q *question) more(start int) responses.Call {
	return q.call("inspect", "target", q.Subject()).
		With("expression", q.Expression).With("ref", q.Ref).
		With("frame", q.Frame).With("thread_id", q.ThreadID).With("location", q.Location).
		With("filter", q.Filter).With("depth", q.Depth).
		With("start", start).With("count", q.Count)
}

// everything is what one looks at first: exception, locals, stack, threads, globals.
func (q *question) everything(ctx context.Context) (string, error) {
	if q.s.State().Status == session.StoppedException {
		if _, err := q.exception(ctx); err != nil {
			return "", err
		}
	}
	for _, scope := range []session.Scope{session.Locals, session.Globals} {
		if _, err := part(q, string(scope)).scope(ctx, scope); err != nil && scope == session.Locals {
			return "", err
		}
	}
	if q.data.Globals.IsZero() {
		q.data.Globals = nil
	}
	stack, err := part(q, "stack").frames(ctx)
	if err != nil {
		return "", err
	}
	threads, err := part(q, "threads").threads(ctx)
	if err != nil {
		return "", err
	}
	return stack + ", " + threads, nil
}

// part is the same question about one part only, so that what it leaves out is
// asked for by its own name.
func part(q *question, target string) *question {
	params := *q.InspectParams
	params.Target = target
	one := *q
	one.InspectParams = &params
	return &one
}
