package handlers

import (
	"cmp"
	"context"

	"aidb-mcp/investigate/trace"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// trace runs the program under a recorder and answers with a table of its hits. The
// session whose start is made again has no part in it.
func (h *Handlers) trace() Tool[*tools.TraceParams] {
	return Tool[*tools.TraceParams]{
		Definition: tools.Trace(),
		Action:     func(p *tools.TraceParams) string { return p.Action },
		Actions: Actions[*tools.TraceParams]{
			"":       {Rule: ownRun, Vary: armsForTrigger, Handle: h.traceRun},
			"arm":    {Drives: true, Rule: inProgram, Effect: "putting a recorder into a program", Vary: armsForTrigger, Handle: h.armTrace},
			"read":   {Rule: unlocked, Vary: armsForTrigger, Handle: h.readTrace},
			"disarm": {Drives: true, Rule: unlocked, Vary: armsForTrigger, Handle: h.disarmTrace},
		},
	}
}

func (h *Handlers) traceRun(ctx context.Context, c *Call, p *tools.TraceParams) (*responses.Envelope, error) {
	if p.What == "" {
		return nil, missingParam("what", "what is missing: what is to be traced?", `for example {"what":"calls","functions":["total"]}`)
	}
	if err := checkTaken(p, false); err != nil {
		return nil, err
	}
	subject, err := h.subject(ctx, c, &p.Start)
	if err != nil {
		return nil, err
	}
	against, err := tools.ReadAgainst(p.Against)
	if err != nil {
		return nil, err
	}
	c.What = "trace " + p.What
	result, err := trace.Ask(ctx, h.runs(c), trace.Question{
		Subject: subject, What: p.What,
		Location: p.Location, Expressions: tools.Texts(p.Expressions), Condition: string(p.Condition),
		Expression: string(p.Expression), Functions: p.Functions, Function: p.Function, Call: p.Call, Scope: p.Scope,
		Limit: rows(p), Against: (*session.Against)(against), Timeout: p.Timeout(),
	})
	if err != nil {
		return nil, err
	}
	switch {
	case p.What == trace.First && against != nil:
		return partedReply(p, result, wider(h.Mask, c)), nil
	case p.What == trace.First:
		return firstReply(p, result, subject, wider(h.Mask, c)), nil
	}
	return traceReply(p, result, wider(h.Mask, c)), nil
}

// rows is how many rows are wanted.
func rows(p *tools.TraceParams) int {
	if p.Limit == 0 && p.What == trace.First {
		return 1
	}
	return cmp.Or(p.Limit, 50)
}

// unconditional is the same trace without its condition.
func unconditional(p *tools.TraceParams) responses.Call {
	params := append(startFields(&p.Start), "what", p.What)
	if p.What == "lines" {
		return responses.NewCall("trace", append(params, "function", p.Function)...)
	}
	return responses.NewCall("trace", append(params, "location", p.Location, "expressions", tools.Texts(p.Expressions))...)
}
