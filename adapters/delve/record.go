package delve

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/weave"
	"aidb-mcp/adapters/delve/wire"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/system/process"
)

// Record builds the program with the recorder woven into it and runs it by itself.
func (a *adapter) Record(ctx context.Context, r adapters.Request, w recording.Spec, progress func(string)) (*adapters.Recorded, error) {
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

func (a *adapter) record(ctx context.Context, r adapters.Request, j job, c code, w recording.Spec, dir string, progress func(string)) (*adapters.Recorded, error) {
	plan, remarks, err := a.weaveProgram(ctx, r, j, c, w, dir, progress)
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

// weaveProgram builds the program with the recorder in it. A file that cannot be built so is
// left as it is.
func (a *adapter) weaveProgram(ctx context.Context, r adapters.Request, j job, c code, w recording.Spec, dir string, progress func(string)) (*adapters.Plan, []string, error) {
	flags := slices.DeleteFunc(slices.Clone(j.BuildArgs), func(arg string) bool { return strings.TrimLeft(arg, "-") == "race" })
	p := weave.Program{Dir: c.from, Args: c.args, Env: j.env, Flags: listFlags(flags), Tests: j.Mode == adapters.Test, Spec: w}
	if thin := p.Thin(); thin != nil {
		if err := os.WriteFile(filepath.Join(dir, recording.Thinned), thin, 0o600); err != nil {
			return nil, nil, err
		}
	}
	var remarks []string
	if len(flags) < len(j.BuildArgs) {
		remarks = append(remarks, "it was built without -race, which would take the recorder for a race")
	}
	for {
		woven, err := weave.Weave(ctx, p, dir)
		if errors.Is(err, weave.ErrBroken) {
			err = cmp.Or(a.builds(ctx, r, progress), err)
		}
		if err != nil {
			return nil, nil, err
		}
		again := r
		again.BuildArgs = append(append([]string{"-ldflags=-w"}, flags...), "-overlay="+woven.Overlay)
		if !woven.HasC { // else C would be compiled again, which takes longer than what is won
			again.BuildArgs = append(again.BuildArgs, "-gcflags=all=")
		}
		plan, err := a.Plan(ctx, again, progress)
		if err == nil {
			return plan, append(remarks, woven.Remarks...), nil
		}
		bad := j.misfits(err, p.Skip)
		if len(bad) == 0 {
			return nil, nil, err
		}
		if plain := a.builds(ctx, r, progress); plain != nil {
			return nil, nil, plain
		}
		p.Skip = append(p.Skip, bad...)
		for _, name := range bad {
			remarks = append(remarks, "nothing is noted in "+prepare.Show(j.Request, name)+": it cannot be built with the recorder in it")
		}
	}
}

// builds says why the program cannot be built as it is.
func (a *adapter) builds(ctx context.Context, r adapters.Request, progress func(string)) error {
	plan, err := a.Plan(ctx, r, progress)
	if err == nil {
		plan.Close()
	}
	return err
}

// misfits are the files that the compiler has complained about and that were not left
// out before.
func (j job) misfits(err error, known []string) (names []string) {
	var failed *fault.Error
	if !errors.As(err, &failed) {
		return nil
	}
	details, _ := failed.Details.(prepare.BuildDetails)
	for _, e := range details.Errors {
		name := prepare.Physical(prepare.Locate(j.Request, e.File))
		if !slices.Contains(known, name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
