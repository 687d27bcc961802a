package debugpy

import (
	"context"
	"path/filepath"
	"slices"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/debugpy/project/virtualenv"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
)

// planTest runs one test, a file of them or a directory, by pytest where the
// interpreter has it, else by unittest where that can run it.
func (a *adapter) planTest(ctx context.Context, j *job) (*adapters.Plan, error) {
	if j.Module != "" && !slices.Contains(testModules, j.Module) {
		return nil, fault.New(fault.InvalidParam, "tests are not run by the module %s", j.Module).WithField("module").
			WithHint("use pytest or unittest, or leave it out")
	}
	if j.target != "" && !prepare.Exists(j.target) {
		return nil, j.noSuchTarget()
	}
	t, dir, err := j.testAndDirectory(ctx)
	if err != nil {
		return nil, err
	}
	beside := t.file
	if !prepare.IsDir(beside) {
		beside = filepath.Dir(beside)
	}
	path, err := j.interpreter(beside)
	if err != nil {
		return nil, err
	}
	own := ownModules(filepath.Join(dir, "src"))
	ask := question{Find: append([]string{"pytest", "xdist", "pytest_cov", "pytest_django", "django"}, own...)}
	if !prepare.IsDir(t.file) {
		ask.Program = t.file
		ask.Find = append(ask.Find, moduleOf(dir, t.file))
	}
	py, err := j.ask(ctx, path, dir, ask)
	if err != nil {
		return nil, err
	}
	if py.Syntax != nil {
		return nil, j.syntaxFault(py.Syntax)
	}
	if slices.ContainsFunc(own, func(name string) bool { return !py.Found[name] }) { // they are not installed
		j.searchIn(filepath.Join(dir, "src"))
	}
	if j.usesUnittest(py, t) {
		if root, _ := packageOf(filepath.Dir(t.file)); root != dir && !prepare.IsDir(t.file) {
			j.searchIn(root) // as discovery does: tests may import what lies beside them
		}
	}
	args := j.launch(py, dir)
	if run, ok := j.django(py, t); ok {
		if err := run.needs(j, py); err != nil {
			return nil, err
		}
		if filepath.Base(run.script) != manageScript && run.dir != dir { // the tests may import what the project's directory has
			j.searchIn(dir)
			args = j.launch(py, dir)
		}
		args.Cwd, args.Program, args.Args = run.dir, run.script, run.command(j.Args, t)
		if run.script == "" {
			args.Module = "django"
		}
		plan := a.plan(j, py, args, started{target: t.describe(dir) + " by " + run.describe(), dir: run.dir, beside: run.dir, tests: true})
		if run.all {
			plan.Warnings = append(plan.Warnings, runnerScript+" takes no names of tests: it runs all that it knows")
		}
		return plan, nil
	}
	if args.Module, args.Args, err = j.testCommand(py, t, dir); err != nil {
		return nil, err
	}
	return a.plan(j, py, args, started{target: t.describe(dir) + " by " + args.Module, dir: dir, beside: dir, tests: true}), nil
}

// usesUnittest says that a test is run by unittest.
func (j *job) usesUnittest(py *python, t test) bool {
	return j.Module == "unittest" || !py.Found["pytest"] && t.isUnittest() && j.Module == ""
}

// testCommand chooses the framework and its arguments.
func (j *job) testCommand(py *python, t test, dir string) (module string, args []string, err error) {
	switch {
	case j.Module == "unittest" && t.def != nil && !t.isUnittest():
		return "", nil, fault.New(fault.InvalidParam, "%s is no test of unittest: it is in no TestCase", t.id(dir)).WithField("module").
			WithHint("run it by pytest: leave module out")
	case j.usesUnittest(py, t):
		return "unittest", j.unittestArgs(py, t, dir), nil
	case !py.Found["pytest"]:
		return "", nil, fault.New(fault.SessionStart, "pytest is not installed for %s", prepare.Show(j.Request, py.Executable)).
			WithHint("install it: %s; or choose another interpreter with runtime_path; tests in a TestCase run without it (module: unittest)",
				virtualenv.Install(py.Executable, "pytest"))
	}
	// Output is seen as it is printed; workers and coverage get in the debugger's way.
	args = []string{"-q", "-s"}
	if py.Found["xdist"] {
		args = append(args, "-n0")
	}
	if py.Found["pytest_cov"] {
		args = append(args, "--no-cov")
	}
	return "pytest", append(append(args, j.Args...), t.id(dir)), nil
}

// unittestArgs name a test by the folders that it lies in, unless one of them has the
// name of a package that comes first, as "test" of the standard library does: then by its
// file, whose folder is searched.
func (j *job) unittestArgs(py *python, t test, dir string) []string {
	if prepare.IsDir(t.file) {
		return append([]string{"discover", "-v", "-s", prepare.Below(dir, t.file)}, j.Args...)
	}
	if root, _ := packageOf(filepath.Dir(t.file)); root != dir && !py.Found[moduleOf(dir, t.file)] {
		dir = root
	}
	return append(append([]string{"-v"}, j.Args...), t.dottedName(dir))
}
