// Package project says what projects of Python are: their files, environments, programs
// and tests.
package project

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters/debugpy/project/pytestini"
	"aidb-mcp/adapters/debugpy/project/virtualenv"
	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/text/pattern"
)

// Support is what is known of projects of Python.
var Support = workspace.Support{
	Name:    "python",
	Sources: map[string]string{".py": "python", ".pyw": "python"},
	Builds: map[string]workspace.Build{
		"pyproject.toml": {Kind: "Python project", Language: "python"}, "setup.py": {Kind: "Python project", Language: "python"},
		"setup.cfg":        {Kind: "Python project", Language: "python"},
		"requirements.txt": {Kind: "Python requirements", Language: "python"}, "Pipfile": {Kind: "Python requirements", Language: "python"},
	},
	Framework:  framework,
	Made:       []string{"pyvenv.cfg"},
	DebugPorts: []int{5678},
	DebugWords: pattern.New(`debugpy\b.*?--listen[ =](?:\S*:)?(\d+)`),
	Detect: func(look *workspace.Look) workspace.Detector {
		s := &scan{Look: look, py: pythonScan{django: map[string]bool{}, configs: map[string]pytestini.Config{}}}
		return workspace.Detector{
			Environment: s.environment, IsMade: s.isEnvironment, FailedIn: s.failedIn, Look: s.python,
			Finish: s.decide, Installed: s.pythonPrograms, LastRuns: s.lastRuns,
		}
	},
}

// scan is one look at a workspace.
type scan struct {
	*workspace.Look
	py pythonScan
}

// framework is the one that a file configures.
func framework(name string) string {
	switch plain := strings.TrimPrefix(name, "."); {
	case plain == "pytest.ini" || plain == "pytest.toml" || name == "conftest.py":
		return "pytest"
	case name == "tox.ini":
		return "tox"
	}
	return ""
}

// isEnvironment notes the environment that a directory is by its entries.
func (s *scan) isEnvironment(dir workspace.Directory) bool {
	return (dir.Has("pyvenv.cfg") || dir.Holds("conda-meta")) && s.environment(dir.Rel)
}

// script adds a program; of scripts that lie beside each other some are called as the
// program of a project is.
func (s *scan) script(p workspace.Program) {
	name, ext := path.Base(p.Target), path.Ext(p.Target)
	p.Unnamed = ext == ".py" && !slices.Contains([]string{"main", "app", "server", "cli", "run"}, strings.TrimSuffix(name, ext))
	s.AddProgram(p)
}

// environment notes the Python environment that a directory is, whatever it is called.
func (s *scan) environment(rel string) bool {
	e, ok := virtualenv.At(s.Abs(rel))
	if ok {
		interpreter := ""
		if found := e.Interpreter(); found != "" {
			interpreter = rel + filepath.ToSlash(strings.TrimPrefix(found, e.Dir))
		}
		s.Project.Environments = append(s.Project.Environments, pythonEnvironment(e, rel, interpreter))
	}
	return ok
}

// pythonEnvironment names who made an environment, but for the one that everybody has.
func pythonEnvironment(e virtualenv.Environment, at, interpreter string) workspace.Environment {
	found := workspace.Environment{Language: "python", Path: at, Interpreter: interpreter}
	if e.Manager != "venv" {
		found.Name = e.Manager
	}
	return found
}

// namedEnvironments notes those that the files of a directory name and that lie elsewhere.
func (s *scan) namedEnvironments(dir workspace.Directory) {
	for _, e := range virtualenv.Named(s.Abs(dir.Rel), os.Getenv) {
		s.Project.Environments = append(s.Project.Environments, pythonEnvironment(e, e.Dir, e.Interpreter()))
	}
}
