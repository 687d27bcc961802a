package build

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
)

// testProgram is a program with tests, of C++.
type testProgram struct {
	program   string
	framework *framework // nil when it is built with none that is known
	tests     []string   // the framework's, by their whole names
}

// testTree is where a test is looked for.
type testTree struct {
	programs   []testProgram
	registered []registered
	where      string
	root       string // of the user's code
}

// buildTest builds what holds the tests, and finds the named one among those of
// the frameworks and those that the build tool knows.
func (j *job) buildTest(ctx context.Context, s site) (Product, error) {
	var t testTree
	var err error
	var warnings []string
	switch s.tool {
	case cmake, meson:
		t, warnings, err = j.treeTests(ctx, s)
	case nothing:
		t = testTree{programs: []testProgram{{program: s.file}}, where: prepare.Show(j.Request, s.file), root: j.workspaceOr(s.dir)}
	default:
		var p Product
		if s.tool == makefile {
			p, err = j.buildMake(ctx, s)
		} else {
			p, err = j.buildSingle(ctx, s)
		}
		t = testTree{programs: []testProgram{{program: p.Program}}, where: p.Target, root: s.dir}
	}
	if err != nil {
		return Product{}, err
	}
	for i := range t.programs {
		t.programs[i] = j.tell(ctx, t.programs[i])
	}
	p, err := j.findTest(t)
	p.Modules, p.Warnings = []string{t.root}, warnings
	return p, err
}

// treeTests builds the named program, those that a file is part of, or all.
func (j *job) treeTests(ctx context.Context, s site) (testTree, []string, error) {
	t, release, err := j.openTree(ctx, s)
	if err != nil {
		return testTree{}, nil, err
	}
	defer release()
	var chosen []executable
	if s.file != "" && s.name == "" {
		chosen = t.executablesWith(s.file)
	} else if s.name != "" {
		e, err := j.chooseExecutable(t, s)
		if err != nil {
			return testTree{}, nil, err
		}
		chosen = []executable{*e}
	}
	if err := j.buildTargets(ctx, t, chosen...); err != nil {
		return testTree{}, nil, err
	}
	list := chosen
	if len(list) == 0 {
		list = t.executables
	}
	found := testTree{where: prepare.Show(j.Request, t.source), root: t.source}
	for _, e := range list {
		if prepare.IsFile(e.program) {
			found.programs = append(found.programs, testProgram{program: e.program})
		}
	}
	found.registered, err = j.registeredTests(ctx, t)
	if len(chosen) > 0 { // their programs' only
		found.where = chosen[0].name
		found.registered = slices.DeleteFunc(found.registered, func(r registered) bool {
			return len(r.command) == 0 || !slices.ContainsFunc(chosen, func(e executable) bool { return e.program == filepath.Clean(r.command[0]) })
		})
	}
	return found, t.warnings(), err
}

// findTest picks the program and the arguments that run the named test.
func (j *job) findTest(t testTree) (Product, error) {
	known := slices.DeleteFunc(slices.Clone(t.programs), func(p testProgram) bool { return len(p.tests) == 0 })
	if len(known) == 0 && len(t.registered) == 0 {
		return Product{}, fault.New(fault.InvalidTarget, "%s has no tests that are known here: neither GoogleTest's, Catch2's, doctest's nor the build's own", t.where).WithField("target").
			WithHint("run the program itself with mode launch or exec, and give its arguments in args")
	}
	if j.Test == "" {
		return j.allTests(t, known)
	}
	for _, p := range known {
		filter, several := p.framework.find(j.Test, p.tests)
		if len(several) > 0 {
			return Product{}, ambiguous("test", fmt.Sprintf("%d tests are called %s", len(several), j.Test), several)
		}
		if filter != "" {
			return j.product(t, p, filter)
		}
	}
	for _, c := range t.registered {
		if c.name == j.Test && len(c.command) > 0 {
			return j.registeredProduct(c)
		}
	}
	var all []string
	ends := map[string]string{}
	for _, p := range known {
		for _, name := range p.tests {
			all = append(all, name)
			ends[lastPart(plainName(name))] = name
		}
	}
	for _, c := range t.registered {
		if !slices.Contains(all, c.name) {
			all = append(all, c.name)
		}
	}
	return Product{}, noSuchTest(j.Test, t.where, all, ends)
}

// allTests runs every test of the one test program there is.
func (j *job) allTests(t testTree, known []testProgram) (Product, error) {
	switch {
	case len(known) == 1:
		return j.product(t, known[0], "")
	case len(known) == 0 && len(t.registered) == 1:
		return j.registeredProduct(t.registered[0])
	}
	var names []string
	for _, p := range known {
		names = append(names, fmt.Sprintf("%s (%d tests)", filepath.Base(p.program), len(p.tests)))
	}
	example := ""
	for _, p := range known {
		example = cmp.Or(example, p.tests[0])
	}
	for _, c := range t.registered {
		if len(known) == 0 {
			names = append(names, c.name)
		}
		example = cmp.Or(example, c.name)
	}
	f := ambiguous("test", fmt.Sprintf("%s has several test programs, and a session debugs one", t.where), names)
	return Product{}, f.WithHint("name a test, for example {\"test\":%q}, or a test program as module: %s", example, strings.Join(names[:min(len(names), 12)], ", "))
}

// product is what runs a filter, in the place and with the environment that the
// build tool would give the test.
func (j *job) product(t testTree, p testProgram, filter string) (Product, error) {
	product := Product{
		Program: p.program, Args: append(p.framework.args(filter), j.Args...), Entry: p.framework.entry(filter),
		Target: fmt.Sprintf("test %s of %s", strings.ReplaceAll(filter, "\n", sections), filepath.Base(p.program)),
	}
	if filter == "" {
		product.Target = "tests of " + filepath.Base(p.program)
	}
	dir := j.workspaceOr(filepath.Dir(p.program))
	for _, c := range t.registered {
		if len(c.command) > 0 && filepath.Clean(c.command[0]) == p.program && (c.name == filter || len(c.command) == 1 || filter == "") {
			dir, product.Env = cmp.Or(c.dir, dir), c.env
			break
		}
	}
	var err error
	product.Dir, err = j.workdir(dir)
	return product, err
}

// registeredProduct runs what the build tool would.
func (j *job) registeredProduct(c registered) (Product, error) {
	if !prepare.IsFile(c.command[0]) || !isProgram(c.command[0]) {
		return Product{}, fault.New(fault.InvalidTarget, "the test %s runs %s, which is no program to debug", c.name, j.show(c.command[0])).WithField("test").
			WithHint("give the program that it runs, with mode exec and args")
	}
	dir, err := j.workdir(cmp.Or(c.dir, filepath.Dir(c.command[0])))
	return Product{
		Program: c.command[0], Args: append(slices.Clone(c.command[1:]), j.Args...), Dir: dir, Env: c.env, Entry: "main",
		Target: fmt.Sprintf("test %s", c.name),
	}, err
}
