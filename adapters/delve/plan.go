package delve

import (
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/pprof"
	"aidb-mcp/adapters/delve/serve"
	"aidb-mcp/adapters/delve/wire"
	"aidb-mcp/adapters/observe/attach"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
)

// Plan understands the request, builds the program when it is given as source,
// and answers how to start.
func (a *adapter) Plan(ctx context.Context, r adapters.Request, progress func(string)) (*adapters.Plan, error) {
	if attach.Wanted(r) {
		plan, err := attach.Plan(r, a.pausing())
		if err == nil {
			plan.Capabilities.Profiling = profilingOf()
		}
		return plan, err
	}
	if pprof.Wanted(r.Options) {
		return planAddress(ctx, r)
	}
	j, err := understand(r)
	if err != nil {
		return nil, err
	}
	if !serve.Supported && j.Mode != adapters.RemoteAttach {
		ready := a.Check(ctx)
		return nil, fault.New(fault.AdapterNotFound, "%s", ready.Problem).WithHint("%s", ready.Remedy)
	}
	if progress == nil {
		progress = func(string) {}
	}
	switch j.Mode {
	case adapters.Exec:
		return a.planExec(j)
	case adapters.Core:
		return a.planCore(j)
	case adapters.Attach:
		return a.planAttach(j)
	case adapters.RemoteAttach:
		return a.planRemote(j)
	}
	return a.planBuild(ctx, j, progress)
}

// planBuild is for launch and test.
func (a *adapter) planBuild(ctx context.Context, j job, progress func(string)) (*adapters.Plan, error) {
	c, test, err := a.locateTarget(ctx, j)
	if err != nil {
		return nil, err
	}
	if _, err := j.workdir(c.dir); err != nil {
		return nil, err
	}
	progress("building " + describe(j, prepare.Show(j.Request, c.dir)))
	b, leaves, err := a.buildLeaving(ctx, j, c)
	if err != nil {
		return nil, err
	}
	a.ahead.builtPlain(j.Record)
	return a.planBuilt(j, c, test, b, leaves)
}

// locateTarget finds the code that is asked for: of a test, or with a main function.
func (a *adapter) locateTarget(ctx context.Context, j job) (c code, test testFunction, err error) {
	if c, err = j.locateCode(a.importDir(ctx, j)); err != nil {
		return c, test, err
	}
	if j.Mode == adapters.Test {
		return j.needTest(c)
	}
	return c, test, j.needMain(c)
}

// planBuilt is planBuild when that is built.
func (a *adapter) planBuilt(j job, c code, test testFunction, b builtProgram, leaves *leaving) (*adapters.Plan, error) {
	dir, err := j.workdir(c.dir)
	if err != nil {
		return nil, err
	}
	start := wire.Start{Mode: "exec", Program: b.program, Args: j.Args, Cwd: dir, Options: j.options}
	entry := "main.main"
	var tests *testRun
	if j.Mode == adapters.Test {
		tests = &testRun{dir: c.dir, name: j.Test}
		start.Args = j.testArgs()
		if j.Cwd == "" {
			start.Cwd = c.dir // as go test does
		}
		entry = testEntry(b.program, test)
	}
	return a.planStart(j, start, planParts{
		target:  describe(j, prepare.Show(j.Request, c.dir)),
		modules: moduleRoots(c.dir),
		scratch: b.scratch,
		entry:   entry,
		tests:   tests,
		leaves:  leaves,
	})
}

// testEntry names the test function as the linker does.
func testEntry(program string, test testFunction) string {
	info, err := serve.BuildInfo(program)
	if err != nil || test.name == "" {
		return "main.main"
	}
	path := strings.TrimSuffix(info.Path, ".test")
	if strings.HasSuffix(test.pkg, "_test") {
		path += "_test"
	}
	return path + "." + test.name
}

// planExec is for a ready binary, which is taken as it is.
func (a *adapter) planExec(j job) (*adapters.Plan, error) {
	info, err := j.binary()
	if err != nil {
		return nil, err
	}
	dir, err := j.workdir(filepath.Dir(j.target))
	if err != nil {
		return nil, err
	}
	start := wire.Start{Mode: "exec", Program: j.target, Args: j.Args, Cwd: dir, Options: j.options}
	start.Warnings = buildWarnings(info)
	return a.planStart(j, start, planParts{target: prepare.Show(j.Request, j.target), modules: j.sources(info), entry: "main.main"})
}

// planCore is for a core file and the binary that wrote it.
func (a *adapter) planCore(j job) (*adapters.Plan, error) {
	if j.CoreFile == "" {
		return nil, fault.New(fault.MissingParam, "core_file is missing").WithField("core_file").
			WithHint(`give the core file and the binary that wrote it, for example {"target":"./app","core_file":"core.1234"}`)
	}
	core := prepare.Locate(j.Request, j.CoreFile)
	if !prepare.Exists(core) {
		return nil, fault.New(fault.InvalidTarget, "there is no core file %s", prepare.Show(j.Request, core)).WithField("core_file").
			WithHint("look where the system puts core files (/proc/sys/kernel/core_pattern), or write one with gcore")
	}
	info, err := j.binary()
	if err != nil {
		return nil, err
	}
	start := wire.Start{Mode: "core", Program: j.target, CoreFile: core, StopOnEntry: true, Options: j.options}
	start.Warnings = buildWarnings(info)
	target := fmt.Sprintf("%s of %s", prepare.Show(j.Request, core), prepare.Show(j.Request, j.target))
	return a.planStart(j, start, planParts{target: target, modules: j.sources(info)})
}

// planAttach is for a program that runs on this machine.
func (a *adapter) planAttach(j job) (*adapters.Plan, error) {
	if j.PID <= 0 {
		return nil, fault.New(fault.MissingParam, "pid is missing: which process is to be debugged?").WithField("pid").
			WithHint(`for example {"mode":"attach","pid":1234}`)
	}
	if err := prepare.Signallable(j.PID); err != nil {
		return nil, err
	}
	start := wire.Start{Mode: "attach", PID: j.PID, StopOnEntry: j.StopOnEntry, Options: j.options}
	p := planParts{target: fmt.Sprintf("process %d", j.PID)}
	program := fmt.Sprintf("/proc/%d/exe", j.PID)
	info, err := serve.BuildInfo(program)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission):
		// No such process, not ours, or a system without /proc: Delve will say.
	case err != nil:
		return nil, fault.New(fault.InvalidTarget, "process %d is not a Go program: %w", j.PID, err).WithField("pid").
			WithHint("give the pid of a running program that was built by Go")
	default:
		if err := needDebugInfo(program, p.target); err != nil {
			return nil, err
		}
		p.modules = j.sources(info)
		start.Warnings = buildWarnings(info)
		if why := process.Replaced(j.PID); why != "" {
			start.Warnings = append(start.Warnings, why)
		}
		if path, err := os.Readlink(program); err == nil {
			p.target = fmt.Sprintf("%s (process %d)", prepare.Show(j.Request, path), j.PID)
		}
	}
	return a.planStart(j, start, p)
}

// binary reads the build information of the target.
func (j job) binary() (*buildinfo.BuildInfo, error) {
	switch {
	case j.target == "":
		return nil, fault.New(fault.MissingParam, "target is missing: which binary is it?").WithField("target").
			WithHint(`for example {"mode":%q,"target":"./app"}`, j.Mode)
	case !prepare.Exists(j.target):
		return nil, j.noSuchTarget()
	case prepare.IsDir(j.target) || filepath.Ext(j.target) == ".go":
		return nil, fault.New(fault.InvalidTarget, "%s is not a binary", prepare.Show(j.Request, j.target)).WithField("target").
			WithHint("mode %s wants an executable built by Go; mode launch builds one from source", j.Mode)
	}
	info, err := serve.BuildInfo(j.target)
	if err != nil {
		return nil, fault.New(fault.InvalidTarget, "%s is not an executable built by Go: %w", prepare.Show(j.Request, j.target), err).
			WithField("target").WithHint("give a binary that go build has made, or source with mode launch")
	}
	return info, needDebugInfo(j.target, prepare.Show(j.Request, j.target))
}

// needDebugInfo refuses a program in which nothing can be seen: without its
// debug information Delve finds not even the goroutines.
func needDebugInfo(program, shown string) error {
	if hasDebugInfo(program) {
		return nil
	}
	return fault.New(fault.InvalidTarget, "%s is stripped of its debug information (-ldflags=-s or -w): nothing can be seen in it", shown).
		WithField("target").WithHint("build it without these flags, best with -gcflags='all=-N -l'")
}

// buildWarnings say what of the program cannot be seen because of how it was built.
func buildWarnings(info *buildinfo.BuildInfo) []string {
	var warnings []string
	if !strings.Contains(buildSetting(info, "-gcflags"), "-N") {
		warnings = append(warnings, "the binary is optimized: variables may be missing or wrong, lines may be skipped or inlined; build with -gcflags='all=-N -l' to see everything")
	}
	return warnings
}

func buildSetting(info *buildinfo.BuildInfo, key string) string {
	i := slices.IndexFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == key })
	if i < 0 {
		return ""
	}
	return info.Settings[i].Value
}

// moduleRoots are the directories whose code is the user's own.
func moduleRoots(dir string) []string {
	var roots []string
	for _, root := range []string{moduleRoot(dir), workRoot(dir)} {
		if root != "" && !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	if len(roots) == 0 {
		roots = []string{dir}
	}
	return roots
}
