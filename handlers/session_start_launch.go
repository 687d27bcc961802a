package handlers

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/internal/project/launch"
	"aidb-mcp/tools"
)

// applyLaunchConfig fills in from a launch configuration what the call itself
// does not say.
func (sr startResolver) applyLaunchConfig(ctx context.Context, c *Call, p *tools.SessionStartParams) (prePostTasks, error) {
	if p.LaunchConfigName == "" {
		return prePostTasks{}, nil
	}
	set, err := sr.launches(p.WorkspaceRoot)
	if err != nil {
		return prePostTasks{}, err
	}
	e := set.Entry(launch.Member{Name: p.LaunchConfigName})
	if e == nil {
		return prePostTasks{}, noEntry(set, p.LaunchConfigName)
	}
	return sr.applyEntry(ctx, c, p, set, e)
}

// applyEntry is applyLaunchConfig for an entry that was found.
func (sr startResolver) applyEntry(ctx context.Context, c *Call, p *tools.SessionStartParams, set *launch.Set, e *launch.Entry) (prePostTasks, error) {
	o := sr.launchOptions(ctx, c, p)
	config, err := set.Resolve(e, o)
	if err != nil {
		return prePostTasks{}, err
	}
	if err := sr.take(c, p, config); err != nil {
		return prePostTasks{}, err
	}
	return sr.prePostTasksOf(set, e, config, o)
}

// noEntry is the error for a name that is no single configuration's.
func noEntry(set *launch.Set, name string) error {
	c := set.Compound(name)
	if c == nil {
		return set.Missing(name)
	}
	return fault.New(fault.InvalidParam, "%q is a compound, which starts several programs", name).WithField("launch_config_name").
		WithHint("name one of them: %s", memberNames(c))
}

// launches are the configurations of a workspace.
func (sr startResolver) launches(root string) (*launch.Set, error) {
	root = sr.root(root)
	if err := sr.Policy.Path("workspace_root", root); err != nil {
		return nil, err
	}
	return launch.Read(root, sr.Policy.Allows), nil
}

// launchOptions are what a call says of the configuration that it names: which file
// it is about, and who can be asked for inputs.
func (sr startResolver) launchOptions(ctx context.Context, c *Call, p *tools.SessionStartParams) launch.Options {
	var o launch.Options
	o.File, o.Line = sr.openFile(p)
	if !c.Client.Elicits() {
		return o
	}
	o.Ask = func(q client.Question) (string, error) {
		said, err := c.elicit(ctx, q)
		if err == nil && !said.given {
			err = launch.ErrUnasked
		}
		return said.choice, err
	}
	return o
}

// openFile is the file that a call is about, as an editor has one that is open: its
// target, else that of its first breakpoint.
func (sr startResolver) openFile(p *tools.SessionStartParams) (file string, line int) {
	root := sr.root(p.WorkspaceRoot)
	located := func(path string) string {
		if !filepath.IsAbs(path) {
			path = filepath.Join(root, path)
		}
		return filepath.Clean(path)
	}
	for _, b := range p.Breakpoints {
		if b.File != "" {
			file, line = located(b.File), b.Line
			break
		}
	}
	if p.Target == "" || !sr.Policy.Allows(located(p.Target)) {
		return file, line
	}
	target := located(p.Target)
	if info, err := os.Stat(target); err != nil || !info.Mode().IsRegular() || target == file {
		return file, line
	}
	return target, 0
}

// take fills in from a configuration what the call does not say.
func (sr startResolver) take(c *Call, p *tools.SessionStartParams, config *launch.Config) error {
	a := sr.Adapters.ForLaunch(config.Type, adapters.Request{
		Target: cmp.Or(p.Target, config.Program), Module: cmp.Or(p.Module, config.Module), PID: cmp.Or(p.PID, config.ProcessID),
		CoreFile: cmp.Or(p.CoreFile, config.CoreFile), Workspace: sr.root(p.WorkspaceRoot),
	})
	if a == nil {
		return fault.New(fault.AdapterNotFound, "launch configuration %q is of type %q, for which there is no debug adapter", config.Name, config.Type).
			WithField("launch_config_name").
			WithHint("a table \"adapters\" in the settings file can name one for it, with %q as its language or an alias (docs/custom-adapters.md); adapter(list) shows those that there are", config.Type)
	}
	if err := config.Lacking(func(param string) bool { return isGiven(c, p, config, param) }); err != nil {
		return err
	}
	if p.AdapterOptions == nil {
		names := a.Info().LaunchOptions
		if a.Info().LaunchRest {
			names = config.Rest()
		}
		options, err := config.Options(names)
		if err != nil {
			return err
		}
		p.AdapterOptions = options
	}
	p.Language = cmp.Or(p.Language, a.Info().Language)
	p.Mode = cmp.Or(p.Mode, launchMode(config))
	fill(p, config)
	return nil
}

// fill fills in the plain parameters.
func fill(p *tools.SessionStartParams, c *launch.Config) {
	p.Target, p.Module, p.Test = cmp.Or(p.Target, c.Program), cmp.Or(p.Module, c.Module), cmp.Or(p.Test, c.Test)
	p.EnvFile, p.Cwd = cmp.Or(p.EnvFile, c.EnvFile), cmp.Or(p.Cwd, c.Cwd)
	p.PID, p.Host, p.Port = cmp.Or(p.PID, c.ProcessID), cmp.Or(p.Host, c.Host), cmp.Or(p.Port, c.Port)
	p.RuntimePath, p.CoreFile = cmp.Or(p.RuntimePath, c.Runtime), cmp.Or(p.CoreFile, c.CoreFile)
	p.StopOnEntry = p.StopOnEntry || c.StopOnEntry
	if p.JustMyCode == nil {
		p.JustMyCode = c.JustMyCode
	}
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
}

// isGiven says that a call gives a parameter itself, or does without it.
func isGiven(c *Call, p *tools.SessionStartParams, config *launch.Config, param string) bool {
	if name, variable := strings.CutPrefix(param, "env."); variable {
		_, said := p.Env[name]
		return said
	}
	switch param {
	case "target", "module":
		return p.Target != "" || p.Module != "" || p.Test != ""
	case "pid": // a process may be named, or chosen by a person
		attaches := config.Request == "attach"
		return p.PID != 0 || attaches && (p.Target != "" || p.Port != 0 || c.Client.Elicits())
	case "args":
		return p.Args != nil
	case "build_args":
		return p.BuildArgs != nil
	case "path_mappings":
		return p.PathMappings != nil
	case "cwd":
		return p.Cwd != ""
	case "env_file":
		return p.EnvFile != ""
	case "host":
		return p.Host != ""
	case "port":
		return p.Port != 0
	case "core_file":
		return p.CoreFile != ""
	case "runtime_path":
		return p.RuntimePath != ""
	case "test":
		return p.Test != ""
	}
	return false
}

// launchMode is the mode that an entry means; empty when it is to be inferred.
func launchMode(c *launch.Config) string {
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
