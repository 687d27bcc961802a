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
	"aidb-mcp/adapters/delve/left"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/system/process"
)

// leaving is how a program notes what it leaves running at its end.
type leaving struct {
	left.Program
	dir    string // of what it notes; empty: it notes nothing
	unseen string // why it does not, although that was asked for
	env    map[string]string
}

// Read is what the program has noted until now.
func (l *leaving) Read() adapters.Left {
	if l.dir == "" {
		return adapters.Left{Unseen: []string{l.unseen}}
	}
	return left.Read(l.dir, l.Program)
}

func (l *leaving) close() {
	if l == nil {
		return
	}
	l.Lines.Close()
	if l.dir != "" {
		_ = os.RemoveAll(l.dir)
	}
}

// buildLeaving builds a program that notes what it leaves, where that is asked for: else, and
// where it cannot be built so, the program as it is.
func (a *adapter) buildLeaving(ctx context.Context, j job, c code) (builtProgram, *leaving, error) {
	if j.Left == adapters.LeftUnasked || j.Left == adapters.LeftOfTests && j.Mode != adapters.Test {
		b, err := a.build(ctx, j, c)
		return b, nil, err
	}
	l, woven, err := a.weaveLeaving(ctx, &j, c)
	if err != nil {
		b, plain := a.build(ctx, j, c)
		return b, &leaving{unseen: "what is left running was not looked at: " + err.Error()}, plain
	}
	again := j
	again.BuildArgs = append(slices.Clone(j.BuildArgs), "-overlay="+woven.overlay)
	files := c
	if filepath.Ext(c.args[0]) == ".go" {
		files.args = append(slices.Clone(c.args), woven.added)
	}
	b, err := a.build(ctx, again, files)
	switch {
	case err == nil:
		l.Lines = left.OpenLines(b.program)
		return b, l, nil
	case ctx.Err() != nil || !isOurs(err):
		return b, nil, errors.Join(err, os.RemoveAll(l.dir))
	}
	_ = os.RemoveAll(l.dir)
	a.Log.Debug("build a program that notes what it leaves", "error", err)
	b, plain := a.build(ctx, j, c)
	return b, &leaving{unseen: "what is left running was not looked at: the program cannot be built with what looks"}, plain
}

// isOurs says that a build failed because of what we put into the program, or may have.
func isOurs(err error) bool {
	failed, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return false
	}
	found := failed.SourceErrors()
	return len(found) == 0 || slices.ContainsFunc(found, func(e fault.SourceError) bool { return strings.Contains(e.File, "aidb_left") })
}

type woven struct{ overlay, added string }

// weaveLeaving writes what is built into the program.
func (a *adapter) weaveLeaving(ctx context.Context, j *job, c code) (*leaving, woven, error) {
	if slices.ContainsFunc(append(strings.Fields(prepare.Lookup(j.env, "GOFLAGS")), j.BuildArgs...), func(arg string) bool { return strings.HasPrefix(strings.TrimLeft(arg, "-"), "overlay") }) {
		return nil, woven{}, errors.New("it is built with an overlay of its own")
	}
	p := left.Program{Dir: c.dir, Tests: j.Mode == adapters.Test}
	pkg, err := j.files(c.dir)
	if pkg == nil || err != nil && !isNoGo(err) && pkg.Name == "" {
		return nil, woven{}, errors.New("its files are not known")
	}
	p.Package = cmp.Or(pkg.Name, "main")
	if p.Tests {
		p.Package, p.Main = testPackage(pkg.Name, pkg.TestGoFiles, pkg.XTestGoFiles, c.dir)
	} else if filepath.Ext(c.args[0]) == ".go" {
		p.Package = packageName(c.args[0])
	}
	goCommand, err := j.goCommand()
	if err != nil {
		return nil, woven{}, err
	}
	root, _, err := process.Run(ctx, process.Spec{Name: "go env", Path: goCommand, Args: []string{"env", "GOROOT"}, Env: j.env, Dir: c.from, Log: a.Log})
	if err != nil {
		return nil, woven{}, err
	}
	p.Root = strings.TrimSpace(string(root))
	dir, err := a.Root.MakeScratch("left-")
	if err != nil {
		return nil, woven{}, err
	}
	overlay, added, err := left.Overlay(p, dir)
	if err != nil {
		return nil, woven{}, errors.Join(err, os.RemoveAll(dir))
	}
	debug, isSet := "", slices.ContainsFunc(j.env, func(pair string) bool { return strings.HasPrefix(pair, "GODEBUG=") })
	if isSet {
		debug = prepare.Lookup(j.env, "GODEBUG")
	}
	return &leaving{Program: p, dir: dir, env: left.Environment(dir, debug, isSet)}, woven{overlay, added}, nil
}

// testPackage is the name of the package that tests of a directory are in: of the one outside
// of what is tested, if there is no other; and whether one of its files has a TestMain.
func testPackage(name string, inside, outside []string, dir string) (pkg string, hasMain bool) {
	pkg = name
	if len(inside) == 0 && len(outside) > 0 {
		pkg = strings.TrimSuffix(name, "_test") + "_test"
	}
	for _, file := range slices.Concat(inside, outside) {
		text, _ := boundedfile.ReadText(filepath.Join(dir, file)) // what cannot be read is not built
		hasMain = hasMain || strings.Contains(string(text), "func TestMain(")
	}
	return pkg, hasMain
}
