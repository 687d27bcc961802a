package handlers

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/telemetry"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// sessionStart starts debugging.
func (h *Handlers) sessionStart() Tool[*tools.SessionStartParams] {
	return Tool[*tools.SessionStartParams]{
		Definition: tools.SessionStart(),
		Actions: Actions[*tools.SessionStartParams]{
			"": {Handle: h.startSession},
		},
	}
}

// startSession builds and starts the program, or attaches to it, and answers at
// its first stop. What it lacks for that it asks the user for, where that is
// possible: nothing has been done by then that must not be done twice.
func (h *Handlers) startSession(ctx context.Context, c *Call, p *tools.SessionStartParams) (*responses.Envelope, error) {
	set, several, err := h.compoundOf(p)
	switch {
	case err != nil:
		return nil, err
	case several != nil:
		return h.startInstalling(ctx, c, p, set, several)
	}
	b, err := h.applyLaunchConfig(ctx, c, p)
	if err != nil {
		return nil, err
	}
	if err := h.takeAddress(p); err != nil {
		return nil, err
	}
	said, err := h.whichProcess(ctx, c, p)
	if err != nil {
		return nil, err
	}
	r := b.with(h.startRequest(p))
	if p.UntilFirst != nil {
		found, env, err := h.untilFirst(ctx, c, p, r)
		if err != nil || env != nil {
			return env, err
		}
		said, r = joinRemarks(said, found), b.with(h.startRequest(p))
	}
	env, id, err := h.start(ctx, c, p, r, said)
	if err == nil {
		return env, nil
	}
	if err := h.install(ctx, c, h.withProposals(p, err)); err != nil {
		return nil, err
	}
	r.ID = cmp.Or(r.ID, id)
	env, _, err = h.start(ctx, c, p, r, said)
	return env, err
}

// start starts a session; id is its name, also when it fails. Said joins the summary.
func (h *Handlers) start(ctx context.Context, c *Call, p *tools.SessionStartParams, r session.StartRequest, said string) (env *responses.Envelope, id string, err error) {
	r.Call = telemetry.CallOf(ctx)
	s, err := h.Sessions.Open(r)
	if err != nil {
		return nil, "", err
	}
	if err := c.Adopt(ctx, s); err != nil {
		return nil, "", err
	}
	h.subscribers.set(s, p.SubscribeEvents)
	_, err = s.WaitFirstOrListen(ctx, p.Timeout())
	c.What = strings.TrimSpace("start " + s.Target()) // a test has a name when it has been found
	if err != nil {
		if _, known := h.Sessions.Get(s.ID()); known != nil {
			c.Abandon() // the start failed, there is nothing to speak of any more
		}
		return nil, s.ID(), err
	}
	if p.UntilFirst != nil {
		more, err := h.intoHead(ctx, s, p)
		if err != nil {
			return nil, s.ID(), err
		}
		said = joinRemarks(said, more)
	}
	if cost := s.ArmingCost(); cost != "" && r.Program.Mode == adapters.Attach && s.State().Status == session.Running { // one that stands is asked, not recorded
		said = joinRemarks(said, "a hit of trace(arm) costs it "+cost)
	}
	env, err = h.view(ctx, c, stopDetail{note: said})
	return env, s.ID(), err
}

func (h *Handlers) startRequest(p *tools.SessionStartParams) session.StartRequest {
	r := session.StartRequest{
		ID:         p.SessionID,
		Exceptions: p.Exceptions,
		Show:       tools.Texts(p.Show),
		Program: adapters.Request{
			Language: p.Language, Target: p.Target, Module: p.Module, Test: p.Test,
			Mode: startMode(p),
			Args: p.Args, Env: p.Env, EnvFile: p.EnvFile, Cwd: p.Cwd, Stdin: p.Stdin, StdinOpen: p.StdinOpen,
			RuntimePath: p.RuntimePath, BuildArgs: p.BuildArgs,
			PID: p.PID, Host: p.Host, Port: p.Port, CoreFile: p.CoreFile,
			SourcePaths: p.SourcePaths, StopOnEntry: p.StopOnEntry, JustMyCode: p.JustMyCode,
			Options: p.AdapterOptions, Workspace: h.root(p.WorkspaceRoot),
		},
	}
	h.takeTestFile(&r.Program)
	for _, m := range p.PathMappings {
		r.Program.PathMappings = append(r.Program.PathMappings, adapters.PathMapping(m))
	}
	r.Mounts = h.mounts(r.Program)
	for _, b := range p.Breakpoints {
		r.Break = append(r.Break, session.BreakpointSpec{
			File: b.File, Line: b.Line, Column: b.Column, Function: b.Function, Statement: b.Statement,
			Condition: string(b.Condition), HitCondition: b.HitCondition, LogMessage: b.LogMessage, Show: tools.Texts(b.Show),
		})
	}
	return r
}

// takeAddress takes the address of a program that options name for what it is.
func (h *Handlers) takeAddress(p *tools.SessionStartParams) error {
	host, port, err := h.Adapters.Address(p.AdapterOptions)
	if err != nil || port == 0 || p.PID != 0 { // of which the adapter tells best
		return err
	}
	if given := p.Port != 0 && p.Port != port || p.Host != "" && p.Host != host; given {
		return fault.New(fault.InvalidParam, "adapter_options name the program at %s:%d already: host and port have no use beside it", host, port).WithField("port").
			WithHint("leave host and port out")
	}
	p.Host, p.Port = host, port
	return nil
}

// startMode: to attach to a port is to attach to another debugger's end, under either name.
func startMode(p *tools.SessionStartParams) adapters.Mode {
	if p.Mode == string(adapters.Attach) && p.PID == 0 && p.Port != 0 {
		return adapters.RemoteAttach
	}
	return adapters.Mode(p.Mode)
}

// takeTestFile takes a test that is the path of a file for what it is, in any
// language: the target, whose tests are all meant.
func (h *Handlers) takeTestFile(r *adapters.Request) {
	if r.Target != "" || filepath.Ext(r.Test) == "" {
		return
	}
	path := r.Test
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.Workspace, path)
	}
	if !h.Policy.Allows(path) { // of which nothing is told
		return
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return
	}
	r.Target, r.Test = r.Test, ""
	r.Mode = cmp.Or(r.Mode, adapters.Test)
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

// mounts are where the container has the workspace whose debug port a request names,
// by the compose files of the workspace.
func (h *Handlers) mounts(r adapters.Request) []session.Mapping {
	if r.Port == 0 || !adapters.Local(r.Host) || !h.Policy.Allows(r.Workspace) {
		return nil
	}
	var list []session.Mapping
	for _, c := range h.Adapters.Projects().Containers(r.Workspace) {
		if c.Port != r.Port {
			continue
		}
		for _, m := range c.Mounts {
			list = append(list, session.Mapping{
				PathMapping: adapters.PathMapping{Local: m.Local, Remote: m.Remote},
				Evidence:    fmt.Sprintf("%s mounts it there for %s", c.File, c.Service),
			})
		}
	}
	return list
}
