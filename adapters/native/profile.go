package native

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/native/build"
	"aidb-mcp/adapters/observe/profiler"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/profiling"
	"aidb-mcp/internal/system/process"
)

// profilingOf is how a running program is profiled.
func profilingOf(lang build.Language, modules []string) adapters.Profiling {
	return adapters.Profiling{Take: profiler.Language{Library: libraryOf(lang, modules)}.Take}
}

// libraryOf says which functions are not of the user's code.
func libraryOf(lang build.Language, modules []string) func(name, file string) bool {
	c := &common{lang: lang, modules: modules}
	return func(name, file string) bool {
		frame := godap.StackFrame{Name: name, Source: &godap.Source{Path: file}}
		if file != "" && !filepath.IsAbs(file) {
			frame.Source.Path = string(filepath.Separator) + file // where it was compiled is not known; not on this system
		}
		return lang == build.Rust && isRustLibrary(frame) || c.Internal(frame)
	}
}

// optimized is how a program that is one file is built to be measured: as it would be used.
var optimized = map[build.Language][]string{build.CPP: {"-O2"}, build.Rust: {"-Copt-level=2"}}

// isSource says that a target is one file of source.
func isSource(target string) bool {
	return slices.Contains([]string{".c", ".cc", ".cpp", ".cxx", ".rs"}, filepath.Ext(target))
}

// removeScratch removes what a build has left for a run.
func (a *adapter) removeScratch(dir string) {
	if dir == "" {
		return
	}
	if err := os.RemoveAll(dir); err != nil {
		a.Log.Warn("a scratch directory stays", "dir", filepath.Base(dir), "error", err)
	}
}

// Profile plans a run under the profiler.
func (a *adapter) Profile(ctx context.Context, r adapters.Request, w profiling.Spec, progress func(string)) (*adapters.ProfiledRun, error) {
	j := &job{Request: r, adapter: a, lang: a.lang, measured: true}
	if err := prepare.Options(r.Options, &j.options, a.Info().Name, optionsExample); err != nil {
		return nil, err
	}
	j.Mode = build.Infer(r, a.lang)
	if j.Mode == adapters.Attach || j.Mode == adapters.RemoteAttach || j.Mode == adapters.Core {
		return nil, fault.New(fault.NotSupported, "only a program that is started has a run of its own").WithField("mode").
			WithHint("give target or test; a program that runs is profiled in a session")
	}
	if len(r.BuildArgs) == 0 && isSource(r.Target) {
		j.BuildArgs = optimized[a.lang]
	}
	p, err := j.program(ctx, progress)
	if err != nil {
		return nil, err
	}
	run, err := profiler.Language{Library: libraryOf(a.lang, p.modules)}.Run(process.Spec{
		Name: "the program", Path: p.path, Args: p.args, Dir: p.dir, Env: p.env, Log: a.Log,
	}, w, func() { a.removeScratch(p.scratch) })
	if err != nil {
		return nil, err
	}
	run.Target, run.Warnings = p.target, append(p.warnings, run.Warnings...)
	if j.isSlowCargo() {
		run.Warnings = append(run.Warnings, `it was built without optimization, as cargo builds for debugging: where it spends time as it is used, start {"build_args":["--release"]} tells`)
	}
	return run, nil
}

// isSlowCargo says that cargo builds the program without optimization.
func (j *job) isSlowCargo() bool {
	isOptimised := slices.ContainsFunc(j.BuildArgs, func(arg string) bool {
		return arg == "--release" || arg == "-r" || strings.HasPrefix(arg, "--profile") || strings.Contains(arg, "opt-level")
	})
	return j.lang == build.Rust && j.Mode != adapters.Exec && !isOptimised
}
