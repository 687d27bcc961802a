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
	programs []testProgram
	ctests   []ctest
	where    string
	root     string // of the user's code
}

// buildTest builds what holds the tests, and finds the named one among those of
// the frameworks and CTest's.
func (j *job) buildTest(ctx context.Context, s site) (Product, error) {
	var t testTree
	var err error
	var warnings []string
	switch s.tool {
	case cmake:
		t, warnings, err = j.cmakeTests(ctx, s)
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

// cmakeTests builds the named target, the one that a file is part of, or all.
func (j *job) cmakeTests(ctx context.Context, s site) (testTree, []string, error) {
	t, release, err := j.openTree(ctx, s)
	if err != nil {
		return testTree{}, nil, err
	}
	defer release()
	list, names := t.executables, []string(nil)
	if s.name != "" || s.file != "" {
		e, err := j.chooseExecutable(t, s)
		if err != nil {
			return testTree{}, nil, err
		}
		if e != nil {
			list, names = []executable{*e}, []string{e.name}
		}
	}
	if err := j.cmakeBuild(ctx, t, names...); err != nil {
		return testTree{}, nil, err
	}
	found := testTree{where: prepare.Show(j.Request, t.source), root: t.source}
	for _, e := range list {
		if isFile(e.program) {
			found.programs = append(found.programs, testProgram{program: e.program})
		}
	}
	found.ctests, err = j.ctests(ctx, t)
	if len(names) > 0 { // one program's only
		found.where = names[0]
		found.ctests = slices.DeleteFunc(found.ctests, func(c ctest) bool {
			return len(c.Command) == 0 || filepath.Clean(c.Command[0]) != list[0].program
		})
	}
	return found, t.warnings(), err
}

// findTest picks the program and the arguments that run the named test.
func (j *job) findTest(t testTree) (Product, error) {
	known := slices.DeleteFunc(slices.Clone(t.programs), func(p testProgram) bool { return len(p.tests) == 0 })
	if len(known) == 0 && len(t.ctests) == 0 {
		return Product{}, fault.New(fault.InvalidTarget, "%s has no tests that are known here: neither GoogleTest's, Catch2's, doctest's nor CTest's", t.where).WithField("target").
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
	for _, c := range t.ctests {
		if c.Name == j.Test && len(c.Command) > 0 {
			return j.ctestProduct(c)
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
	for _, c := range t.ctests {
		if !slices.Contains(all, c.Name) {
			all = append(all, c.Name)
		}
	}
	return Product{}, noSuchTest(j.Test, t.where, all, ends)
}

// allTests runs every test of the one test program there is.
func (j *job) allTests(t testTree, known []testProgram) (Product, error) {
	switch {
	case len(known) == 1:
		return j.product(t, known[0], "")
	case len(known) == 0 && len(t.ctests) == 1:
		return j.ctestProduct(t.ctests[0])
	}
	var names []string
	for _, p := range known {
		names = append(names, fmt.Sprintf("%s (%d tests)", filepath.Base(p.program), len(p.tests)))
	}
	example := ""
	for _, p := range known {
		example = cmp.Or(example, p.tests[0])
	}
	for _, c := range t.ctests {
		if len(known) == 0 {
			names = append(names, c.Name)
		}
		example = cmp.Or(example, c.Name)
	}
	f := ambiguous("test", fmt.Sprintf("%s has several test programs, and a session debugs one", t.where), names)
	return Product{}, f.WithHint("name a test, for example {\"test\":%q}, or a test program as module: %s", example, strings.Join(names[:min(len(names), 12)], ", "))
}

// product is what runs a filter, in the place and with the environment that CTest
// would give the test.
func (j *job) product(t testTree, p testProgram, filter string) (Product, error) {
	product := Product{
		Program: p.program, Args: append(p.framework.args(filter), j.Args...), Entry: p.framework.entry(filter),
		Target: fmt.Sprintf("test %s of %s", strings.ReplaceAll(filter, "\n", sections), filepath.Base(p.program)),
	}
	if filter == "" {
		product.Target = "tests of " + filepath.Base(p.program)
	}
	dir := j.workspaceOr(filepath.Dir(p.program))
	for _, c := range t.ctests {
		if len(c.Command) > 0 && filepath.Clean(c.Command[0]) == p.program && (c.Name == filter || len(c.Command) == 1 || filter == "") {
			dir, product.Env = cmp.Or(c.directory(), dir), c.environment()
			break
		}
	}
	var err error
	product.Dir, err = j.workdir(dir)
	return product, err
}

// ctestProduct runs what CTest would.
func (j *job) ctestProduct(c ctest) (Product, error) {
	if !isFile(c.Command[0]) || !isProgram(c.Command[0]) {
		return Product{}, fault.New(fault.InvalidTarget, "the test %s runs %s, which is no program to debug", c.Name, j.show(c.Command[0])).WithField("test").
			WithHint("give the program that it runs, with mode exec and args")
	}
	dir, err := j.workdir(cmp.Or(c.directory(), filepath.Dir(c.Command[0])))
	return Product{
		Program: c.Command[0], Args: append(slices.Clone(c.Command[1:]), j.Args...), Dir: dir, Env: c.environment(), Entry: "main",
		Target: fmt.Sprintf("test %s (CTest)", c.Name),
	}, err
}
