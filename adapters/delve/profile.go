package delve

import (
	"context"
	"os"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/gosrc"
	"aidb-mcp/adapters/delve/wire"
	"aidb-mcp/adapters/observe/profiler"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/profiling"
	"aidb-mcp/internal/system/process"
)

// goProgram is how programs of Go are profiled.
var goProgram = profiler.Language{IsGo: true, Library: gosrc.Library}

// profilingOf is how a running program of Go is profiled.
func profilingOf() adapters.Profiling {
	return adapters.Profiling{Take: goProgram.Take, Standing: []profiling.What{profiling.Memory, profiling.Waits}}
}

// Profile plans a run under the profiler, built as it is built to be used.
func (a *adapter) Profile(ctx context.Context, r adapters.Request, w profiling.Spec, progress func(string)) (*adapters.ProfiledRun, error) {
	j, err := understand(r)
	if err != nil {
		return nil, err
	}
	remove := func() {}
	switch j.Mode {
	case adapters.Launch, adapters.Test:
		r.BuildArgs = append(slices.Clone(r.BuildArgs), "-gcflags=all=")
		if w.What == profiling.Memory && j.Mode == adapters.Launch {
			if r.BuildArgs, remove, err = a.buildKeeping(ctx, j, r.BuildArgs); err != nil {
				return nil, err
			}
		}
	case adapters.Exec:
	default:
		return nil, fault.New(fault.NotSupported, "only a program that is started has a run of its own").WithField("mode").
			WithHint("give target or test; a program that runs is profiled in a session")
	}
	plan, err := a.Plan(ctx, r, progress)
	if err != nil {
		remove()
		return nil, err
	}
	start, env := plan.Arguments.(wire.Start), prepare.Overlay(j.env, nil)
	if w.What == profiling.Memory {
		env = withMemoryRate(env)
	}
	run, err := goProgram.Run(process.Spec{
		Name: "the program", Path: start.Program, Args: start.Args, Dir: start.Cwd, Env: env, Log: a.Log,
	}, w, func() { plan.Close(); remove() })
	if err != nil {
		return nil, err
	}
	run.Target, run.Warnings = plan.Target, append(plan.Warnings, run.Warnings...)
	if w.What == profiling.Memory && slices.Contains(env, often) {
		run.Warnings = append(run.Warnings, "it ran with "+often+", so that garbage was collected often: it took more time than it would")
	}
	return run, nil
}

// buildKeeping are the arguments of a build whose program keeps a profile of its memory, and
// what removes what that takes.
func (a *adapter) buildKeeping(ctx context.Context, j job, args []string) (keeping []string, remove func(), err error) {
	none := func() {}
	if slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(strings.TrimLeft(arg, "-"), "overlay") }) {
		return args, none, nil // it may keep one as it is
	}
	c, err := j.locateCode(a.importDir(ctx, j))
	if err != nil {
		return nil, none, err
	}
	dir, err := a.Root.MakeScratch("profile-")
	if err != nil {
		return nil, none, err
	}
	remove = func() { _ = os.RemoveAll(dir) } // what stays goes with the server's folder
	overlay, err := j.keepsMemory(c, dir)
	if err != nil {
		remove()
		return nil, none, fault.New(fault.SessionStart, "the program cannot be built so that it keeps a profile of its memory: %w", err)
	}
	return append(args, "-overlay="+overlay), remove, nil
}
