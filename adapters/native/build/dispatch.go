package build

import (
	"cmp"
	"context"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
)

// build finds out what builds the target and lets it.
func (j *job) build(ctx context.Context) (Product, error) {
	s, err := j.locate()
	if err != nil {
		return Product{}, err
	}
	if err := j.sanitize(s); err != nil {
		return Product{}, err
	}
	testing := j.Mode == adapters.Test
	switch {
	case s.tool == cargo:
		return j.buildCargo(ctx, s, testing)
	case testing && s.tool == nothing && j.lang == Rust:
		return j.rustTestBinary(ctx, s)
	case testing && j.lang == Rust:
		return j.testSingle(ctx, s)
	case testing:
		return j.buildTest(ctx, s)
	case s.tool == cmake || s.tool == meson:
		return j.buildInTree(ctx, s)
	case s.tool == makefile:
		return j.buildMake(ctx, s)
	case s.tool == nothing:
		return j.ready(s)
	}
	return j.buildSingle(ctx, s)
}

// ready is for a binary that is there already.
func (j *job) ready(s site) (Product, error) {
	dir, err := j.workdir(j.workspaceOr(s.dir))
	return Product{
		Program: s.file, Args: j.Args, Dir: dir, Modules: []string{j.workspaceOr(s.dir)}, Entry: cmp.Or(RustMain(s.file), "main"),
		Target: prepare.Show(j.Request, s.file),
	}, err
}
