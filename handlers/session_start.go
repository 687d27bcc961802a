package handlers

import (
	"cmp"
	"context"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/telemetry"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// sessionStart starts debugging.
func (h *Handlers) sessionStart() Tool[*tools.SessionStartParams] {
	return Tool[*tools.SessionStartParams]{
		Definition: tools.SessionStart(),
		Actions: Actions[*tools.SessionStartParams]{
			"": {Handle: h.startSession},
		},
	}
}

// startSession builds and starts the program, or attaches to it, and answers at
// its first stop. What it lacks for that it asks the user for, where that is
// possible: nothing has been done by then that must not be done twice.
func (h *Handlers) startSession(ctx context.Context, c *Call, p *tools.SessionStartParams) (*responses.Envelope, error) {
	set, several, err := h.starts().compoundOf(p)
	switch {
	case err != nil:
		return nil, err
	case several != nil:
		return h.startInstalling(ctx, c, p, set, several)
	}
	b, err := h.starts().applyLaunchConfig(ctx, c, p)
	if err != nil {
		return nil, err
	}
	if err := h.starts().takeAddress(p); err != nil {
		return nil, err
	}
	said, err := h.starts().whichProcess(ctx, c, p)
	if err != nil {
		return nil, err
	}
	r := b.with(h.starts().request(p))
	if p.UntilFirst != nil {
		found, env, err := h.untilFirst(ctx, c, p, r)
		if err != nil || env != nil {
			return env, err
		}
		said, r = joinRemarks(said, found), b.with(h.starts().request(p))
	}
	env, id, err := h.start(ctx, c, p, r, said)
	if err == nil {
		return env, nil
	}
	if err := h.install(ctx, c, h.withProposals(p, err)); err != nil {
		return nil, err
	}
	r.ID = cmp.Or(r.ID, id)
	env, _, err = h.start(ctx, c, p, r, said)
	return env, err
}

// start starts a session; id is its name, also when it fails. Said joins the summary.
func (h *Handlers) start(ctx context.Context, c *Call, p *tools.SessionStartParams, r session.StartRequest, said string) (env *responses.Envelope, id string, err error) {
	r.Call = telemetry.CallOf(ctx)
	s, err := h.Sessions.Open(r)
	if err != nil {
		return nil, "", err
	}
	if err := c.Adopt(ctx, s); err != nil {
		return nil, "", err
	}
	h.subscribers.set(s, p.SubscribeEvents)
	_, err = s.WaitFirstOrListen(ctx, p.Timeout())
	c.What = strings.TrimSpace("start " + s.Target()) // a test has a name when it has been found
	if err != nil {
		if _, known := h.Sessions.Get(s.ID()); known != nil {
			c.Abandon() // the start failed, there is nothing to speak of any more
		}
		return nil, s.ID(), err
	}
	if p.UntilFirst != nil {
		more, err := intoHead(ctx, s, p)
		if err != nil {
			return nil, s.ID(), err
		}
		said = joinRemarks(said, more)
	}
	if cost := s.ArmingCost(); cost != "" && r.Program.Mode == adapters.Attach && s.State().Status == session.Running { // one that stands is asked, not recorded
		said = joinRemarks(said, "a hit of trace(arm) costs it "+cost)
	}
	env, err = h.view(ctx, c, stopDetail{note: said})
	return env, s.ID(), err
}
