package project

import (
	"path"
	"slices"
	"strings"

	"aidb-mcp/adapters/debugpy/project/pysrc"
	"aidb-mcp/adapters/debugpy/project/pytestini"
	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/text/pattern"
)

var (
	// what a file does when it is run: its main part, or a call at its top that runs something
	pyMain      = pattern.New(`(?m)^(?:if\s+__name__\s*==\s*['"]__main__['"]\s*:|(?:asyncio|anyio|trio|uvicorn|app)\.run\(|(?:sys\.exit|raise SystemExit)\(main\(|main\(\))`)
	pyDocstring = pattern.New(`^(?:\s*#[^\n]*\n)*\s*(?:"""|''')\s*([^\n"']+)`)
	// [project.scripts] shop = "shop.cli:main", and Poetry's
	pyScripts  = pattern.New(`(?ms)^\[(?:project\.scripts|tool\.poetry\.scripts)\]\s*\n(.*?)(?:^\[|\z)`)
	pyScript   = pattern.New(`(?m)^\s*["']?([\w.-]+)["']?\s*=\s*["']([\w.]+)(?::[\w.]+)?["']`)
	pyRelative = pattern.New(`(?m)^\s*from\s+\.`)
)

// pythonScan is what is noted of Python on the way, until it can be judged.
type pythonScan struct {
	pytest  bool                         // some file of the project wants pytest
	configs map[string]pytestini.Config  // of pytest, by the directories that have one
	manages []string                     // directories with a manage.py
	django  map[string]bool              // test files that import Django
	caches  []string                     // directories in which pytest has kept its results
	failed  map[string]workspace.Results // what those say, by the directory
	scripts []commandLine
}

// commandLine is a command that a project has, and the module that it runs.
type commandLine struct {
	dir, name, module string
}

// python looks for scripts with a main part, packages that can be run, servers, and tests.
func (s *scan) python(dir workspace.Directory) {
	s.pythonProject(dir)
	var loose looseScripts
	for _, name := range dir.Files(".py", ".pyw") {
		rel := workspace.Join(dir.Rel, name)
		if slices.Contains([]string{"conftest.py", "setup.py", "versioneer.py", "noxfile.py"}, name) {
			continue
		}
		text := s.Read(rel)
		loose.imports(text)
		switch {
		case s.pythonTests(dir, rel, text):
		case name == "manage.py" && strings.Contains(text, "execute_from_command_line"):
			s.manage(dir, rel, text)
		case s.webApp(dir, rel, text):
		case name == "__init__.py": // of what may be run it has only a server
		case name == "__main__.py" && dir.Rel != ".":
			s.script(workspace.Program{Language: "python", Path: dir.Rel, Target: dir.Rel, File: rel, Line: 1, Doc: pythonDoc(text)})
		default:
			p := workspace.Program{Language: "python", Path: dir.Rel, Target: rel, File: rel, Line: workspace.LineOf(pyMain, text), Doc: pythonDoc(text), Changed: s.Changed(rel)}
			if p.Line > 0 {
				s.pythonScript(p, text)
			} else if p.Line = pysrc.Acts(text); p.Line > 0 && !dir.Has("__init__.py") {
				loose.scripts = append(loose.scripts, pythonFile{p, text})
			}
		}
	}
	s.looseScripts(loose)
}

// pythonProject reads what a directory's project files say of commands and of tests.
func (s *scan) pythonProject(dir workspace.Directory) {
	if slices.ContainsFunc([]string{"pyproject.toml", "Pipfile", "environment.yml", "environment.yaml", ".python-version"}, dir.Has) {
		s.namedEnvironments(dir)
	}
	s.pytestConfig(dir)
	for _, e := range dir.Entries {
		name := e.Name()
		switch {
		case name == ".pytest_cache":
			s.py.caches = append(s.py.caches, dir.Rel)
		case e.IsDir():
		case name == "pyproject.toml":
			text := s.Read(workspace.Join(dir.Rel, name))
			s.py.pytest = s.py.pytest || strings.Contains(text, "pytest")
			for _, table := range pyScripts.FindAllStringSubmatch(text, -1) {
				for _, m := range pyScript.FindAllStringSubmatch(table[1], -1) {
					s.py.scripts = append(s.py.scripts, commandLine{dir.Rel, m[1], m[2]})
				}
			}
		case name == "setup.cfg", name == "tox.ini", name == "Pipfile",
			strings.Contains(name, "requirements") && strings.HasSuffix(name, ".txt"):
			s.py.pytest = s.py.pytest || strings.Contains(s.Read(workspace.Join(dir.Rel, name)), "pytest")
		case name == "conftest.py":
			s.py.pytest = true
		}
	}
}

func pythonDoc(text string) string {
	if m := pyDocstring.FindStringSubmatch(text); m != nil {
		return workspace.Sentence(m[1])
	}
	return ""
}

// manage is a project of Django: what its manage.py serves.
func (s *scan) manage(dir workspace.Directory, rel, text string) {
	s.py.manages = append(s.py.manages, dir.Rel)
	p := workspace.Program{
		Language: "python", Framework: "Django", Path: dir.Rel, Target: rel, Args: []string{"runserver", "--noreload", "0"},
		File: rel, Line: max(1, workspace.LineOf(pyMain, text)), Doc: pythonDoc(text), Serves: true,
	}
	if dir.Rel != "." {
		p.Cwd = dir.Rel
	}
	s.script(p)
}

// pythonPrograms marks those programs that the project's commands run. A command whose
// module does nothing when it is run itself is started as an environment has it installed.
func (s *scan) pythonPrograms() {
	for _, c := range s.py.scripts {
		file := strings.ReplaceAll(c.module, ".", "/")
		top, _, _ := strings.Cut(file, "/")
		var files []string
		for _, dir := range []string{c.dir, workspace.Join(c.dir, "src")} {
			files = append(files, workspace.Join(dir, file+".py"), workspace.Join(dir, file+"/__main__.py"), workspace.Join(dir, top+"/__main__.py"))
		}
		found := false
		for i := range s.Project.Programs {
			if p := &s.Project.Programs[i]; p.Language == "python" && slices.Contains(files, p.File) {
				p.Usual, found = true, true
			}
		}
		if !found {
			s.addInstalled(c)
		}
	}
}

// addInstalled adds a command of the project's in one of its environments.
func (s *scan) addInstalled(c commandLine) {
	for _, e := range s.Project.Environments {
		if e.Language != "python" {
			continue
		}
		at := path.Join(e.Path, "bin", c.name)
		if !path.IsAbs(at) && s.Exists(at) || path.IsAbs(at) && workspace.IsFile(at) {
			s.script(workspace.Program{Language: "python", Path: c.dir, Target: at, File: at, Line: 1, Usual: true})
			return
		}
	}
}

// pythonModule is the directory from which a file is imported, and its dotted name
// there: the packages that it lies in have an __init__.py, but the innermost may do
// without where the file imports its neighbours from it.
func (s *scan) pythonModule(rel, text string) (root, module string) {
	root = path.Dir(rel)
	name := strings.TrimSuffix(path.Base(rel), ".py")
	names := []string{name}
	if name == "__init__" {
		names = nil
	}
	own := root != "." && (pyRelative.MatchString(text) || strings.Contains(text, "from "+path.Base(root)+".") || strings.Contains(text, "import "+path.Base(root)+"."))
	for root != "." && (own || s.Exists(workspace.Join(root, "__init__.py"))) {
		names = append([]string{path.Base(root)}, names...)
		root, own = path.Dir(root), false
	}
	return root, strings.Join(names, ".")
}

// pythonHome is the nearest directory above that has a project's file; the root of
// the workspace where none has.
func (s *scan) pythonHome(dir string) string {
	for ; dir != "."; dir = path.Dir(dir) {
		for _, name := range []string{"pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile"} {
			if s.Exists(workspace.Join(dir, name)) {
				return dir
			}
		}
	}
	return "."
}
