package jsdebug

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/system/netstat"
)

// Plan understands the request and answers how to start.
func (a *adapter) Plan(ctx context.Context, r adapters.Request, _ func(string)) (*adapters.Plan, error) {
	j, err := understand(r)
	if err != nil {
		return nil, err
	}
	if err := a.needAdapter(); err != nil {
		return nil, err
	}
	if j.scratch, err = a.Root.Sockets("js-"); err != nil {
		return nil, err
	}
	if j.node, err = a.runtime(ctx, r, j.env); err != nil {
		return nil, err
	}
	switch j.Mode {
	case adapters.Attach:
		return a.planAttach(ctx, j)
	case adapters.RemoteAttach:
		return a.planRemote(ctx, j)
	case adapters.Test:
		return a.planTest(j)
	}
	return a.planLaunch(j)
}

// needAdapter says how to install js-debug where it is missing or damaged.
func (a *adapter) needAdapter() error {
	if err := a.Store.Check("javascript", jsDebug()); err != nil {
		return err
	}
	return nil
}

// script is js-debug's server.
func (a *adapter) script() string {
	return filepath.Join(a.Store.Dir(component), "src", serverName)
}

// started is what node is to be started with.
type started struct {
	launch   launch
	target   string   // for people
	home     string   // where the user's own code is
	tests    []string // the files of the tests that it runs
	quiet    bool     // their runner does not tell of them
	warnings []string
}

func (a *adapter) planLaunch(j job) (*adapters.Plan, error) {
	s, err := j.findStart()
	if err != nil {
		return nil, err
	}
	p, err := a.plan(j, s.launch, s.target, s.home)
	if err != nil {
		return nil, err
	}
	p.Warnings = s.warnings
	return p, nil
}

// findStart finds how the program is started.
func (j job) findStart() (started, error) {
	if j.Module != "" {
		return j.findScript()
	}
	file, err := j.program()
	if err != nil {
		return started{}, err
	}
	w, err := j.wayOf(file)
	if err != nil {
		return started{}, err
	}
	dir, err := prepare.Workdir(j.Request, filepath.Dir(file))
	if err != nil {
		return started{}, err
	}
	l := j.launch(w, dir)
	l.Args = j.Args
	return started{launch: l, target: prepare.Show(j.Request, file), home: filepath.Dir(file), warnings: w.warnings}, nil
}

// launch is the configuration of a program that node runs in a directory.
func (j job) launch(w way, dir string) launch {
	l := j.configuration("launch")
	l.Program, l.Cwd = w.program, dir
	l.Env = j.variables(w)
	l.RuntimeExecutable = j.node.path
	l.RuntimeArgs = append(slices.Clone(w.runtimeArgs), j.options.RuntimeArgs...)
	l.RuntimeArgs = append(l.RuntimeArgs, j.BuildArgs...)
	l.Console, l.KillBehavior = "integratedTerminal", "forceful"
	l.StopOnEntry = j.StopOnEntry
	if len(l.OutFiles) == 0 {
		l.OutFiles = withSiblings(w.outFiles, projectOf(j.projectDir()).dir)
	}
	return l
}

// variables are those that the user sets, and what the way needs besides.
func (j job) variables(w way) map[string]string {
	set := maps.Clone(j.set)
	for name, value := range w.env {
		if prepare.Lookup(j.env, name) != "" {
			continue
		}
		if set == nil {
			set = map[string]string{}
		}
		set[name] = value
	}
	return set
}

// configuration is what every session has in common.
func (j job) configuration(request string) launch {
	l := launch{
		Type: "pwa-node", Request: request, Name: "node",
		NodeVersionHint:           quietNode,
		SmartStep:                 j.options.SmartStep,
		SkipFiles:                 append([]string{internals}, j.options.SkipFiles...),
		Timeout:                   attachLimit,
		WorkspaceFolder:           j.folder(),
		OutFiles:                  j.options.OutFiles,
		SourceMaps:                j.options.SourceMaps,
		SourceMapPathOverrides:    j.options.SourceMapPathOverrides,
		ResolveSourceMapLocations: j.options.ResolveSourceMapLocations,
		AutoAttachChildProcesses:  j.options.AutoAttachChildProcesses,
	}
	if l.OutFiles == nil {
		l.OutFiles = []string{} // js-debug's default reads every script of the workspace
	}
	if j.JustMyCode != nil && *j.JustMyCode {
		l.SkipFiles = append(l.SkipFiles, "**/node_modules/**")
	}
	return l
}

// folder is the directory that source maps are believed in.
func (j job) folder() string {
	if p := projectOf(j.projectDir()); p.dir != "" {
		return cmp.Or(monorepo(p.dir), p.dir) // what a package uses of the others has maps of its own
	}
	return j.projectDir()
}

// plan joins a configuration with the adapter's process.
func (a *adapter) plan(j job, l launch, target, home string) (*adapters.Plan, error) {
	scratch := j.scratch
	s := &server{
		node: j.node.path, script: a.script(), scratch: scratch, root: a.Root, log: a.Log,
		env: prepare.Overlay(os.Environ(), map[string]string{"TMPDIR": scratch, "NODE_OPTIONS": ""}),
	}
	d := newDialect(j)
	d.watchdog = filepath.Join(filepath.Dir(a.script()), watchdog)
	if l.Request == "launch" {
		d.modules = isModule(l.Program) && !isLibrary(l.Program) // a runner's errors are its own
		l.Env = withHook(l.Env, scratch, j.env, j.Mode == adapters.Test && !j.quiet)
	}
	if j.Mode == adapters.Test && !j.quiet {
		d.test, d.names, d.report = j.test, j.names, filepath.Join(scratch, reportName)
	}
	s.bootFor(&l)
	if l.WebSocket != "" {
		s.inspector = net.JoinHostPort(l.Address, strconv.Itoa(l.Port))
		if s.program = j.PID; s.program == 0 && adapters.Local(l.Address) {
			s.program = netstat.Listener(l.Port)
		}
	}
	d.observer = &observer{node: j.node.path, root: a.Root}
	if l.Request == "attach" {
		d.observer.inspector = net.JoinHostPort(l.Address, strconv.Itoa(l.Port))
	}
	p := &adapters.Plan{
		Mode: j.Mode, Target: target, Dir: l.Cwd,
		Modules:      modules(j, home),
		Open:         s.open,
		Request:      l.Request,
		Arguments:    l,
		Broker:       true,
		Child:        s.child,
		Dialect:      d,
		Capabilities: d.Capabilities(),
		Close:        func() { d.observer.kept.Close(); s.leave() },
	}
	return p, nil
}

// watchdog is the script that js-debug has each node start beside itself.
const watchdog = "watchdog.js"

// isLibrary says that a file belongs to an installed package.
func isLibrary(file string) bool {
	return slices.Contains(strings.Split(filepath.ToSlash(file), "/"), "node_modules")
}

// withHook adds the hook to the program's environment.
func withHook(set map[string]string, scratch string, env []string, tests bool) map[string]string {
	set = maps.Clone(set)
	if set == nil {
		set = map[string]string{}
	}
	set["NODE_OPTIONS"] = loadHook(scratch, prepare.Lookup(env, "NODE_OPTIONS"), tests)
	return set
}

// modules are the roots of the user's own code.
func modules(j job, home string) []string {
	roots := []string{}
	project := projectOf(home).dir
	for _, dir := range []string{project, home, monorepo(project)} {
		if dir != "" && !slices.Contains(roots, dir) {
			roots = append(roots, dir)
		}
	}
	for _, dir := range j.SourcePaths {
		roots = append(roots, prepare.Locate(j.Request, dir))
	}
	return roots
}

// child connects a session that js-debug asks for.
func (s *server) child(ctx context.Context, request string, configuration json.RawMessage) (*adapters.Child, error) {
	arguments, name, err := childArguments(request, configuration)
	if err != nil {
		return nil, err
	}
	p, err := s.dial(ctx)
	if err != nil {
		return nil, err
	}
	return &adapters.Child{Peer: p, Name: name, PID: pidIn(name), Request: request, Arguments: arguments}, nil
}
