package handlers

import (
	"context"
	"fmt"
	"slices"

	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// detail is how much of the trail is shown.
type detail struct {
	operations, values, trail, frames, locals int
	code                                      bool
}

// details are the levels of detail_level.
var details = map[string]detail{
	"brief":    {operations: 5, values: 5, trail: 4},
	"detailed": {operations: 20, values: 15, trail: 8, frames: 5, locals: 15, code: true},
	"full":     {operations: 100, values: 60, trail: 20, frames: 10, locals: 30, code: true},
}

// context says where the session stands, what was done and what it showed.
func (h *Handlers) context() Tool[*tools.ContextParams] {
	return Tool[*tools.ContextParams]{
		Definition: tools.Context(),
		Actions: Actions[*tools.ContextParams]{
			"": {Rule: anytime, Shows: true, Handle: h.describeContext},
		},
	}
}

func (h *Handlers) describeContext(ctx context.Context, c *Call, p *tools.ContextParams) (*responses.Envelope, error) {
	if c.Session == nil && p.Explain {
		_, err := h.Sessions.Get("")
		return nil, err
	}
	if c.Session == nil {
		return &responses.Envelope{
			Success: true, Summary: "no session has been started",
			NextSteps: []responses.NextStep{responses.NewCall("init").Why("see what can be debugged here, with complete session_start calls")},
		}, nil
	}
	c.shownEpoch, _ = c.Session.Moment()
	t := historyRenderer{show: h.show(c.Session), state: c.Session.State(), detail: details[p.DetailLevel]}
	data, err := t.render(ctx)
	if err != nil {
		return nil, err
	}
	if p.Explain {
		if data.Opinion, err = h.explainStop(ctx, c); err != nil {
			return nil, err
		}
	}
	data.Sessions = h.otherSessions(c.Session)
	data.Attempts = h.triedFor(ctx, c.Session)
	env := &responses.Envelope{Success: true, Summary: t.said, Data: data}
	if p.IncludeSuggestions {
		env.NextSteps = t.suggestions()
	}
	return env, nil
}

// otherSessions lists the other sessions, nil when there are none.
func (h *Handlers) otherSessions(s *session.Session) *responses.List[responses.Session] {
	var rows []responses.Session
	for _, other := range h.Sessions.List() {
		if other != s {
			rows = append(rows, responses.Session{ID: other.ID(), Status: string(other.State().Status), Target: other.Target()})
		}
	}
	if rows == nil {
		return nil
	}
	return responses.NewList(rows, responses.Page{What: "other sessions", More: func(int) responses.Call {
		return responses.NewCall("session", "action", "list")
	}})
}

// historyRenderer shows the history of one session.
type historyRenderer struct {
	show
	state  session.State
	detail detail
	top    *session.Frame
	said   string
}

func (t *historyRenderer) render(ctx context.Context) (*responses.Context, error) {
	data := &responses.Context{State: t.show.state(t.state), Target: t.s.Target(), Mode: string(t.s.Mode())}
	if t.said = t.statusText(t.state); t.state.Status.Stopped() {
		if err := t.place(ctx, data); err != nil {
			return nil, err
		}
	}
	data.Operations = t.operations()
	data.Values = t.values()
	data.Breakpoints = t.breakpoints(t.s.Breakpoints(), "breakpoints")
	return data, nil
}

// place fills in where a stopped program stands.
func (t *historyRenderer) place(ctx context.Context, data *responses.Context) error {
	frames, total, err := t.s.Stopped().Stack(ctx, 0, 0, max(1, t.detail.frames))
	if err != nil || len(frames) == 0 {
		return err
	}
	t.top = &frames[0]
	t.said += " at " + t.in(t.top)
	data.Location, data.Function = t.at(t.top.File, t.top.Line), t.top.Function
	if t.state.Status == session.StoppedException {
		e, err := t.s.Stopped().Exception(ctx)
		if err != nil {
			return err
		}
		data.Exception = t.exception(e)
	}
	if !t.detail.code {
		return nil
	}
	data.Snapshot = t.snapshot(t.top, snapshotContext)
	data.Stack = t.stack(frames, total, 0)
	locals, all, err := t.s.Stopped().Variables(ctx, session.Locals, 0, 0, session.Page{Count: t.detail.locals})
	data.Locals = t.locals(locals, 0, all, 0)
	return err
}

// operations lists what was done, the newest first.
func (t *historyRenderer) operations() *responses.List[responses.Operation] {
	history := t.s.History()
	if len(history) == 0 {
		return nil
	}
	slices.Reverse(history)
	rows := []responses.Operation{}
	for _, op := range history[:min(len(history), t.detail.operations)] {
		rows = append(rows, responses.Operation{N: op.N, What: op.What, Outcome: responses.Shorten(op.Outcome, 160), Failed: !op.OK, MS: op.Duration.Milliseconds()})
	}
	return responses.NewList(rows, responses.Page{What: "operations", Total: len(history), More: t.full})
}

func (t *historyRenderer) full(int) responses.Call {
	return t.call("context", "detail_level", "full", "max_bytes", maxBudget)
}

// values lists what each variable was at one stop after another.
func (t *historyRenderer) values() *responses.List[responses.ValueTrail] {
	var rows []responses.ValueTrail
	index := map[string]int{}
	for _, v := range t.s.Seen() {
		i, known := index[v.Name]
		if !known {
			i = len(rows)
			index[v.Name] = i
			rows = append(rows, responses.ValueTrail{Name: v.Name})
		}
		seen := fmt.Sprintf("%s: %s", v.Where, responses.Shorten(v.Value, summarized))
		rows[i].Seen = append(rows[i].Seen, seen)
	}
	total := len(rows)
	if total == 0 {
		return nil
	}
	for i := range rows {
		rows[i].Seen = rows[i].Seen[max(0, len(rows[i].Seen)-t.detail.trail):]
	}
	slices.SortStableFunc(rows, func(a, b responses.ValueTrail) int { return len(b.Seen) - len(a.Seen) })
	return responses.NewList(rows[:min(total, t.detail.values)], responses.Page{What: "values over time", Total: total, More: t.full})
}
