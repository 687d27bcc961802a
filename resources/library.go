package resources

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/responses"
	"aidb-mcp/session"
)

// Resource is one that can be read, or with an {id} in its URI all that are like it.
type Resource struct {
	URI, Name, Title, Description, MIMEType string
}

// Content is what was read.
type Content struct {
	MIMEType, Text string
}

// Looker answers calls that only look, in the way of the tools, and tells a session's story.
type Looker interface {
	Look(ctx context.Context, call responses.Call) (*responses.Envelope, responses.Reply)
	Transcript(ctx context.Context, id string) (string, error)
	// Attempts are what was tried against a problem; the error says that it is unknown.
	Attempts(ctx context.Context, problem string) (*responses.Envelope, error)
}

// Options are what a library is made of.
type Options struct {
	Sessions *session.Manager
	Calls    Looker
	// Usage is the account of calls, which marshals to JSON; nil where none is kept.
	Usage func(ctx context.Context) (any, error)
	// Report is what is kept of a session as one HTML file; nil where none is written.
	Report func(id string) (string, error)
}

// Library holds all resources of a server.
type Library struct{ o Options }

// New makes a library.
func New(o Options) *Library { return &Library{o} }

// ErrUnknown is what an error about a URI is behind which there is nothing.
var ErrUnknown = errors.New("unknown resource")

// unknown is such an error, in its own words.
type unknown struct{ error }

func (unknown) Is(target error) bool { return target == ErrUnknown }

const (
	asJSON     = "application/json"
	asMarkdown = "text/markdown"
	asHTML     = "text/html"
)

// prefix stands before each code of an error.
const prefix = "AIDB_"

// usageBytes is how long the account of calls, or a list of attempts, becomes at most.
const usageBytes = 8000

// looking bounds how long a program that stands still is asked for what it shows.
const looking = 5 * time.Second

// fixedURIs are the URIs of the resources that exist whatever is being debugged.
func (l *Library) fixedURIs() []string {
	if l.o.Usage == nil {
		return []string{Config, Sessions}
	}
	return []string{Config, Sessions, Usage}
}

// List is all that can be read now: what is there always, then the sessions, the
// oldest first.
func (l *Library) List() []Resource {
	all := []Resource{
		{Config, "config", "Settings", "the settings of this server and what it may do", asJSON},
		{Sessions, "sessions", "Sessions", "all debug sessions and where they stand", asJSON},
	}
	if l.o.Usage != nil {
		all = append(all, Resource{Usage, "usage", "Usage", "calls of each tool: how many, how long, how large", asJSON})
	}
	for _, s := range l.o.Sessions.List() {
		for _, r := range l.Templates() {
			if r.Name == attempted { // of problems, not of sessions
				continue
			}
			part := r.Name
			r.URI = sessionURI(s.ID(), partOf[r.Name])
			r.Name = s.ID()
			if partOf[part] != "" {
				r.Name += "/" + part
			}
			r.Title += " of " + s.ID()
			if target := s.Target(); target != "" {
				r.Title += " (" + responses.Shorten(target, 60) + ")"
			}
			all = append(all, r)
		}
	}
	return all
}

// partOf is the last step of a URI, by the name of its template.
var partOf = map[string]string{"session": "", "stack": "stack", "output": "output", "breakpoints": "breakpoints", "transcript": "transcript", reported: reported}

// attempted is the name of the template of attempts.
const attempted = "attempts"

// reported is the name of the template of reports.
const reported = "report"

// Templates are the kinds of resources that each session has, and each problem.
func (l *Library) Templates() []Resource {
	all := []Resource{
		{sessionURI("{id}", ""), "session", "Session", "where the program stands: state, place, code, locals, stack, breakpoints, and what was done", asJSON},
		{sessionURI("{id}", "stack"), "stack", "Stack", "the call stack of a program that stands still; of one that runs, that it does", asJSON},
		{sessionURI("{id}", "output"), "output", "Output", "the last lines that the program has printed", asJSON},
		{sessionURI("{id}", "breakpoints"), "breakpoints", "Breakpoints", "every breakpoint: where, whether it is bound, how often it was hit", asJSON},
		{sessionURI("{id}", "transcript"), "transcript", "Transcript", "what was asked and found, as Markdown that can be attached to an issue", asMarkdown},
	}
	if l.o.Report != nil {
		all = append(all, Resource{sessionURI("{id}", reported), reported, "Report", "what happened in the session, as an HTML file that a person opens in a browser; it needs no server", asHTML})
	}
	return append(all, Resource{attemptsURI("{problem}"), attempted, "Attempts", "what was tried against a failing check, and what came of it; attempt(list) tells the problem's name", asJSON})
}

// Read is what stands behind a URI. It waits for no other call and changes
// nothing. The error is ErrUnknown where there is nothing to read.
func (l *Library) Read(ctx context.Context, uri string) (Content, error) {
	a, err := l.parse(uri)
	if err != nil {
		return Content{}, unknown{err}
	}
	ctx, cancel := context.WithTimeout(ctx, looking)
	defer cancel()
	switch a.fixed {
	case Config:
		return l.readCall(ctx, responses.NewCall("config", "action", "show"))
	case Sessions:
		return l.readCall(ctx, responses.NewCall("session", "action", "list"))
	case Usage:
		return l.readUsage(ctx), nil
	}
	if a.problem != "" {
		env, err := l.o.Calls.Attempts(ctx, a.problem)
		if err != nil {
			return Content{}, unknown{err}
		}
		return Content{asJSON, string(responses.Fit(env, usageBytes, responses.JSON).JSON)}, nil
	}
	if _, err := l.o.Sessions.Get(a.id); err != nil {
		return Content{}, unknown{fmt.Errorf("there is no session %q, or no longer; %s", a.id, l.sessionIDs())}
	}
	switch a.part {
	case "stack":
		return l.readStack(ctx, a.id)
	case "output":
		return l.readCall(ctx, responses.NewCall("inspect", "target", "output", "session_id", a.id))
	case "breakpoints":
		return l.readCall(ctx, responses.NewCall("breakpoint", "action", "list", "session_id", a.id))
	case "transcript":
		text, err := l.o.Calls.Transcript(ctx, a.id)
		return Content{asMarkdown, text}, err
	case reported:
		text, err := l.o.Report(a.id)
		return Content{asHTML, text}, err
	}
	return l.readCall(ctx, responses.NewCall("context", "detail_level", "detailed", "session_id", a.id))
}

// readCall is the reply to a call. One that fails is content too: it says why.
func (l *Library) readCall(ctx context.Context, call responses.Call) (Content, error) {
	_, reply := l.o.Calls.Look(ctx, call)
	return Content{asJSON, string(reply.JSON)}, nil
}

// readStack is the stack of a stopped program; of any other it says how the program
// stands.
func (l *Library) readStack(ctx context.Context, id string) (Content, error) {
	env, reply := l.o.Calls.Look(ctx, responses.NewCall("inspect", "target", "stack", "session_id", id))
	if p := env.Error; p != nil && (p.Code == prefix+string(fault.NotPaused) || p.Code == prefix+string(fault.SessionTerminated)) {
		return l.readCall(ctx, responses.NewCall("session", "action", "status", "session_id", id))
	}
	return Content{asJSON, string(reply.JSON)}, nil
}

// readUsage is the account of calls, in the form of a reply.
func (l *Library) readUsage(ctx context.Context) Content {
	data, err := l.o.Usage(ctx)
	env := &responses.Envelope{Success: true, Summary: "the calls of this user's servers", Data: data}
	if err != nil {
		env = responses.Failure(fault.New(fault.ConfigInvalid, "the account of calls cannot be read: %w", err).
			WithHint("everything else works without it; --store says where it is kept, --no-store keeps none"))
	}
	return Content{asJSON, string(responses.Fit(env, usageBytes, responses.JSON).JSON)}
}

// Canonical is the one way to write a URI of ours, whatever stands behind it as yet.
func (l *Library) Canonical(uri string) (string, error) {
	a, err := l.parse(uri)
	if err != nil {
		return "", unknown{err}
	}
	return a.String(), nil
}
