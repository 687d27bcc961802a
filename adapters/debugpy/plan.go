package debugpy

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/debugpy/project/virtualenv"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
)

// Plan understands the request, asks the interpreter whether it could run the
// program, and answers how to start.
func (a *adapter) Plan(ctx context.Context, r adapters.Request, progress func(string)) (*adapters.Plan, error) {
	j, err := understand(r, a.Log)
	if err != nil {
		return nil, err
	}
	if progress == nil {
		progress = func(string) {}
	}
	if j.Mode == adapters.RemoteAttach {
		return a.planRemote(j)
	}
	if err := a.Store.Check(language, debugpy()); err != nil {
		return nil, err
	}
	if j.scratch, err = a.Root.Sockets("py-"); err != nil {
		return nil, err
	}
	if j.Mode == adapters.Attach {
		progress("looking at the interpreter")
		return a.planAttach(ctx, j)
	}
	plan, err := a.planStart(ctx, j, progress)
	if err != nil {
		return nil, err
	}
	if err := a.noteLeft(j, plan); err != nil || r.Record == nil {
		return plan, err
	}
	return plan, a.recordUnderDebugger(j, plan)
}

// planStart is for what we start ourselves, with or without the debugger.
func (a *adapter) planStart(ctx context.Context, j *job, progress func(string)) (*adapters.Plan, error) {
	progress("looking at the interpreter")
	if j.Mode == adapters.Test {
		return a.planTest(ctx, j)
	}
	if j.Module != "" && j.Target == "" {
		root, name := j.moduleRoot()
		j.Module = name
		return a.planModule(ctx, j, root)
	}
	return a.planScript(ctx, j)
}

// planScript is for a file, or a directory with a __main__.py.
func (a *adapter) planScript(ctx context.Context, j *job) (*adapters.Plan, error) {
	program, main, err := j.script()
	if err != nil {
		return nil, err
	}
	if root, name := packageOf(filepath.Dir(main)); program != main && name != "" {
		j.Module = name
		return a.planModule(ctx, j, root)
	}
	dir, err := prepare.Workdir(j.Request, filepath.Dir(main))
	if err != nil {
		return nil, err
	}
	path, err := j.interpreter(filepath.Dir(main))
	if err != nil {
		return nil, err
	}
	ask := question{Program: main}
	if filepath.Base(main) == manageScript {
		ask.Find = []string{"django"}
	}
	py, err := j.ask(ctx, path, dir, ask)
	if err != nil {
		return nil, err
	}
	if py.Syntax != nil {
		return nil, j.syntaxFault(py.Syntax)
	}
	if err := j.needDjango(py, main); err != nil {
		return nil, err
	}
	args := j.launch(py, dir)
	args.Program, args.Args = program, j.Args
	return a.plan(j, py, args, started{target: prepare.Show(j.Request, program), dir: dir, beside: filepath.Dir(main)}), nil
}

// script is what the interpreter is given, and the file that it begins with.
func (j *job) script() (program, main string, err error) {
	switch {
	case j.Target == "":
		return "", "", j.noTarget()
	case !prepare.Exists(j.target):
		return "", "", j.noSuchTarget()
	case !prepare.IsDir(j.target):
		return j.target, j.target, nil
	}
	main = filepath.Join(j.target, "__main__.py")
	if prepare.Exists(main) {
		return j.target, main, nil
	}
	f := fault.New(fault.InvalidTarget, "%s is a directory without a __main__.py", prepare.Show(j.Request, j.target)).WithField("target")
	if files := scripts(j.target); len(files) > 0 {
		return "", "", f.WithHint("give one of its files: %s; or a module", strings.Join(files[:min(len(files), 8)], ", ")).
			WithDetails(prepare.Candidates{Candidates: files[:min(len(files), 20)]})
	}
	return "", "", f.WithHint(`give a file ("target":"app.py") or a module ("module":"package.module")`)
}

// noSuchTarget names what is like it, else what there is.
func (j *job) noSuchTarget() error {
	f := prepare.Missing(j.Request, j.target)
	if f.Hint != "" {
		return f
	}
	if files := scripts(j.Workspace); len(files) > 0 {
		return f.WithHint("the workspace has %s", strings.Join(files[:min(len(files), 8)], ", ")).
			WithDetails(prepare.Candidates{Candidates: files[:min(len(files), 20)]})
	}
	return f.WithHint("give the path of a Python file, relative to the workspace or absolute")
}

func (j *job) noTarget() error {
	f := fault.New(fault.MissingParam, "target is missing: which program is to be debugged?").WithField("target")
	if files := scripts(j.Workspace); len(files) > 0 {
		return f.WithHint("the workspace has %s; a module is given as \"module\"", strings.Join(files[:min(len(files), 8)], ", ")).
			WithDetails(prepare.Candidates{Candidates: files[:min(len(files), 20)]})
	}
	return f.WithHint(`for example {"target":"app.py"} or {"module":"package.module"}`)
}

// scripts are the Python files of a directory.
func scripts(dir string) []string {
	var files []string
	for _, name := range prepare.Names(dir) {
		if filepath.Ext(name) == ".py" && name != "__init__.py" && name != "setup.py" && name != "conftest.py" {
			files = append(files, name)
		}
	}
	return files
}

// planModule is python -m, with root among the directories that modules are
// looked for in, where one is given.
func (a *adapter) planModule(ctx context.Context, j *job, root string) (*adapters.Plan, error) {
	dir, err := prepare.Workdir(j.Request, j.Workspace)
	if err != nil {
		return nil, err
	}
	path, err := j.interpreter(cmp.Or(root, dir))
	if err != nil {
		return nil, err
	}
	name := j.Module
	if root != "" && root != prepare.Physical(dir) {
		j.searchIn(root)
	}
	py, err := j.ask(ctx, path, dir, question{Module: name})
	if err != nil {
		return nil, err
	}
	if err := j.needModule(py, name, dir); err != nil {
		return nil, err
	}
	args := j.launch(py, dir)
	args.Module, args.Args = name, j.Args
	return a.plan(j, py, args, started{target: "module " + name, dir: dir, beside: cmp.Or(root, dir)}), nil
}

// moduleName reads a module as people write it: also as a path.
func moduleName(written string) string {
	if strings.HasSuffix(written, ".py") && strings.ContainsAny(written, `/\`) {
		written = strings.TrimSuffix(written, ".py")
	}
	written = strings.TrimPrefix(strings.TrimSuffix(filepath.ToSlash(written), "/"), "./")
	return strings.ReplaceAll(strings.TrimSuffix(written, "/__main__"), "/", ".")
}

// moduleRoot finds a module of the project that does not lie in the directory where
// the program runs: it is written as a path, or below src. The root is empty where
// the interpreter is to find it.
func (j *job) moduleRoot() (root, name string) {
	name = moduleName(j.Module)
	path := filepath.Join(j.Workspace, strings.ReplaceAll(name, ".", string(filepath.Separator)))
	if prepare.Exists(path) || prepare.Exists(path+".py") {
		if root, parent := packageOf(filepath.Dir(path)); strings.Contains(j.Module, "/") {
			return root, strings.TrimPrefix(parent+"."+filepath.Base(path), ".")
		}
		return "", name
	}
	src := filepath.Join(j.Workspace, "src")
	top, _, _ := strings.Cut(name, ".")
	if prepare.Exists(filepath.Join(src, top)) || prepare.Exists(filepath.Join(src, top+".py")) {
		return prepare.Physical(src), name
	}
	return "", name
}

// packageOf is the dotted name of the package that a directory is, and the
// directory that holds the outermost of its packages; the name is empty for one
// that is no package.
func packageOf(dir string) (root, name string) {
	root = prepare.Physical(dir)
	for prepare.Exists(filepath.Join(root, "__init__.py")) && root != filepath.Dir(root) {
		name = strings.TrimSuffix(filepath.Base(root)+"."+name, ".")
		root = filepath.Dir(root)
	}
	return root, name
}

// searchIn puts a directory at the front of those that modules are looked for in.
func (j *job) searchIn(root string) {
	paths := root
	if more := prepare.Lookup(j.env, "PYTHONPATH"); more != "" {
		paths += string(filepath.ListSeparator) + more
	}
	j.set["PYTHONPATH"] = paths
	j.env = prepare.Overlay(j.env, map[string]string{"PYTHONPATH": paths})
}

func (j *job) needModule(py *python, name, dir string) error {
	m := py.Module
	switch {
	case m == nil:
		return nil
	case m.Package:
		f := fault.New(fault.InvalidTarget, "the package %s cannot be run: it has no __main__", name).WithField("module")
		if len(m.Names) > 0 {
			return f.WithHint("its modules are %s; give one of them, like %s.%s", strings.Join(m.Names[:min(len(m.Names), 12)], ", "), name, m.Names[0])
		}
		return f.WithHint("give a module inside of it")
	case m.Missing != "":
		return j.noModule(py, m, dir)
	case py.Syntax != nil:
		return j.syntaxFault(py.Syntax)
	}
	return nil
}

// noModule names what is like the missing part among what lies beside it.
func (j *job) noModule(py *python, m *moduleFound, dir string) error {
	f := fault.New(fault.InvalidTarget, "%s finds no module %s in %s", prepare.Show(j.Request, py.Executable), m.Missing, prepare.Show(j.Request, dir)).
		WithField("module")
	parent, last := "", m.Missing
	if at := strings.LastIndexByte(m.Missing, '.'); at >= 0 {
		parent, last = m.Missing[:at+1], m.Missing[at+1:]
	}
	if like := source.Closest(last, m.Names, 3); len(like) > 0 {
		for i := range like {
			like[i] = parent + like[i]
		}
		return prepare.Suggest(f, like)
	}
	return f.WithHint("install it for this interpreter (%s), choose another one with runtime_path, or give the directory that holds it as cwd",
		virtualenv.Install(py.Executable, topPackage(m.Missing)))
}

// topPackage is the package that a module lies in, as a rule by the name that it is installed by.
func topPackage(module string) string {
	name, _, _ := strings.Cut(module, ".")
	return name
}

// launch are the arguments of every start.
func (j *job) launch(py *python, dir string) arguments {
	a := j.commonArguments()
	a.Cwd = dir
	a.Console = "integratedTerminal"
	a.Python = append([]string{py.Executable}, j.options.PythonArgs...)
	a.Env = map[string]string{}
	maps.Copy(a.Env, j.set)
	if _, said := j.set["PYTHONUNBUFFERED"]; !said { // what is printed is seen when it is printed
		a.Env["PYTHONUNBUFFERED"] = "1"
	}
	// What debugpy cannot do before it has connected is no word of the program's: it
	// would say that a module's package fails, which then fails under the debugger.
	a.Env["DEBUGPY_LOG_STDERR"] = ""
	if prepare.Lookup(j.env, "PYTHONIOENCODING") == "" {
		a.Env["PYTHONIOENCODING"] = "utf-8"
	}
	if j.Seed != 0 && prepare.Lookup(j.env, "PYTHONHASHSEED") == "" {
		a.Env["PYTHONHASHSEED"] = strconv.Itoa(int(j.Seed)) // sets of texts have the same order in a run that is made again
	}
	return a
}

// started is what the modes find out about the program.
type started struct {
	target string // for people
	dir    string // where it runs
	beside string // the directory of its first file
	tests  bool
}

// plan starts the adapter with the program's own interpreter.
func (a *adapter) plan(j *job, py *python, args arguments, s started) *adapters.Plan {
	d := &dialect{base: plainBase(), tests: s.tests, home: a.Store.Dir(component), searched: py.Path, scratch: j.scratch, follows: a.following(j), profiles: a}
	return &adapters.Plan{
		Mode:      j.Mode,
		Target:    s.target,
		Dir:       s.dir,
		Modules:   prepare.Roots(j.Request, s.beside),
		Open:      a.open(j, py),
		Request:   "launch",
		Arguments: args,
		Child:     j.joinChild,
		Dialect:   d, Capabilities: d.Capabilities(),
		Close: d.armed.Close,
	}
}
