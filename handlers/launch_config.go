package handlers

import (
	"cmp"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/workspace"
	"aidb-mcp/tools"
)

// applyLaunchConfig fills in from a launch configuration what the call itself
// does not say.
func (h *Handlers) applyLaunchConfig(p *tools.SessionStartParams) error {
	if p.LaunchConfigName == "" {
		return nil
	}
	if err := h.Policy.Path("workspace_root", h.root(p.WorkspaceRoot)); err != nil {
		return err
	}
	c, err := workspace.ResolveLaunch(h.root(p.WorkspaceRoot), p.LaunchConfigName)
	if err != nil {
		return err
	}
	a := h.Adapters.ForLaunch(c.Type, adapters.Request{
		Target: cmp.Or(p.Target, c.Program), Module: cmp.Or(p.Module, c.Module), PID: cmp.Or(p.PID, c.ProcessID),
		CoreFile: cmp.Or(p.CoreFile, c.CoreFile), Workspace: h.root(p.WorkspaceRoot),
	})
	if a == nil {
		return fault.New(fault.AdapterNotFound, "launch configuration %q is of type %q, for which there is no debug adapter", c.Name, c.Type).
			WithField("launch_config_name").WithHint("adapter(list) shows those that there are")
	}
	p.Language = cmp.Or(p.Language, a.Info().Language)
	p.Mode = cmp.Or(p.Mode, launchMode(c))
	p.Target = cmp.Or(p.Target, c.Program)
	p.Module = cmp.Or(p.Module, c.Module)
	p.EnvFile, p.Cwd = cmp.Or(p.EnvFile, c.EnvFile), cmp.Or(p.Cwd, c.Cwd)
	p.PID, p.Host, p.Port = cmp.Or(p.PID, c.ProcessID), cmp.Or(p.Host, c.Host), cmp.Or(p.Port, c.Port)
	p.RuntimePath = cmp.Or(p.RuntimePath, c.Runtime)
	if p.JustMyCode == nil {
		p.JustMyCode = c.JustMyCode
	}
	if p.AdapterOptions == nil {
		if p.AdapterOptions, err = c.Options(a.Info().LaunchOptions); err != nil {
			return err
		}
	}
	p.CoreFile, p.StopOnEntry = cmp.Or(p.CoreFile, c.CoreFile), p.StopOnEntry || c.StopOnEntry
	if p.Args == nil {
		p.Args = c.Args
	}
	if p.BuildArgs == nil {
		p.BuildArgs = c.BuildFlags
	}
	if p.PathMappings == nil {
		for _, s := range c.PathSubstitutions {
			p.PathMappings = append(p.PathMappings, tools.PathMapping{Local: s.From, Remote: s.To})
		}
	}
	for name, value := range c.Env {
		if _, said := p.Env[name]; said {
			continue
		}
		if p.Env == nil {
			p.Env = map[string]string{}
		}
		p.Env[name] = value
	}
	return nil
}

// launchMode is the mode that an entry means; empty when it is to be inferred.
func launchMode(c *workspace.Config) string {
	switch {
	case c.Request == "attach" && (c.Mode == "remote" || c.Port != 0):
		return string(adapters.RemoteAttach)
	case c.Request == "attach":
		return string(adapters.Attach)
	case c.Mode == "test" || c.Mode == "exec" || c.Mode == "core":
		return c.Mode
	case c.Mode == "debug":
		return string(adapters.Launch)
	}
	return ""
}
