package handlers

import (
	"context"
	"encoding/json"
	"log/slog"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/attempts"
	"aidb-mcp/internal/client"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/policy"
	"aidb-mcp/internal/secret"
	"aidb-mcp/internal/setup"
	"aidb-mcp/investigate/attempt"
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
}

// Handlers holds the handlers of all tools; each is a method in a file of its own.
type Handlers struct {
	Deps
	queue       queue
	subscribers subscribers
	journal     journal
	packs       packs // sessions that are stopped together
	attempts    *attempt.Engine
}

// Registry answers tool calls: it maps a tool's name to its handler wrapped in
// the chain. All methods may be called from any goroutine.
type Registry struct {
	tools    []*tools.Definition
	handlers map[string]Handler
	rules    map[string]ruler
	own      *Handlers
}

// NewRegistry wraps every tool's handler.
func NewRegistry(d Deps) *Registry {
	h := &Handlers{
		Deps:        d,
		queue:       queue{holds: map[*session.Session]hold{}},
		subscribers: subscribers{each: map[*session.Session]*subscription{}},
		attempts:    attempt.New(attempt.Deps{Trials: d.Trials, Memory: d.Memory, Policy: d.Policy, Mask: d.Mask}),
	}
	r := &Registry{tools: tools.Waiting(tools.All(), d.Settings.wait()), handlers: map[string]Handler{}, rules: map[string]ruler{}, own: h}
	for name, e := range h.table() {
		r.handlers[name] = chain(h.chain(), made(e.handler))
		r.rules[name] = e.rule
	}
	return r
}

// entry is one line of the table.
type entry struct {
	handler func(ctx context.Context, c *Call) (*responses.Envelope, error)
	rule    ruler
}

// made is the end of the chain, where the handler of a tool stands.
func made(handle func(ctx context.Context, c *Call) (*responses.Envelope, error)) Handler {
	return func(ctx context.Context, c *Call) (Result, error) {
		env, err := handle(ctx, c)
		return Result{Envelope: env}, err
	}
}

// table is every tool with its handler and what the handler needs of a session.
func (h *Handlers) table() map[string]entry {
	return map[string]entry{
		"init":          {h.init, always(rule{})},
		"session_start": {h.sessionStart, always(rule{})},
		"execute":       {h.execute, executeRule},
		"step":          {h.step, always(moving)},
		"run_until":     {h.runUntil, always(moving)},
		"breakpoint":    {h.breakpoint, breakpointRule},
		"inspect":       {h.inspect, inspectRule},
		"variable":      {h.variable, always(moving)},
		"diagnose":      {h.diagnose, always(rule{session: optional, passes: true})},
		"attempt":       {h.attempt, always(rule{session: optional, passes: true})},
		"trace":         {h.trace, always(rule{session: optional, passes: true})},
		"why":           {h.why, always(rule{session: optional})},
		"session":       {h.session, sessionRule},
		"config":        {h.config, always(rule{session: optional, passes: true, quiet: true})},
		"context":       {h.context, always(rule{session: optional, passes: true, quiet: true})},
		"adapter":       {h.adapter, always(rule{})},
	}
}

// Tools lists the definitions in the order in which an agent meets them.
func (r *Registry) Tools() []*tools.Definition { return r.tools }

// longestName is how much of a tool's name is worth telling, in bytes.
const longestName = 100

// Call answers one call of a tool. Args are the arguments as they came; by is who
// makes it, and may be nil. The reply is complete whatever happens: bad
// arguments, a cancelled ctx and our own bugs are answers too.
func (r *Registry) Call(ctx context.Context, tool string, args json.RawMessage, by client.Client) responses.Reply {
	for _, d := range r.tools {
		if d.Name != tool {
			continue
		}
		if by == nil {
			by = client.None{}
		}
		c := &Call{Tool: tool, Args: args, Client: by, definition: d, ruler: r.rules[tool]}
		res, _ := r.handlers[tool](ctx, c) // respond has made a reply of any error
		return res.Reply
	}
	return responses.Fit(responses.Failure(fault.New(fault.InvalidParam, "there is no tool %q", responses.Shorten(tool, longestName))), defaultBudget, r.own.Settings.form())
}
