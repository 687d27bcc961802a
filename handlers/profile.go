package handlers

import (
	"cmp"
	"context"
	"time"

	"aidb-mcp/internal/profiling"
	"aidb-mcp/investigate/profile"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// profile measures a program: that of the session while it runs, else a run of its own.
func (h *Handlers) profile() Tool[*tools.ProfileParams] {
	return Tool[*tools.ProfileParams]{
		Definition: tools.Profile(),
		Actions: Actions[*tools.ProfileParams]{
			"": {Rule: ownRun, Effect: "profiling a program", Handle: h.measure},
		},
	}
}

func (h *Handlers) measure(ctx context.Context, c *Call, p *tools.ProfileParams) (*responses.Envelope, error) {
	subject, err := h.subject(ctx, c, &p.Start)
	if err != nil {
		return nil, err
	}
	against, err := tools.ReadAgainst(p.Against)
	if err != nil {
		return nil, err
	}
	what := profiling.What(cmp.Or(p.What, string(profiling.CPU)))
	c.What = "profile " + string(what)
	q := profile.Question{
		Subject: subject, Running: subject == c.Session && measuresRunning(subject, what, against != nil),
		What: what, For: time.Duration(p.Seconds) * time.Second, Save: p.Save,
		Against: (*session.Against)(against), Timeout: p.Timeout(),
	}
	if q.Running { // by what is put into it
		if err := subject.Hub().CheckAgent(); err != nil {
			return nil, err
		}
	}
	result, err := profile.Ask(ctx, h.Sessions, func(doing string) { c.tell(doing, 0, 0) }, q)
	if err != nil {
		return nil, err
	}
	return h.profileReply(c, p, q, result), nil
}

// measuresRunning says that the program of a session is measured as it runs. One that has
// ended, stands still where that has nothing to measure, or is compared with another run, is
// started again for it.
func measuresRunning(s *session.Session, what profiling.What, isCompared bool) bool {
	st := s.State().Status
	switch {
	case st == session.Terminated:
		return false
	case s.StartRequest().Program.Attaches():
		return true
	}
	return !isCompared && (!st.Stopped() || s.ProfilesStanding(what))
}
