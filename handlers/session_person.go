package handlers

import (
	"context"
	"errors"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// Doors are where persons come in to watch a session and act in it.
type Doors interface {
	// Open opens the doors to a session, if they are not open yet, and says where they are.
	// Without withPage nobody is let in to the page by the answer.
	Open(ctx context.Context, s *session.Session, withPage bool) (Entrances, error)
	// Page is an address of the page that lets one browser in; empty where there is none.
	Page(ctx context.Context, s *session.Session) (string, error)
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
	opened, err := h.opensPage(ctx, c)
	if err != nil {
		return nil, err
	}
	ways, err := h.Doors.Open(ctx, c.Session, !opened)
	if err != nil {
		return nil, err
	}
	said := "a person can join " + c.Session.ID() + " with an editor; tell them the configuration of theirs. Who has it can look into the program: it is for this person only"
	if ways.Page != "" {
		said = "a person can watch and take over " + c.Session.ID() + " at the page, or with an editor; tell them. Who has the address can look into the program: it is for this person only"
	}
	if opened {
		said = "the person was given the page of " + c.Session.ID() + " by their client, and can watch and take over there; or join with an editor, whose configuration is for this person only"
	}
	return &responses.Envelope{
		Success: true, Summary: said, Named: true,
		Data: &responses.Shown{Page: ways.Page, Editor: &responses.Editor{
			VSCode: ways.VSCode, NvimDAP: ways.NvimDAP, Zed: ways.Zed, JetBrains: ways.JetBrains,
		}},
	}, nil
}

// opensPage has the client open the page for its person, where it can, so that its model need
// not see the address. False: it did not.
func (h *Handlers) opensPage(ctx context.Context, c *Call) (opened bool, err error) {
	const key = "page"
	if !c.Client.OpensPages() {
		return false, nil
	}
	q := client.Question{Key: key, Message: "Watch the debug session " + c.Session.ID() + " in your browser? The address lets one browser in, once."}
	if !c.Client.Answered(key) { // else the address has been given
		if q.Page, err = h.Doors.Page(ctx, c.Session); err != nil || q.Page == "" {
			return false, err
		}
	}
	switch err := c.Client.OpenPage(ctx, q); {
	case err == nil:
		return true, nil
	case errors.Is(err, client.ErrAsked), ctx.Err() != nil:
		return false, err
	}
	return false, nil // the reply tells the address, as to any other client
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
