package handlers

import (
	"context"
	"fmt"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording"
	"aidb-mcp/investigate/trace"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/session/inspect"
	"aidb-mcp/tools"
)

// untilFirst runs the program once under a recorder, to find the first moment at which a
// condition holds, and puts a breakpoint there into the start. Said is what was found; the
// envelope is the answer where there is nothing to stand in front of.
func (h *Handlers) untilFirst(ctx context.Context, c *Call, p *tools.SessionStartParams, r session.StartRequest) (said string, env *responses.Envelope, err error) {
	if trace.ForEach(string(p.UntilFirst.Condition)) {
		return "", nil, fault.New(fault.InvalidParam, "a debugger does not know each instance of a type, so that it cannot stop for one of them").WithField("until_first").
			WithHint("trace(what: \"first\") with the same condition says after which statement it first holds; a breakpoint there with a condition over its variables stops")
	}
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
	env, _ = momentReply(*p.UntilFirst, found, subject)
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
	held := "first held"
	if found.Places > 1 { // which of them came first is not known
		held = "held"
	}
	return fmt.Sprintf("%s %s after %s in %s", p.UntilFirst.Condition, held, subject.RelAt(m.At), m.Function), nil, nil
}

// intoHead goes on to the moment itself where the program stands at a part of a loop's head
// that comes before: what is declared there has no value yet, and the condition cannot be
// judged. A debugger stops at the first part of a line only, so the moment is waited for in
// front of the statement that follows.
func intoHead(ctx context.Context, s *session.Session, p *tools.SessionStartParams) (string, error) {
	st, condition := s.State(), string(p.UntilFirst.Condition)
	if st.Status != session.StoppedBreakpoint || len(st.Hit) != 1 {
		return "", nil
	}
	if _, err := s.Stopped().Evaluate(ctx, condition, 0, 0, inspect.Page{}); err == nil {
		return "", nil
	}
	before, _, err := s.Stopped().Stack(ctx, 0, 0, 1)
	if err != nil || len(before) == 0 {
		return "", err
	}
	if err := s.RemoveBreakpoints(ctx, st.Hit); err != nil {
		return "", err
	}
	if _, err := s.Step(ctx, session.StepOptions{Action: "over", Count: 1}, p.Timeout()); err != nil {
		return "", err
	}
	after, _, err := s.Stopped().Stack(ctx, 0, 0, 1)
	if err != nil || len(after) == 0 || after[0].Function != before[0].Function || after[0].Line == before[0].Line {
		return "the program stands before that: its condition has no value yet", err
	}
	if _, _, err := s.RunUntil(ctx, []string{fmt.Sprintf("%s:%d", after[0].File, after[0].Line)}, condition, p.Timeout()); err != nil {
		return "", err
	}
	return "it stands in front of the next statement", nil
}
