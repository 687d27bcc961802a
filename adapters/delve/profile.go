package delve

import (
	"context"
	"slices"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/gosrc"
	"aidb-mcp/adapters/delve/wire"
	"aidb-mcp/adapters/observe/profiler"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/profiling"
	"aidb-mcp/internal/system/process"
)

// profiling is how a running program of Go is profiled.
func profilingOf() adapters.Profiling {
	return adapters.Profiling{
		Take: func(ctx context.Context, p adapters.Profiled, w profiling.Wish) (*profiling.Profile, error) {
			return profiler.Take(ctx, p, w, gosrc.Library)
		},
	}
}

// Profile plans a run under the profiler, built as it is built to be used.
func (a *adapter) Profile(ctx context.Context, r adapters.Request, w profiling.Wish, progress func(string)) (*adapters.ProfiledRun, error) {
	j, err := understand(r)
	if err != nil {
		return nil, err
	}
	switch j.Mode {
	case adapters.Launch, adapters.Test:
		r.BuildArgs = append(slices.Clone(r.BuildArgs), "-gcflags=all=")
	case adapters.Exec:
	default:
		return nil, fault.New(fault.NotSupported, "only a program that is started has a run of its own").WithField("mode").
			WithHint("give target or test; a program that runs is profiled in a session")
	}
	plan, err := a.Plan(ctx, r, progress)
	if err != nil {
		return nil, err
	}
	start := plan.Arguments.(wire.Start)
	run, err := profiler.Run(process.Spec{
		Name: "the program", Path: start.Program, Args: start.Args, Dir: start.Cwd, Env: prepare.Overlay(j.env, nil), Log: a.Log,
	}, w, gosrc.Library, plan.Close)
	if err != nil {
		return nil, err
	}
	run.Target, run.Warnings = plan.Target, append(plan.Warnings, run.Warnings...)
	return run, nil
}
