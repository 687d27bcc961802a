package build

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
)

// cargoTest builds the tests that the request may mean and finds the one that
// it does mean.
func (j *job) cargoTest(ctx context.Context, cargo string, m *metadata, s site) (Product, error) {
	manifest, flags, err := j.testScope(m, s)
	if err != nil {
		return Product{}, err
	}
	j.progress("building the tests of " + j.show(manifest))
	made, linked, err := j.runCargo(ctx, cargo, manifest, append([]string{"test", "--no-run"}, flags...))
	if err != nil {
		return Product{}, err
	}
	made = slices.DeleteFunc(made, func(a artifact) bool { return !a.Profile.Test })
	var suites []suite
	for _, a := range made {
		c := chosen{cargoTarget: a.Target}
		suites = append(suites, suite{program: a.Executable, label: c.String(), crate: crateName(a.Target.Name), dir: filepath.Dir(a.Manifest), artifact: a})
	}
	slices.SortFunc(suites, func(a, b suite) int { // the library first
		return cmp.Or(-cmp.Compare(boolInt(a.artifact.Target.kind() == "lib"), boolInt(b.artifact.Target.kind() == "lib")), cmp.Compare(a.label, b.label))
	})
	where := prepare.Show(j.Request, filepath.Dir(manifest))
	chosen, err := j.chooseTest(ctx, suites, where, m)
	if err != nil {
		return Product{}, err
	}
	p, err := j.testProduct(chosen)
	p.Modules = []string{m.Root}
	p.Env = j.cargoEnvironment(m, chosen.suite.artifact, linked)
	p.Warnings = j.cargoWarnings()
	return p, err
}

// testScope says which tests are to be built: those of the file's target, of the
// named target or package, else all of the package.
func (j *job) testScope(m *metadata, s site) (manifest string, flags []string, err error) {
	testable := []string{"lib", "bin", "test", "example", "bench"}
	if s.file != "" {
		for _, c := range targets(m.Packages, testable...) {
			if prepare.Physical(c.Source) == prepare.Physical(s.file) {
				return c.pkg.Manifest, c.flags(), nil
			}
		}
		p := m.owner(s.file)
		return p.Manifest, p.moduleFlags(s.file), nil
	}
	if s.name == "" {
		return filepath.Join(s.dir, "Cargo.toml"), nil, nil
	}
	for _, p := range m.Packages {
		if p.Name == s.name {
			return p.Manifest, nil, nil
		}
	}
	all := targets(m.Packages, testable...)
	for _, c := range all {
		if c.Name == s.name {
			return c.pkg.Manifest, c.flags(), nil
		}
	}
	names := namesOf(all)
	return "", nil, unknownTarget(s.name, prepare.Show(j.Request, s.dir), names, source.Closest(s.name, names, 3))
}

// moduleFlags choose the targets of a package that a file can be a module of: those
// whose source lies nearest above it. None choose all.
func (p cargoPackage) moduleFlags(file string) (flags []string) {
	nearest := ""
	for _, t := range p.Targets {
		dir := filepath.Dir(t.Source)
		if t.kind() == "custom-build" || dir == p.dir() || !prepare.Inside(dir, prepare.Physical(file)) || len(dir) < len(nearest) {
			continue
		}
		if len(dir) > len(nearest) {
			nearest, flags = dir, nil
		}
		flag := t.flags()
		if t.kind() == "bin" { // by their names those would be demanded whose features are off
			flag = []string{"--bins"}
		}
		if !slices.Contains(flags, flag[0]) || len(flag) > 1 {
			flags = append(flags, flag...)
		}
	}
	return flags
}

// testSingle is for the tests in a file that belongs to no package.
func (j *job) testSingle(ctx context.Context, s site) (Product, error) {
	j.BuildArgs = append([]string{"--test"}, j.BuildArgs...)
	p, err := j.buildSingle(ctx, s)
	if err != nil {
		return Product{}, err
	}
	return j.rustTests(ctx, p.Program, crateName(stem(s.file)), p.Dir)
}

// rustTestBinary is for a test binary that was built already.
func (j *job) rustTestBinary(ctx context.Context, s site) (Product, error) {
	crate, _, _ := strings.Cut(stem(s.file), "-") // shop-0123456789abcdef
	return j.rustTests(ctx, s.file, crate, j.workspaceOr(s.dir))
}

func (j *job) rustTests(ctx context.Context, program, crate, dir string) (Product, error) {
	one := suite{program: program, label: filepath.Base(program), crate: crate, dir: dir}
	chosen, err := j.chooseTest(ctx, []suite{one}, one.label, nil)
	if err != nil {
		return Product{}, err
	}
	p, err := j.testProduct(chosen)
	p.Modules = []string{j.workspaceOr(dir)}
	return p, err
}

// suite is one test binary of Rust's own test harness.
type suite struct {
	program, label, crate, dir string
	artifact                   artifact
	tests                      []string
}

// choice is what of a suite is to run.
type choice struct {
	suite  suite
	module string   // of the tests, when several are meant
	tests  []string // by their whole names; none for all
}

// chooseTest lists the tests of all suites and finds the named one: by its
// whole path, by its end, with the crate's name before it, or, for a module,
// all that is in it. The metadata, where there is any, knows where else to look.
func (j *job) chooseTest(ctx context.Context, suites []suite, where string, m *metadata) (choice, error) {
	filled := suites[:0:0]
	for _, s := range suites {
		if s.tests = j.listRustTests(ctx, s); len(s.tests) > 0 {
			filled = append(filled, s)
		}
	}
	if len(filled) == 0 {
		return choice{}, fault.New(fault.InvalidTarget, "%s has no tests", where).WithField("target").
			WithHint(`run the program instead: {"target":%q,"mode":"launch"}`, cmp.Or(j.Target, "."))
	}
	if j.Test == "" {
		if len(filled) == 1 {
			return choice{suite: filled[0]}, nil
		}
		var labels []string
		for _, s := range filled {
			labels = append(labels, fmt.Sprintf("%s (%d tests)", s.label, len(s.tests)))
		}
		f := ambiguous("test", fmt.Sprintf("%s has %d test programs, and a session debugs one", where, len(filled)), labels)
		return choice{}, f.WithHint("name a test, for example {\"test\":%q}, or a test program as module: %s", filled[0].tests[0], strings.Join(labels, ", "))
	}
	for _, matches := range []func(s suite, name string) bool{
		func(_ suite, name string) bool { return name == j.Test },
		func(s suite, name string) bool { return s.crate+"::"+name == j.Test },
		func(_ suite, name string) bool { return strings.HasSuffix(name, "::"+j.Test) },
	} {
		found, names := findChoices(filled, matches)
		switch {
		case len(found) == 1:
			return found[0], nil
		case len(found) > 1 && j.sameModule(found):
			return found[0], nil
		case len(found) > 1:
			return choice{}, ambiguous("test", fmt.Sprintf("%d tests are called %s", len(found), j.Test), names)
		}
	}
	switch found, labels := j.module(filled); len(found) {
	case 0:
		return choice{}, j.unknownRustTest(where, filled, m)
	case 1:
		return found[0], nil
	default:
		f := ambiguous("test", fmt.Sprintf("%d test programs have a module %s, and a session debugs one", len(found), j.Test), labels)
		return choice{}, f.WithHint("name one of the tests, or choose the program by module: %s", strings.Join(labels, ", "))
	}
}

// sameModule says whether tests are one, in a file that was named and that is a module
// of several targets: of the library and of a program, as a rule.
func (j *job) sameModule(found []choice) bool {
	path := prepare.Locate(j.Request, j.Target)
	return isSource(path, Rust) && !slices.ContainsFunc(found, func(c choice) bool {
		return c.tests[0] != found[0].tests[0] || prepare.Physical(c.suite.artifact.Target.Source) == prepare.Physical(path) ||
			c.suite.artifact.Manifest != found[0].suite.artifact.Manifest
	})
}

// module finds the tests of the named module: by its whole path, or by the end of that.
func (j *job) module(suites []suite) (found []choice, labels []string) {
	for _, s := range suites {
		name := strings.TrimSuffix(strings.TrimPrefix(j.Test, s.crate+"::"), "::")
		inside := func(within func(string) bool) (tests []string) {
			for _, test := range s.tests {
				if within(test) {
					tests = append(tests, test)
				}
			}
			return tests
		}
		tests := inside(func(test string) bool { return strings.HasPrefix(test, name+"::") })
		if len(tests) == 0 {
			tests = inside(func(test string) bool { return strings.Contains(test, "::"+name+"::") })
		}
		if len(tests) > 0 {
			found = append(found, choice{s, name, tests})
			labels = append(labels, s.label)
		}
	}
	return found, labels
}

func findChoices(suites []suite, matches func(suite, string) bool) (found []choice, names []string) {
	for _, s := range suites {
		for _, name := range s.tests {
			if matches(s, name) {
				found = append(found, choice{suite: s, tests: []string{name}})
				names = append(names, s.crate+"::"+name)
			}
		}
	}
	return found, names
}

// noSuchTest is the error for a test that is not there; ends are short names
// with the whole ones.
func noSuchTest(test, where string, all []string, ends map[string]string) error {
	f := fault.NoTest("there is no test %s in %s", test, where)
	like := source.Closest(test, all, 3)
	var short []string
	for end := range ends {
		short = append(short, end)
	}
	slices.Sort(short)
	for _, end := range source.Closest(lastPart(test), short, 3) {
		if full := ends[end]; !slices.Contains(like, full) && len(like) < 3 {
			like = append(like, full)
		}
	}
	if len(like) > 0 {
		return prepare.Suggest(f, like)
	}
	shown := all[:min(len(all), 20)]
	return f.WithHint("its tests are %s", strings.Join(shown, ", ")).WithDetails(prepare.Candidates{Candidates: shown})
}

// lastPart is what stands after the last "::" or ".".
func lastPart(name string) string { return name[strings.LastIndexAny(name, ":.")+1:] }

// listRustTests asks a test binary for its tests; one with a harness of its own
// may not answer, and has none for us.
func (j *job) listRustTests(ctx context.Context, s suite) []string {
	ctx, cancel := context.WithTimeout(ctx, listLimit)
	defer cancel()
	out, _, failed, err := j.run(ctx, command{
		name: "listing tests", path: s.program, dir: s.dir, args: []string{"--list", "--format=terse"},
		env: j.libraryEnvironment(s.program),
	})
	if err != nil || failed {
		return nil
	}
	var tests []string
	for line := range strings.Lines(out) {
		if name, ok := strings.CutSuffix(strings.TrimSpace(line), ": test"); ok {
			tests = append(tests, name)
		}
	}
	return tests
}

// libraryEnvironment lets a program that was built with shared Rust libraries start.
func (j *job) libraryEnvironment(program string) map[string]string {
	beside := filepath.Dir(program)
	return map[string]string{"LD_LIBRARY_PATH": strings.Trim(
		strings.Join([]string{beside, filepath.Join(beside, "deps"), prepare.Lookup(j.env, "LD_LIBRARY_PATH")}, string(os.PathListSeparator)),
		string(os.PathListSeparator))}
}

// testProduct runs what is chosen, one test after the other, with its output as
// it comes; a test that is chosen alone also when it is marked to be ignored.
func (j *job) testProduct(c choice) (Product, error) {
	const mostNames = 500 // the command line holds them
	var args []string
	target, entry := "tests of "+c.suite.label, c.suite.crate+"::main"
	switch {
	case len(c.tests) == 0:
	case c.module == "":
		args = []string{c.tests[0], "--exact", "--include-ignored"}
		target, entry = "test "+c.tests[0]+" of "+c.suite.label, c.suite.crate+"::"+c.tests[0]
	case len(c.tests) <= mostNames:
		args = append(slices.Clone(c.tests), "--exact")
		target = "tests " + c.module + " of " + c.suite.label
	default:
		args = []string{c.module + "::"}
		target = "tests " + c.module + " of " + c.suite.label
	}
	args = append(append(args, "--test-threads=1", "--nocapture"), j.Args...)
	dir, err := j.workdir(c.suite.dir)
	return Product{Program: c.suite.program, Args: args, Dir: dir, Entry: entry, Target: target, Tests: true}, err
}
