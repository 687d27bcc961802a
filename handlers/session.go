package handlers

import (
	"context"
	"fmt"
	"strings"
	"time"

	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/internal/text/brief"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/session/output"
	"aidb-mcp/tools"
)

// session manages sessions and the program's input and output.
func (h *Handlers) session() Tool[*tools.SessionParams] {
	return Tool[*tools.SessionParams]{
		Definition: tools.Session(),
		Action:     func(p *tools.SessionParams) string { return p.Action },
		Actions: Actions[*tools.SessionParams]{
			"status":    {Rule: unrecorded, Shows: true, Handle: h.status},
			"list":      {Rule: rule{passes: true, quiet: true}, Shows: true, Handle: h.listSessions},
			"stop":      {Drives: true, Rule: unlocked, Effect: "ending a program", When: doesKill, Handle: h.stopSession},
			"restart":   {Drives: true, Rule: rule{session: required}, Effect: startsProgram, Handle: h.restartSession},
			"switch":    {Rule: unrecorded, Handle: h.switchSession},
			"cleanup":   {Rule: rule{passes: true, quiet: true}, Handle: h.cleanup},
			"input":     {Drives: true, Rule: rule{session: required, state: alive, passes: true}, Effect: "writing to the program's input", Handle: h.input},
			"output":    {Rule: unlocked, Handle: h.unreadOutput},
			"subscribe": {Rule: unrecorded, Handle: h.subscribe},
			"ask":       {Rule: unlocked, Handle: h.ask},
			"show":      {Rule: unrecorded, Handle: h.showSession},
		},
	}
}

// unrecorded is the rule of what is no part of a session's story.
var unrecorded = rule{session: required, passes: true, quiet: true}

// doesKill says that a stop ends a program which would else be let go.
func doesKill(p *tools.SessionParams) bool { return p.Kill }

// status says where a session stands without moving anything.
func (h *Handlers) status(ctx context.Context, c *Call, _ *tools.SessionParams) (*responses.Envelope, error) {
	s, w := c.Session, h.show(c.Session)
	c.shownEpoch, _ = s.Moment()
	st := s.State()
	state := w.state(st)
	data := &responses.Session{
		Current: h.Sessions.Current() == s, State: &state,
		Language: s.Language(), Mode: string(s.Mode()), Target: s.Target(), PID: s.PID(),
		Workspace: s.Workspace(), Age: brief.Duration(time.Since(s.StartedAt())), Exceptions: s.Exceptions(),
		Breakpoints: w.breakpoints(s.Breakpoints(), "breakpoints"),
	}
	said := w.statusText(st)
	if top := w.top(ctx, st); top != nil {
		data.Location, data.Function = w.at(top.File, top.Line), top.Function
		said += " at " + w.in(top)
	}
	return &responses.Envelope{Success: true, Summary: said, Data: data}, nil
}

// top is the frame a stopped program stands in; nil when it cannot be told.
func (w show) top(ctx context.Context, st session.State) *session.Frame {
	if !st.Status.Stopped() {
		return nil
	}
	frames, _, err := w.s.Stopped().Stack(ctx, 0, 0, 1)
	if err != nil || len(frames) == 0 {
		return nil
	}
	return &frames[0]
}

// statusText is a status in plain words.
func (w show) statusText(st session.State) string {
	switch st.Status {
	case session.Starting, session.Running, session.Terminated:
		return w.outcome(&session.View{State: st, AwaitsInput: w.s.AwaitsInput()})
	}
	return strings.ReplaceAll(string(st.Status), "_", " ")
}

func (h *Handlers) listSessions(_ context.Context, c *Call, _ *tools.SessionParams) (*responses.Envelope, error) {
	rows := []responses.Session{}
	for _, s := range h.Sessions.List() {
		rows = append(rows, responses.Session{
			ID: s.ID(), Current: h.Sessions.Current() == s, Status: string(s.State().Status),
			Language: s.Language(), Mode: string(s.Mode()), Target: s.Target(), Age: brief.Duration(time.Since(s.StartedAt())),
		})
	}
	if gateway, ok := c.Client.(client.Gateway); ok { // whose sessions may be named as ours are
		for _, s := range gateway.Elsewhere() {
			rows = append(rows, responses.Session{
				ID: s.ID, Status: s.State, Language: s.Language, Target: s.Program, Age: brief.Duration(time.Since(s.Since)),
			})
		}
	}
	return &responses.Envelope{
		Success: true, Summary: responses.Plural(len(rows), "session"),
		Data: &responses.Sessions{Sessions: responses.NewList(rows, responses.Page{What: "sessions", More: func(int) responses.Call {
			return responses.NewCall("session", "action", "list", "max_bytes", maxBudget)
		}})},
	}, nil
}

// stopSession ends the program and everything that was started for it.
func (h *Handlers) stopSession(ctx context.Context, c *Call, p *tools.SessionParams) (*responses.Envelope, error) {
	st, err := c.Session.Stop(ctx, p.Kill)
	if err != nil {
		return nil, err
	}
	w := h.show(c.Session)
	state := w.state(st)
	said := "stopped " + c.Session.ID()
	said = joinRemarks(said, h.stopOthers(ctx, c.Session, p.Kill))
	said = joinRemarks(said, strings.TrimPrefix(strings.TrimPrefix(st.Note, session.StoppedOnRequest), "; "))
	return &responses.Envelope{
		Success: true, Summary: said, Named: true,
		Data: &responses.StopView{State: state, Output: w.output(h.unread(c))},
	}, nil
}

// restartSession builds and starts the program anew and answers like session_start.
func (h *Handlers) restartSession(ctx context.Context, c *Call, p *tools.SessionParams) (*responses.Envelope, error) {
	if err := c.Session.Restart(ctx, p.KeepBreakpoints); err != nil {
		return nil, err
	}
	if _, err := c.Session.WaitFirstOrListen(ctx, p.Timeout()); err != nil {
		return nil, err
	}
	return h.view(ctx, c, stopDetail{})
}

func (h *Handlers) switchSession(ctx context.Context, c *Call, p *tools.SessionParams) (*responses.Envelope, error) {
	if p.SessionID == "" {
		return nil, missingParam("session_id", "session(switch) needs session_id, the session to make current",
			`for example {"action":"switch","session_id":"go-1"}; session(list) shows them`)
	}
	s, err := h.Sessions.Switch(p.SessionID)
	if err != nil {
		return nil, err
	}
	c.Session = s
	return h.status(ctx, c, p)
}

// cleanup forgets the sessions that have ended.
func (h *Handlers) cleanup(ctx context.Context, _ *Call, _ *tools.SessionParams) (*responses.Envelope, error) {
	removed := h.Sessions.Cleanup(ctx)
	return &responses.Envelope{
		Success: true, Summary: fmt.Sprintf("forgot %s", responses.Plural(len(removed), "ended session")),
		Data: &responses.Sessions{Removed: removed},
	}, nil
}

func (h *Handlers) input(ctx context.Context, c *Call, p *tools.SessionParams) (*responses.Envelope, error) {
	if p.Text == "" && !p.EOF {
		return nil, missingParam("text", "session(input) needs text for the program's standard input, or eof",
			`for example {"action":"input","text":"42\n"} or {"action":"input","eof":true}`)
	}
	unread, err := c.Session.Input(ctx, p.Text, p.EOF)
	if err != nil {
		return nil, err
	}
	said := fmt.Sprintf("wrote %s to standard input", responses.Plural(len(p.Text), "byte"))
	switch {
	case p.Text == "":
		said = "closed standard input"
	case p.EOF:
		said += " and closed it"
	}
	if unread > 0 {
		said += fmt.Sprintf("; %s of the input wait until the program reads them", responses.Plural(unread, "byte"))
	}
	w := h.show(c.Session)
	state := w.state(c.Session.State())
	env := &responses.Envelope{Success: true, Summary: said, Data: &responses.StopView{State: state}}
	if mayStop(c.Session.State().Status) {
		env.NextSteps = []responses.NextStep{w.call("execute", "action", "wait").Why("see what the program does with it")}
	}
	return env, nil
}

// subscribe answers session(subscribe): from now on these events are reported.
func (h *Handlers) subscribe(_ context.Context, c *Call, p *tools.SessionParams) (*responses.Envelope, error) {
	h.subscribers.set(c.Session, p.Events)
	if len(p.Events) == 0 {
		return &responses.Envelope{Success: true, Summary: "no events are reported any more", Data: &responses.Events{Subscribed: []string{}}}, nil
	}
	return &responses.Envelope{
		Success: true,
		Summary: "from now on later replies report: " + strings.Join(p.Events, ", "),
		Data:    &responses.Events{Subscribed: p.Events},
	}, nil
}

// unread takes what the program has printed since the last reply, as much of it
// as the reply has room for.
func (h *Handlers) unread(c *Call) session.Output {
	c.showsOutput = true
	return c.Session.TakeOutput(h.Settings.room(c.budget(), h.Sessions.Limits().OutputReply))
}

// unreadOutput shows what the program has printed since the last reply.
func (h *Handlers) unreadOutput(_ context.Context, c *Call, _ *tools.SessionParams) (*responses.Envelope, error) {
	w := h.show(c.Session)
	out := w.output(h.unread(c))
	state := w.state(c.Session.State())
	env := &responses.Envelope{Success: true, Summary: "no new output", Data: &responses.Session{State: &state, Output: out}}
	if out != nil {
		env.Summary = fmt.Sprintf("new output: %s on stdout, %s on stderr",
			responses.Plural(out.Stdout.Total(), "byte"), responses.Plural(out.Stderr.Total(), "byte"))
		if logged := out.Log.Total(); logged > 0 {
			env.Summary += ", " + responses.Plural(logged, "byte") + " of logpoints"
		}
		return env, nil
	}
	if total := w.keptLines(); total > 0 {
		env.NextSteps = []responses.NextStep{w.call("inspect", "target", "output").Why(fmt.Sprintf("read again the last of its %d lines", total))}
	}
	return env, nil
}

// keptLines counts the lines of output that are kept.
func (w show) keptLines() int {
	n := 0
	for _, name := range streams {
		n += w.s.ReadOutput(name, output.Page{}).Total
	}
	return n
}
