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
	t, err := a.toRecord(ctx, r)
	if err != nil {
		return nil, err
	}
	woven, release, err := a.woven(ctx, t, w, progress)
	if err != nil {
		return nil, err
	}
	recorded, err := a.record(t, w, woven, release)
	if err != nil {
		release()
	}
	return recorded, err
}

// toRecord is what is built to be recorded.
type toRecord struct {
	job
	request adapters.Request
	code    code
	test    testFunction
}

func (a *adapter) toRecord(ctx context.Context, r adapters.Request) (t toRecord, err error) {
	t.request = r
	if t.job, err = understand(r); err != nil {
		return t, err
	}
	if t.Mode != adapters.Launch && t.Mode != adapters.Test {
		return t, fault.New(fault.NotSupported, "only what is built from source can be recorded").WithField("mode").
			WithHint("give the package or the test in place of what was built of it")
	}
	t.code, t.test, err = a.locateTarget(ctx, t.job)
	return t, err
}

func (a *adapter) record(t toRecord, w recording.Spec, woven wovenProgram, release func()) (*adapters.Recorded, error) {
	dir, err := a.Root.MakeScratch("rec-")
	if err != nil {
		return nil, err
	}
	plan, err := a.planBuilt(t.job, t.code, t.test, builtProgram{program: woven.program}, nil)
	if thin := weave.Thin(w); err == nil && thin != nil {
		err = os.WriteFile(filepath.Join(dir, recording.Thinned), thin, 0o600)
	}
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	start := plan.Arguments.(wire.Start)
	return &adapters.Recorded{
		Spec: process.Spec{
			Name: "the program", Path: start.Program, Args: start.Args, Dir: start.Cwd,
			Env: prepare.Overlay(t.env, map[string]string{recording.Variable: dir}), Log: a.Log,
		},
		Records: dir, Target: plan.Target, How: "in the program, by statements woven into it as it was built",
		Warnings: append(plan.Warnings, woven.remarks...),
		Close:    func() { plan.Close(); release(); _ = os.RemoveAll(dir) },
	}, nil
}

// wovenProgram is a program with the recorder in it.
type wovenProgram struct {
	builtProgram
	remarks []string
}

// weaveProgram builds one in a directory. A file that cannot be built so is left as it is.
func (a *adapter) weaveProgram(ctx context.Context, t toRecord, w recording.Spec, dir string, progress func(string)) (wovenProgram, error) {
	if progress != nil {
		progress("building " + describe(t.job, prepare.Show(t.Request, t.code.dir)))
	}
	flags := slices.DeleteFunc(slices.Clone(t.BuildArgs), func(arg string) bool { return strings.TrimLeft(arg, "-") == "race" })
	p := weave.Program{Dir: t.code.from, Args: t.code.args, Env: t.env, Flags: listFlags(flags), Tests: t.Mode == adapters.Test, Spec: w}
	var remarks []string
	if len(flags) < len(t.BuildArgs) {
		remarks = append(remarks, "it was built without -race, which would take the recorder for a race")
	}
	for {
		woven, err := weave.Weave(ctx, p, dir)
		if errors.Is(err, weave.ErrBroken) {
			err = cmp.Or(a.builds(ctx, t.request, progress), err)
		}
		if err != nil {
			return wovenProgram{}, err
		}
		again := t.job
		again.BuildArgs = append(append([]string{"-ldflags=-w"}, flags...), "-overlay="+woven.Overlay)
		if !woven.HasC { // else C would be compiled again, which takes longer than what is won
			again.BuildArgs = append(again.BuildArgs, "-gcflags=all=")
		}
		b, err := a.build(ctx, again, t.code)
		if err == nil {
			return wovenProgram{b, append(remarks, woven.Remarks...)}, nil
		}
		bad := t.misfits(err, p.Skip)
		if len(bad) == 0 {
			return wovenProgram{}, err
		}
		if plain := a.builds(ctx, t.request, progress); plain != nil {
			return wovenProgram{}, plain
		}
		p.Skip = append(p.Skip, bad...)
		for _, name := range bad {
			remarks = append(remarks, "nothing is noted in "+prepare.Show(t.Request, name)+": it cannot be built with the recorder in it")
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
