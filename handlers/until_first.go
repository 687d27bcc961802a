package handlers

import (
	"context"
	"fmt"

	"aidb-mcp/internal/recording"
	"aidb-mcp/investigate/trace"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// untilFirst runs the program once under a recorder, to find the first moment at which a
// condition holds, and puts a breakpoint there into the start. Said is what was found; the
// envelope is the answer where there is nothing to stand in front of.
func (h *Handlers) untilFirst(ctx context.Context, c *Call, p *tools.SessionStartParams, r session.StartRequest) (said string, env *responses.Envelope, err error) {
	subject, err := h.Sessions.Prospect(r)
	if err != nil {
		return "", nil, err
	}
	found, err := trace.Ask(ctx, h.runs(c), trace.Question{
		Subject: subject, What: trace.First, Condition: string(p.UntilFirst.Condition), Scope: p.UntilFirst.Scope, Limit: 1, Timeout: p.Timeout(),
	})
	if err != nil {
		return "", nil, err
	}
	env = momentReply(*p.UntilFirst, found, subject)
	if len(found.Moments) == 0 {
		env.Summary += ": no session was started"
		return "", env, nil
	}
	m, _ := found.Moments[0].Get()
	file, line := recording.FileLine(m.Seen)
	if line == 0 {
		env.Summary += ": no statement follows there to stand in front of, and no session was started"
		return "", env, nil
	}
	p.Breakpoints = append(p.Breakpoints, tools.BreakpointParams{File: file, Line: line, Condition: p.UntilFirst.Condition})
	return fmt.Sprintf("%s first held after %s in %s", p.UntilFirst.Condition, subject.RelAt(m.At), m.Function), nil, nil
}
