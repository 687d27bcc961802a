package handlers

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/policy"
	"aidb-mcp/internal/text/secret"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// startResolver makes the start of a session of what a call asks for: its arguments, a launch
// configuration with its tasks, a process that is looked for. It starts nothing.
type startResolver struct {
	Adapters  *adapters.Registry
	Policy    policy.Policy
	Mask      *secret.Masker
	Workspace string // absolute
}

func (h *Handlers) starts() startResolver {
	return startResolver{Adapters: h.Adapters, Policy: h.Policy, Mask: h.Mask, Workspace: h.Workspace}
}

// request is the start that arguments ask for.
func (sr startResolver) request(p *tools.SessionStartParams) session.StartRequest {
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
			Options: p.AdapterOptions, Workspace: sr.root(p.WorkspaceRoot),
		},
	}
	sr.takeTestFile(&r.Program)
	for _, m := range p.PathMappings {
		r.Program.PathMappings = append(r.Program.PathMappings, adapters.PathMapping(m))
	}
	r.Mounts = sr.mounts(r.Program)
	for _, b := range p.Breakpoints {
		r.Break = append(r.Break, session.BreakpointSpec{
			File: b.File, Line: b.Line, Column: b.Column, Function: b.Function, Statement: b.Statement,
			Condition: string(b.Condition), HitCondition: b.HitCondition, LogMessage: b.LogMessage, Show: tools.Texts(b.Show),
		})
	}
	return r
}

// takeAddress takes the address of a program that options name for what it is.
func (sr startResolver) takeAddress(p *tools.SessionStartParams) error {
	host, port, err := sr.Adapters.Address(p.AdapterOptions)
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
func (sr startResolver) takeTestFile(r *adapters.Request) {
	if r.Target != "" || filepath.Ext(r.Test) == "" {
		return
	}
	path := r.Test
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.Workspace, path)
	}
	if !sr.Policy.Allows(path) { // of which nothing is told
		return
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return
	}
	r.Target, r.Test = r.Test, ""
	r.Mode = cmp.Or(r.Mode, adapters.Test)
}

// root is the workspace that was asked for, else the server's own; absolute.
func (sr startResolver) root(asked string) string {
	switch {
	case asked == "":
		return sr.Workspace
	case filepath.IsAbs(asked):
		return filepath.Clean(asked)
	}
	return filepath.Join(sr.Workspace, asked)
}

// mounts are where the container has the workspace whose debug port a request names,
// by the compose files of the workspace.
func (sr startResolver) mounts(r adapters.Request) []session.Mapping {
	if r.Port == 0 || !adapters.Local(r.Host) || !sr.Policy.Allows(r.Workspace) {
		return nil
	}
	var list []session.Mapping
	for _, c := range sr.Adapters.Projects().Containers(r.Workspace) {
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

// relocate makes a start one of this workspace, which may be a copy of the one that it names.
func (sr startResolver) relocate(p *tools.SessionStartParams, original string) session.StartRequest {
	r := sr.request(p)
	if original == "" || original == sr.Workspace {
		return r
	}
	roots := []string{original}
	if whole, err := filepath.EvalSymlinks(original); err == nil {
		roots = append(roots, whole)
	}
	return session.Relocated(r, sr.Workspace, roots...)
}
