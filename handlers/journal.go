package handlers

import (
	"context"
	"sync"
	"time"

	"aidb-mcp/internal/commands/setup"
	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/internal/text/secret"
	"aidb-mcp/responses"
	"aidb-mcp/session"
)

// Who says what is in the log.
const (
	ofSession = "session"
	ofServer  = "aidb"
)

// journal tells the client's log what happens, in order. Calls tell it before
// they answer, so that a client has heard of a stop when it reads of it.
type journal struct {
	mu  sync.Mutex // guards log, and the order
	log client.Log // nil until there is one
}

// tellLimit bounds asking an adapter where a program stands.
const tellLimit = 2 * time.Second

// Journal logs what the sessions do until ctx ends.
func (r *Registry) Journal(ctx context.Context, log client.Log) {
	j := &r.handlers.journal
	j.mu.Lock()
	j.log = log
	j.mu.Unlock()
	for r.handlers.Sessions.Journal().Wait(ctx) {
		j.chronicle(ctx, r.handlers.Sessions, r.handlers.Mask)
	}
}

// chronicle logs what has happened since the last time.
func (j *journal) chronicle(ctx context.Context, sessions *session.Manager, mask *secret.Masker) {
	j.mu.Lock()
	defer j.mu.Unlock()
	events := sessions.Journal().Take()
	if j.log == nil || !j.log.Wanted() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, tellLimit)
	defer cancel()
	for _, e := range events {
		level, what := describeEvent(ctx, e, mask)
		j.log.Log(level, ofSession, what)
	}
}

// note logs what the server has done.
func (j *journal) note(level client.Level, data any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.log != nil {
		j.log.Log(level, ofServer, data)
	}
}

// logEvent is what the log says of a session. It has names and places of the
// program and none of its values.
type logEvent struct {
	Event       string       `json:"event"`
	Session     string       `json:"session_id"`
	Language    string       `json:"language,omitempty"`
	Target      string       `json:"target,omitempty"`
	Reason      string       `json:"reason,omitempty"`
	Breakpoints []int        `json:"breakpoints,omitempty"`
	Location    string       `json:"location,omitempty"`
	Function    string       `json:"function,omitempty"`
	Thread      responses.ID `json:"thread_id,omitzero"`
	ExitCode    *int         `json:"exit_code,omitempty"`
	Signal      string       `json:"signal,omitempty"`
	Code        string       `json:"code,omitempty"`
}

func describeEvent(ctx context.Context, e session.Event, mask *secret.Masker) (client.Level, logEvent) {
	out := logEvent{Session: e.Session.ID()}
	switch st := e.State; st.Status {
	case session.Starting:
		out.Event, out.Language, out.Target = "started", e.Session.Language(), mask.Text(e.Session.Target())
	case session.Running:
		out.Event = "running"
		return client.Debug, out
	case session.Terminated:
		return describeEnd(e, out)
	default:
		out.Event, out.Reason, out.Breakpoints, out.Signal = "stopped", st.Reason, st.Hit, st.Signal
		if st.ThreadID > 0 {
			out.Thread = responses.ID(st.ThreadID)
		}
		addPlace(ctx, e, &out)
		if st.Status == session.StoppedException {
			return client.Warning, out
		}
	}
	return client.Info, out
}

// addPlace says where a program stands, if it still does.
func addPlace(ctx context.Context, e session.Event, out *logEvent) {
	if epoch, _ := e.Session.Moment(); epoch != e.Epoch {
		return
	}
	frames, _, err := e.Session.Stopped().Stack(ctx, 0, 0, 1)
	if err != nil || len(frames) == 0 {
		return
	}
	out.Location, out.Function = show{s: e.Session}.at(frames[0].File, frames[0].Line), frames[0].Function
}

func describeEnd(e session.Event, out logEvent) (client.Level, logEvent) {
	st := e.State
	out.Event, out.ExitCode, out.Signal = "ended", st.ExitCode, st.Signal
	switch {
	case e.Code != "":
		out.Event, out.Code = "failed", "AIDB_"+string(e.Code)
		return client.Error, out
	case st.Signal != "" || st.ExitCode != nil && *st.ExitCode != 0:
		return client.Warning, out
	}
	return client.Info, out
}

// adapterEvent is what the log says of a debug adapter.
type adapterEvent struct {
	Event     string `json:"event"`
	Component string `json:"component"`
	Version   string `json:"version,omitempty"`
}

// noteSteps logs what became of the components.
func (j *journal) noteSteps(steps []setup.Step) {
	for _, s := range steps {
		switch s.Did {
		case setup.Installed, setup.Updated, setup.Prepared, setup.Removed:
			j.note(client.Info, adapterEvent{"adapter " + string(s.Did), s.Name, s.Version})
		case setup.Failed:
			j.note(client.Error, adapterEvent{"adapter not installed", s.Name, s.Version})
		}
	}
}
