package native

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/native/binary"
	"aidb-mcp/adapters/native/build"
	"aidb-mcp/adapters/observe/attach"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
)

// job is one request, understood as far as its mode.
type job struct {
	adapters.Request
	adapter  *adapter
	options  options
	debugger debugger
	lang     build.Language

	sanitizer build.Sanitizer // that is built into the program; empty: none
	measured  bool            // it is profiled, not debugged: it may be optimized
}

// program is what is to be debugged, however it came about.
type program struct {
	path     string // of the binary; empty where only the debugger can know it
	args     []string
	dir      string
	env      []string // complete; nil when it runs already
	pid      int
	root     string // of the process where its files are not ours, as in a container; its own lie below it
	core     string
	remote   string // host:port of a gdbserver
	modules  []string
	before   string // of the binary that was there before, for [adapters.Plan.Program]
	scratch  string
	entry    string
	target   string
	warnings []string

	tests     bool // it is Rust's own test harness
	sanitized bool // it has a sanitizer in it that must be told of the debugger
}

// Plan understands the request, builds the program when it is given as source,
// and answers how to start.
func (a *adapter) Plan(ctx context.Context, r adapters.Request, progress func(string)) (*adapters.Plan, error) {
	if attach.Wanted(r) {
		plan, err := attach.Plan(r, a.pausing())
		if err == nil {
			plan.Capabilities.Profiling = profilingOf(a.lang, nil)
		}
		return plan, err
	}
	j := &job{Request: r, adapter: a, lang: a.lang}
	if err := prepare.Options(r.Options, &j.options, a.Info().Name, optionsExample); err != nil {
		return nil, err
	}
	j.Mode = build.Infer(r, a.lang)
	j.sanitizer = sanitizerWays[r.Check].sanitizer
	var err error
	if j.debugger, err = a.choose(ctx, j.options, j.Mode); err != nil {
		return nil, err // before a long build
	}
	if err := j.refuseFollow(); err != nil {
		return nil, err
	}
	p, err := j.program(ctx, progress)
	if err != nil {
		return nil, err
	}
	return j.plan(p)
}

func (j *job) program(ctx context.Context, progress func(string)) (program, error) {
	switch j.Mode {
	case adapters.Exec:
		return j.planBinary()
	case adapters.Core:
		return j.core()
	case adapters.Attach:
		return j.planProcess()
	case adapters.RemoteAttach:
		return j.elsewhere()
	}
	p, err := build.Build(ctx, j.Request, j.lang, build.Options{Log: j.adapter.Log, Timeout: j.adapter.BuildTimeout, Root: j.adapter.Root, Cache: j.adapter.Builds, Within: j.adapter.Within, Known: j.adapter.Known, Sanitizer: j.sanitizer}, progress)
	if err != nil {
		return program{}, err
	}
	env, err := j.environment(p.Env)
	if err != nil {
		return program{}, err
	}
	b, err := binary.Inspect(p.Program)
	if err == nil {
		err = j.usable(b)
	}
	return program{
		path: p.Program, args: p.Args, dir: p.Dir, env: env, sanitized: b.Sanitized, modules: p.Modules, scratch: p.Scratch,
		entry: p.Entry, target: p.Target, warnings: p.Warnings, tests: p.Tests,
	}, err
}

// environment of the program: ours, what the build wants, what the user sets.
func (j *job) environment(below map[string]string) ([]string, error) {
	set, err := prepare.Variables(j.Request)
	if err != nil {
		return nil, err
	}
	return prepare.Overlay(prepare.Overlay(os.Environ(), below), set), nil
}

// planBinary takes a binary that is there already as it is.
func (j *job) planBinary() (program, error) {
	b, err := j.binary()
	if err != nil {
		return program{}, err
	}
	if info, err := os.Stat(b.Path); err == nil && info.Mode()&0o111 == 0 && b.Form != binary.Unknown {
		return program{}, fault.New(fault.InvalidTarget, "%s may not be run: it has no permission to execute", prepare.Show(j.Request, b.Path)).
			WithField("target").WithHint("chmod +x %s", b.Path)
	}
	dir, err := prepare.Workdir(j.Request, filepath.Dir(b.Path))
	if err != nil {
		return program{}, err
	}
	env, err := j.environment(nil)
	return program{
		path: b.Path, before: b.Path, args: j.Args, dir: dir, env: env, sanitized: b.Sanitized, modules: b.Roots(), entry: j.mainOf(b),
		target: prepare.Show(j.Request, b.Path), warnings: j.warnings(b),
	}, err
}

// mainOf is the function that the user would call the beginning.
func (j *job) mainOf(b binary.Binary) string {
	if j.lang == build.Rust {
		return rustMain(b)
	}
	return "main"
}

// core is for a core file and the binary that wrote it.
func (j *job) core() (program, error) {
	if j.CoreFile == "" {
		return program{}, fault.New(fault.MissingParam, "core_file is missing").WithField("core_file").
			WithHint(`give the core file and the binary that wrote it, for example {"target":"./app","core_file":"core.1234"}`)
	}
	path := prepare.Locate(j.Request, j.CoreFile)
	shown := prepare.Show(j.Request, path)
	c, err := binary.ReadCore(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return program{}, fault.New(fault.InvalidTarget, "there is no core file %s", shown).WithField("core_file").
			WithHint("look where the system puts core files (/proc/sys/kernel/core_pattern), or write one with gcore")
	case err != nil:
		return program{}, fault.New(fault.InvalidTarget, "%s cannot be used: %w", shown, err).WithField("core_file").
			WithHint("give the file that the system (or gcore) wrote when the program crashed")
	}
	if j.Target == "" && len(c.Programs) > 0 && prepare.Exists(c.Programs[0]) {
		j.Target = c.Programs[0]
	}
	b, err := j.binary()
	if err != nil {
		return program{}, err
	}
	if ok, writer := c.Wrote(b); !ok {
		return program{}, fault.New(fault.InvalidTarget, "%s was not written by %s but by %s", shown, prepare.Show(j.Request, b.Path), writer).
			WithField("target").WithHint("give the binary that crashed, exactly as it was built then; without target it is looked for by the name in the core file")
	}
	return program{
		path: b.Path, before: b.Path, core: path, modules: b.Roots(), warnings: j.warnings(b),
		target: fmt.Sprintf("%s of %s", shown, prepare.Show(j.Request, b.Path)),
	}, nil
}

// planProcess plans for a program that runs on this machine.
func (j *job) planProcess() (program, error) {
	if j.PID <= 0 {
		return program{}, fault.New(fault.MissingParam, "pid is missing: which process is to be debugged?").WithField("pid").
			WithHint(`for example {"mode":"attach","pid":1234}`)
	}
	p := program{pid: j.PID, target: fmt.Sprintf("process %d", j.PID)}
	if prepare.Exists("/proc/self") && !prepare.Exists(fmt.Sprintf("/proc/%d", j.PID)) {
		return p, fault.New(fault.InvalidParam, "there is no process %d", j.PID).WithField("pid").
			WithHint("look with ps or pgrep; processes end and their numbers are used again")
	}
	if err := prepare.Signallable(j.PID); err != nil {
		return p, err
	}
	path, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", j.PID))
	if err != nil {
		return p, nil // not ours, or a system without /proc: the debugger will say
	}
	path = strings.TrimSuffix(path, " (deleted)")
	if why := process.Replaced(j.PID); why != "" {
		p.warnings = append(p.warnings, why)
	}
	b, err := binary.Inspect(fmt.Sprintf("/proc/%d/exe", j.PID))
	if err != nil {
		return p, nil
	}
	if err := j.usable(b); err != nil {
		return p, err
	}
	if p.root = process.OtherRoot(j.PID); p.root != "" && process.Chroot(j.PID) == "" { // else that path is ours already
		path = filepath.Join(p.root, path)
	}
	p.path, p.modules, p.before = path, b.Roots(), fmt.Sprintf("/proc/%d/exe", j.PID)
	p.target = fmt.Sprintf("%s (process %d)", prepare.Show(j.Request, path), j.PID)
	p.warnings = append(p.warnings, j.warnings(b)...)
	return p, nil
}
