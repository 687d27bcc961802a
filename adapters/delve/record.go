package delve

import (
	"context"
	"os"
	"slices"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/weave"
	"aidb-mcp/adapters/delve/wire"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/process"
	"aidb-mcp/internal/recording"
)

// Record builds the program with the recorder woven into it and runs it by itself.
func (a *adapter) Record(ctx context.Context, r adapters.Request, w recording.Wish, progress func(string)) (*adapters.Recorded, error) {
	j, err := understand(r)
	if err != nil {
		return nil, err
	}
	if j.Mode != adapters.Launch && j.Mode != adapters.Test {
		return nil, fault.New(fault.NotSupported, "only what is built from source can be recorded").WithField("mode").
			WithHint("give the package or the test in place of what was built of it")
	}
	c, err := j.locateCode(a.importDir(ctx, j))
	if err != nil {
		return nil, err
	}
	if j.Mode == adapters.Test {
		if c, _, err = j.needTest(c); err != nil {
			return nil, err
		}
	}
	dir, err := a.Root.Scratch("rec-")
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	recorded, err := a.record(ctx, r, j, c, w, dir, progress)
	if err != nil {
		_ = os.RemoveAll(dir)
	}
	return recorded, err
}

func (a *adapter) record(ctx context.Context, r adapters.Request, j job, c code, w recording.Wish, dir string, progress func(string)) (*adapters.Recorded, error) {
	overlay, remarks, err := weave.Weave(ctx, weave.Program{
		Dir: c.from, Args: c.args, Env: j.env, Flags: listFlags(j.BuildArgs), Tests: j.Mode == adapters.Test, Wish: w,
	}, dir)
	if err != nil {
		return nil, err
	}
	r.BuildArgs = append(slices.Clone(r.BuildArgs), "-gcflags=all=", "-overlay="+overlay)
	plan, err := a.Plan(ctx, r, progress)
	if err != nil {
		return nil, err
	}
	start := plan.Arguments.(wire.Start)
	return &adapters.Recorded{
		Spec: process.Spec{
			Name: "the program", Path: start.Program, Args: start.Args, Dir: start.Cwd,
			Env: prepare.Overlay(j.env, map[string]string{recording.Variable: dir}), Log: a.Log,
		},
		Records: dir, Target: plan.Target, How: "in the program, by statements woven into it as it was built",
		Warnings: append(plan.Warnings, remarks...),
		Close:    func() { plan.Close(); _ = os.RemoveAll(dir) },
	}, nil
}

// RecordsFrames is of [adapters.Recorder].
func (*adapter) RecordsFrames() bool { return false }
