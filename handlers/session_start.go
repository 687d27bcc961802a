package handlers

import (
	"context"
	"path/filepath"

	"aidb-mcp/adapters"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// sessionStart builds and starts the program, or attaches to it, and answers at
// its first stop.
func (h *Handlers) sessionStart(ctx context.Context, c *Call) (*responses.Envelope, error) {
	p := c.Params.(*tools.SessionStartParams)
	if err := h.applyLaunchConfig(p); err != nil {
		return nil, err
	}
	s, err := h.Sessions.Open(h.startRequest(p))
	if err != nil {
		return nil, err
	}
	if err := c.Adopt(ctx, s); err != nil {
		return nil, err
	}
	c.What = "start " + s.Target()
	h.subscribers.set(s, p.SubscribeEvents)
	if _, err := s.WaitFirst(ctx, p.Timeout()); err != nil {
		if _, known := h.Sessions.Get(s.ID()); known != nil {
			c.Session = nil // the start failed, there is nothing to speak of any more
		}
		return nil, err
	}
	return h.view(ctx, c, arrival{})
}

func (h *Handlers) startRequest(p *tools.SessionStartParams) session.StartRequest {
	r := session.StartRequest{
		ID:         p.SessionID,
		Language:   p.Language,
		Stdin:      p.Stdin,
		Exceptions: p.Exceptions,
		StdinOpen:  p.StdinOpen,
		Show:       tools.Texts(p.Show),
		Program: adapters.Request{
			Target: p.Target, Module: p.Module, Test: p.Test,
			Mode: adapters.Mode(p.Mode),
			Args: p.Args, Env: p.Env, EnvFile: p.EnvFile, Cwd: p.Cwd,
			RuntimePath: p.RuntimePath, BuildArgs: p.BuildArgs,
			PID: p.PID, Host: p.Host, Port: p.Port, CoreFile: p.CoreFile,
			SourcePaths: p.SourcePaths, StopOnEntry: p.StopOnEntry, JustMyCode: p.JustMyCode,
			Options: p.AdapterOptions, Workspace: h.root(p.WorkspaceRoot),
		},
	}
	for _, m := range p.PathMappings {
		r.Program.PathMappings = append(r.Program.PathMappings, adapters.PathMapping(m))
	}
	for _, b := range p.Breakpoints {
		r.Break = append(r.Break, session.BreakpointSpec{
			File: b.File, Line: b.Line, Column: b.Column, Function: b.Function, Statement: b.Statement,
			Condition: string(b.Condition), HitCondition: b.HitCondition, LogMessage: b.LogMessage, Show: tools.Texts(b.Show),
		})
	}
	return r
}

// root is the workspace that was asked for, else the server's own; absolute.
func (h *Handlers) root(asked string) string {
	switch {
	case asked == "":
		return h.Workspace
	case filepath.IsAbs(asked):
		return filepath.Clean(asked)
	}
	return filepath.Join(h.Workspace, asked)
}
