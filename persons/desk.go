// Package persons is what a person can see of debug sessions and do in them, whatever
// window it is done in: who is there, what may be done, and that the agent is told. What a
// person does passes the same policy and the same lock as what the agent does.
//
// It must not know MCP, tools, replies, DAP, HTTP or any language by name.
package persons

import (
	"context"
	"log/slog"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/hub"
	"aidb-mcp/internal/policy"
	"aidb-mcp/internal/text/secret"
	"aidb-mcp/session"
)

// Options are what a desk works with.
type Options struct {
	Sessions *session.Manager
	Policy   policy.Policy
	Mask     *secret.Masker // of what is written down of a session; nil shows it
	Log      *slog.Logger
}

// Desk is where persons come in. All methods may be called from any goroutine.
type Desk struct{ Options }

// New makes a desk.
func New(o Options) *Desk {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Desk{o}
}

// Summary is a session in a list.
type Summary struct {
	ID        string    `json:"id"`
	Current   bool      `json:"current,omitempty"`
	Language  string    `json:"language"`
	Mode      string    `json:"mode,omitempty"`
	Target    string    `json:"target,omitempty"`
	Workspace string    `json:"workspace,omitempty"`
	Status    string    `json:"status"`
	Started   time.Time `json:"started"`
}

// List lists the sessions, oldest first.
func (d *Desk) List() []Summary {
	list := []Summary{}
	for _, s := range d.Sessions.List() {
		list = append(list, d.SummaryOf(s))
	}
	return list
}

// SummaryOf is a session as a list shows it.
func (d *Desk) SummaryOf(s *session.Session) Summary {
	_, status := s.Moment()
	return Summary{
		ID: s.ID(), Current: s == d.Sessions.Current(), Language: s.Language(), Mode: string(s.Mode()), Target: s.Target(),
		Workspace: s.Workspace(), Status: string(status), Started: s.StartedAt(),
	}
}

// Changes tells one who lists the sessions when there are others. It must be ended.
func (d *Desk) Changes() *session.Changes { return d.Sessions.Changes() }

// Seat is a person at a session. It belongs to one window.
type Seat struct {
	Session *session.Session
	Person  hub.Person
	desk    *Desk
	leave   func()
}

// Sit has a person watch a session from now on, until Leave. Name is shown to the agent;
// the same key is the same person at another window, an empty one nobody known.
func (d *Desk) Sit(id, name, key string) (*Seat, error) {
	s, err := d.Sessions.Get(id)
	if err != nil {
		return nil, err
	}
	p, leave, err := s.Hub().Arrive(name, key)
	if err != nil {
		return nil, err
	}
	return &Seat{s, p, d, leave}, nil
}

// Leave ends the watching. A session that the person holds is the agent's again a minute later.
func (s *Seat) Leave() { s.leave() }

// IsReadOnly says that the server changes nothing of a program.
func (s *Seat) IsReadOnly() bool { return s.desk.Policy.ReadOnly }

// Watch begins to read what happens. The picture of a stop that nobody has looked at is made.
func (s *Seat) Watch(ctx context.Context) (*hub.Observer, hub.Snapshot, error) {
	o, now, err := s.Session.Hub().Observe()
	s.picture(ctx, now, err)
	return o, now, err
}

// Resume begins to read after an event that was read before.
func (s *Seat) Resume(ctx context.Context, after int64) (*hub.Observer, hub.Snapshot, error) {
	o, now, err := s.Session.Hub().ObserveAfter(after)
	s.picture(ctx, now, err)
	return o, now, err
}

// picture has the picture of a stop made that nobody has looked at.
func (s *Seat) picture(ctx context.Context, now hub.Snapshot, err error) {
	if err != nil || !now.State.Stopped || now.View != nil {
		return
	}
	if err := s.Session.Picture(ctx); err != nil {
		s.desk.Log.Debug("picture of a stop", "session", s.Session.ID(), "error", err)
	}
}

// lockLimit bounds how long an act waits for the agent's to end: one that waits for the
// program ends at once.
const lockLimit = 10 * time.Second

// lock takes the session's turn.
func (s *Seat) lock(ctx context.Context) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, lockLimit)
	defer cancel()
	unlock, err = s.Session.Lock(ctx)
	if err != nil {
		return nil, fault.New(fault.NotPaused, "the agent is at work in this session, %s were not enough", lockLimit).
			WithHint("try again, or take the session so that the agent does no more")
	}
	return unlock, nil
}
