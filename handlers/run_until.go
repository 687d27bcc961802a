package handlers

import (
	"context"
	"strings"
	"time"

	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// runUntil runs to a location through breakpoints that are gone afterwards.
func (h *Handlers) runUntil() Tool[*tools.RunUntilParams] {
	return Tool[*tools.RunUntilParams]{
		Definition: tools.RunUntil(),
		Actions: Actions[*tools.RunUntilParams]{
			"": {Drives: true, Rule: atStop, Vary: func(p *tools.RunUntilParams, r *request) error { return provokes(p.Trigger, r) }, Handle: h.runTo},
		},
	}
}

func (h *Handlers) runTo(ctx context.Context, c *Call, p *tools.RunUntilParams) (*responses.Envelope, error) {
	if p.Statement != "" {
		at, err := c.Session.StatementLocation(p.Location, p.Statement)
		if err != nil {
			return nil, err
		}
		p.Location = at
	}
	locations := append([]string{p.Location}, p.AlternativeLocations...)
	return h.reach(ctx, c, locations, string(p.Condition), p.Trigger, p.Wait)
}

// reach runs until one of the locations and says whether it came there.
func (h *Handlers) reach(ctx context.Context, c *Call, locations []string, condition string, given *tools.Trigger, wait tools.Wait) (*responses.Envelope, error) {
	c.What = "run until " + strings.Join(locations, " or ")
	t, err := newTrigger(ctx, c, given)
	if err != nil {
		return nil, err
	}
	runUntil := c.Session.RunUntil
	if t != nil {
		runUntil = func(ctx context.Context, locations []string, condition string, d time.Duration) (session.State, string, error) {
			return c.Session.ProvokeUntil(ctx, locations, condition, t, d)
		}
	}
	st, reached, err := runUntil(ctx, locations, condition, wait.Timeout())
	if err != nil {
		return nil, err
	}
	a := stopDetail{reached: reached != "", note: joinRemarks(st.Note, provokedText(t, st))}
	if !a.reached && !mayStop(st.Status) {
		a.note = joinRemarks(unreachedText(locations), a.note)
	}
	return h.view(ctx, c, a)
}

func unreachedText(locations []string) string {
	if len(locations) == 1 {
		return locations[0] + " was not reached"
	}
	return "none of " + strings.Join(locations, ", ") + " was reached"
}
