package handlers

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/changes/attempts"
	"aidb-mcp/internal/commands/setup"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/internal/policy"
	"aidb-mcp/internal/text/secret"
	"aidb-mcp/investigate/attempt"
	"aidb-mcp/investigate/spread"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// Deps is what the handlers work with.
type Deps struct {
	Sessions  *session.Manager
	Adapters  *adapters.Registry
	Setup     *setup.Setup
	Workspace string // absolute: where relative paths are looked for
	Settings  *Settings
	Policy    policy.Policy
	Mask      *secret.Masker // of what replies repeat; nil shows it
	Log       *slog.Logger
	Account   Account        // of what the calls take; nil keeps none
	Trials    attempt.Trials // of changes; nil: none can be made
	Memory    attempts.Memory
	Doors     Doors // for persons; nil: there are none
}

// Handlers holds the handlers of all tools; each tool has a file of its own.
type Handlers struct {
	Deps
	queue       queue
	subscribers subscribers
	journal     journal
	groups      sessionGroups // sessions that are stopped together
	attempts    *attempt.Engine
	own         *spread.Workspace
}

// Registry answers tool calls. All methods may be called from any goroutine.
type Registry struct {
	tools    []tool
	answer   Handler // the chain
	handlers *Handlers
}

// NewRegistry makes the tools.
func NewRegistry(d Deps) *Registry {
	h := &Handlers{
		Deps:        d,
		queue:       queue{holds: map[*session.Session]hold{}},
		subscribers: subscribers{each: map[*session.Session]*subscription{}},
		attempts:    attempt.New(attempt.Deps{Trials: d.Trials, Memory: d.Memory, Policy: d.Policy, Mask: d.Mask, Known: d.Adapters.Projects()}),
		own:         &spread.Workspace{Dir: d.Workspace, Known: d.Adapters.Projects()},
	}
	return &Registry{tools: h.tools(d.Settings.wait()), answer: chain(h.callChain().links(), handle), handlers: h}
}

// tools are all tools, in the order in which an agent meets them. Their calls wait that
// long when they do not say; 0 is the contract's default.
func (h *Handlers) tools(wait time.Duration) []tool {
	list := []tool{
		h.init(), h.sessionStart(),
		h.execute(), h.step(), h.runUntil(), h.breakpoint(),
		h.inspect(), h.variable(), h.diagnose(), h.trace(), h.why(), h.profile(), h.attempt(), h.session(),
		h.config(), h.context(), h.adapter(),
	}
	for i, t := range list {
		list[i] = t.waiting(wait)
	}
	return list
}

// Definitions are those of all tools, in the order in which an agent meets them, for a
// server whose calls wait that long when they do not say; 0 is the contract's default.
func Definitions(wait time.Duration) []*tools.Definition {
	return definitions((&Handlers{}).tools(wait))
}

func definitions(list []tool) []*tools.Definition {
	var all []*tools.Definition
	for _, t := range list {
		all = append(all, t.definition())
	}
	return all
}

// Tools lists the definitions in the order in which an agent meets them.
func (r *Registry) Tools() []*tools.Definition { return definitions(r.tools) }

// toolNamed is the tool of a name, nil if there is none.
func (r *Registry) toolNamed(name string) tool {
	for _, t := range r.tools {
		if t.definition().Name == name {
			return t
		}
	}
	return nil
}

// longestName is how much of a tool's name is worth telling, in bytes.
const longestName = 100

// Call answers one call of a tool. Args are the arguments as they came; by is who
// makes it, and may be nil. The reply is complete whatever happens: bad
// arguments, a cancelled ctx and our own bugs are answers too.
func (r *Registry) Call(ctx context.Context, tool string, args json.RawMessage, by client.Client) responses.Reply {
	t := r.toolNamed(tool)
	if t == nil {
		return responses.Fit(responses.Failure(fault.New(fault.InvalidParam, "there is no tool %q", responses.Shorten(tool, longestName))), defaultBudget, r.handlers.Settings.form())
	}
	if by == nil {
		by = client.None{}
	}
	res, _ := r.answer(ctx, &Call{Tool: tool, Args: args, Client: by, tool: t}) // respond has made a reply of any error
	return res.Reply
}
