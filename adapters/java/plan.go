package java

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"aidb-mcp/adapters"
	attaching "aidb-mcp/adapters/observe/attach"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
)

// launch are the arguments of the bridge's launch request.
type launch struct {
	Java         string            `json:"java"`
	AgentOptions string            `json:"agentOptions,omitempty"`
	Follows      bool              `json:"follows,omitempty"`  // child JVMs, which then call as the program does
	Recorder     string            `json:"recorder,omitempty"` // the archive of the agent that notes calls
	Records      string            `json:"records,omitempty"`  // where to
	Command      []string          `json:"command"`
	Cwd          string            `json:"cwd"`
	Env          map[string]string `json:"env,omitempty"`
	common
}

// attach are those of its attach request.
type attach struct {
	Host        string `json:"host"`
	Port        int    `json:"port"`
	StopOnEntry bool   `json:"stopOnEntry,omitempty"`
	common
}

type common struct {
	SourceRoots []string `json:"sourceRoots"`
	ClassRoots  []string `json:"classRoots"`
	JustMyCode  *bool    `json:"justMyCode,omitempty"`
}

// Plan understands the request, builds the program when it is given as source,
// and answers how to start.
func (a *adapter) Plan(ctx context.Context, r adapters.Request, progress func(string)) (*adapters.Plan, error) {
	if attaching.Wanted(r) {
		return a.planObserve(ctx, r)
	}
	j, err := understand(r)
	if err != nil {
		return nil, err
	}
	if progress == nil {
		progress = func(string) {}
	}
	if j.javas, err = a.javas(ctx, r, j.env); err != nil {
		return nil, err
	}
	classes, err := a.bridge(ctx, j.tools, progress)
	if err != nil {
		return nil, err
	}
	if j.Mode == adapters.Attach || j.Mode == adapters.RemoteAttach {
		return a.planAttach(j, classes)
	}
	p, err := a.buildProgram(ctx, j, progress)
	if err != nil {
		return nil, err
	}
	plan, err := a.planProgram(j, p, a.besideBridge(ctx, classes, j.tools, progress))
	if err != nil && p.scratch != "" {
		_ = os.RemoveAll(p.scratch)
	}
	if err != nil {
		return nil, err
	}
	if err := a.noteLeft(ctx, j, plan, progress); err != nil {
		plan.Close()
		return nil, err
	}
	if r.Record == nil {
		return plan, nil
	}
	if err := a.recordUnderDebugger(ctx, j, plan, progress); err != nil {
		if fault.Is(err, fault.AdapterNotFound) {
			plan.Warnings = append(plan.Warnings, "the calls before the stop are not noted: "+err.Error()+"; "+remedy(err))
		}
		a.Log.Debug("note the calls of a program beside its debugger", "error", err) // it runs without that
	}
	return plan, nil
}

// buildProgram builds the program, or finds it built.
func (a *adapter) buildProgram(ctx context.Context, j job, progress func(string)) (program, error) {
	if j.Mode == adapters.Test {
		return a.tests(ctx, j, progress)
	}
	return a.run(ctx, j, progress)
}

// planProgram is for a program that is to be started.
func (a *adapter) planProgram(j job, p program, classes string) (*adapters.Plan, error) {
	roots, err := j.allSources(p.sources, p.home)
	if err != nil {
		return nil, err
	}
	dir := p.dir
	if j.Cwd != "" || dir == "" {
		if dir, err = prepare.Workdir(j.Request, p.home); err != nil {
			return nil, err
		}
	}
	l := launch{
		Java: j.program.java, Cwd: dir, Command: p.command(j), Env: map[string]string{},
		common: common{roots, p.classes, j.JustMyCode},
	}
	if j.program.major >= 21 {
		l.AgentOptions = "includevirtualthreads=y"
	}
	maps.Copy(l.Env, j.set)
	var warnings []string
	if w := j.readable(&l); w != "" {
		warnings = append(warnings, w)
	}
	if j.options.Follow {
		warnings = append(warnings, j.follow(&l)...)
	}
	d := newDialect(p.entry, j.Mode == adapters.Test)
	d.recorders = &recorders{jvm: jvm{adapter: a, tools: j.tools, roots: roots}, javas: j.javas}
	plan := &adapters.Plan{
		Mode: j.Mode, Target: p.target, Warnings: warnings, Dir: dir, Modules: modules(j, roots, p.home),
		Open: a.open(j.tools, classes, scratch(p), nil), Request: "launch", Arguments: l,
		Dialect: d, Capabilities: d.Capabilities(),
		Close: func() {},
	}
	if j.options.Follow {
		plan.Child = a.joinChild(j, l.common, classes)
	} else {
		plan.Capabilities.Start.Follow, plan.Capabilities.Start.FollowsWhich = `{"followChildren": true}`, "follows the Java programs among them"
	}
	if p.scratch != "" {
		plan.Close = sync.OnceFunc(func() { _ = os.RemoveAll(p.scratch) })
	}
	return plan, nil
}

func scratch(p program) []string {
	if p.scratch == "" {
		return nil
	}
	return []string{p.scratch}
}

// command is what follows java on the command line.
func (p program) command(j job) []string {
	list := slices.Clone(j.options.VMArgs)
	if len(p.modulePath) > 0 {
		list = append(list, "--module-path", join(p.modulePath))
	}
	if len(p.classPath) > 0 {
		list = append(list, "-cp", join(p.classPath))
	}
	switch {
	case p.archive != "":
		list = append(list, "-jar", p.archive)
	case len(p.modulePath) > 0:
		list = append(list, "--module", p.main)
	default:
		list = append(list, p.main)
	}
	return slices.Concat(list, p.arguments, j.Args)
}

func join(paths []string) string {
	text := ""
	for i, p := range paths {
		if i > 0 {
			text += string(filepath.ListSeparator)
		}
		text += p
	}
	return text
}

// modules are the roots of the user's own code.
func modules(j job, roots []string, home string) []string {
	list := slices.Clone(roots)
	for _, dir := range []string{home, j.Workspace} {
		if dir != "" && !slices.Contains(list, dir) {
			list = append(list, dir)
		}
	}
	return list
}
