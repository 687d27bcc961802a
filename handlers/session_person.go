package handlers

import (
	"context"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// Doors are where persons come in to watch a session and act in it.
type Doors interface {
	// Open opens the doors to a session, if they are not open yet, and says where they are.
	Open(ctx context.Context, s *session.Session) (Entrances, error)
}

// Entrances are the ways into a session. A way that this server does not have is empty.
type Entrances struct {
	Page                            string // its address
	VSCode, NvimDAP, Zed, JetBrains string // what the user of an editor enters
}

// showSession says how a person joins the session.
func (h *Handlers) showSession(ctx context.Context, c *Call, _ *tools.SessionParams) (*responses.Envelope, error) {
	if h.Doors == nil {
		return nil, fault.New(fault.NotSupported, "this server has no door by which a person could join").
			WithHint("session(status), inspect and context tell what is to be told")
	}
	ways, err := h.Doors.Open(ctx, c.Session)
	if err != nil {
		return nil, err
	}
	said := "a person can join " + c.Session.ID() + " with an editor; tell them the configuration of theirs. Who has it can look into the program: it is for this person only"
	if ways.Page != "" {
		said = "a person can watch and take over " + c.Session.ID() + " at the page, or with an editor; tell them. Who has the address can look into the program: it is for this person only"
	}
	return &responses.Envelope{
		Success: true, Summary: said, Named: true,
		Data: &responses.Shown{Page: ways.Page, Editor: &responses.Editor{
			VSCode: ways.VSCode, NvimDAP: ways.NvimDAP, Zed: ways.Zed, JetBrains: ways.JetBrains,
		}},
	}, nil
}

// ask puts a question to the persons who watch the session.
func (h *Handlers) ask(ctx context.Context, c *Call, p *tools.SessionParams) (*responses.Envelope, error) {
	if strings.TrimSpace(p.Text) == "" {
		return nil, missingParam("text", "session(ask) needs text, the question to the person who watches",
			`for example {"action":"ask","text":"which of the two orders is the wrong one?"}`)
	}
	hub := c.Session.Hub()
	waiting, cancel := context.WithTimeout(ctx, p.Timeout())
	defer cancel()
	_, answer, err := hub.Ask(waiting, p.Text)
	if err != nil {
		return nil, err
	}
	if answer != nil {
		return &responses.Envelope{
			Success: true, Summary: answer.Who + " has answered", Data: &responses.Asked{Answer: answer.Text, By: answer.Who},
		}, nil
	}
	env := &responses.Envelope{
		Success: true, Summary: "not answered yet: the answer will stand under person in a later reply", Data: &responses.Asked{Pending: true},
	}
	if len(hub.Snapshot().Present) == 0 {
		env.Summary = "nobody watches this session now; the question waits, and its answer will stand under person in a later reply"
		env.NextSteps = []responses.NextStep{h.show(c.Session).call("session", "action", "show").Why("how a person joins; tell them")}
	}
	return env, nil
}
