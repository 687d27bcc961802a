package debugpy

import (
	"fmt"
	"os/exec"
	"path/filepath"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/debugpy/project/virtualenv"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
)

// interpreter finds the Python that runs the program: what the user says, the
// environment that the request activates, the project's own, the one that is
// active here, the version that the project asks for, and at last that of PATH.
func (j *job) interpreter(beside string) (string, error) {
	if j.RuntimePath != "" {
		return j.givenInterpreter()
	}
	if dir := j.Env["VIRTUAL_ENV"]; dir != "" {
		return environmentInterpreter(j.Request, dir)
	}
	dirs := j.parentDirs(beside)
	for _, find := range []func(string) []virtualenv.Environment{virtualenv.In, j.namedEnvironments} {
		for _, dir := range dirs {
			if found := find(dir); len(found) > 0 {
				return environmentInterpreter(j.Request, found[0].Dir)
			}
		}
	}
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if path := executable(prepare.Lookup(j.env, name)); path != "" {
			return path, nil
		}
	}
	for _, dir := range dirs {
		if e, ok := virtualenv.Version(dir, j.getenv); ok {
			return e.Interpreter(), nil
		}
	}
	for _, name := range []string{"python3", "python"} {
		if path, err := exec.LookPath(name); err == nil {
			return filepath.Abs(path)
		}
	}
	return "", fault.New(fault.SessionStart, "no Python interpreter was found: neither a virtual environment in the workspace nor python3 in PATH").
		WithHint("install Python 3.8 or newer, or give runtime_path, for example {\"runtime_path\":\"/opt/python/bin/python3\"}")
}

// givenInterpreter is runtime_path: an interpreter, or the directory of an environment.
func (j *job) givenInterpreter() (string, error) {
	path := prepare.Locate(j.Request, j.RuntimePath)
	if !prepare.Exists(path) {
		if found, err := exec.LookPath(j.RuntimePath); err == nil {
			return filepath.Abs(found)
		}
		return "", fault.New(fault.InvalidParam, "there is no Python interpreter at %s", prepare.Show(j.Request, path)).WithField("runtime_path").
			WithHint("give the path of a python executable or of a virtual environment; without runtime_path one is looked for")
	}
	if prepare.IsDir(path) {
		inside := executable(path)
		if inside == "" {
			return "", fault.New(fault.InvalidParam, "%s is a directory without a Python interpreter in it", prepare.Show(j.Request, path)).
				WithField("runtime_path").WithHint("give the path of a python executable, for example %s", filepath.Join(path, virtualenv.Names()[0]))
		}
		return inside, nil
	}
	return path, nil
}

// parentDirs are the directories from the program's own up to the workspace.
func (j *job) parentDirs(beside string) (dirs []string) {
	top := prepare.Physical(j.Workspace)
	if beside == "" || !prepare.Inside(top, beside) {
		beside = top
	}
	for dir := beside; dir != "" && prepare.Inside(top, dir); dir = filepath.Dir(dir) {
		dirs = append(dirs, dir)
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return dirs
}

func (j *job) namedEnvironments(dir string) []virtualenv.Environment {
	return virtualenv.Named(dir, j.getenv)
}

func (j *job) getenv(name string) string { return prepare.Lookup(j.env, name) }

// environmentInterpreter is the interpreter of a virtual environment; its link is not
// followed, for the path is what makes it one.
func environmentInterpreter(r adapters.Request, dir string) (string, error) {
	if path := executable(dir); path != "" {
		return path, nil
	}
	return "", fault.New(fault.SessionStart, "the virtual environment %s is broken: it has no working %s", prepare.Show(r, dir), virtualenv.Names()[0]).
		WithHint("make it anew with `python3 -m venv %s`, or choose an interpreter with runtime_path", dir)
}

// executable is the interpreter in an environment's directory, empty when there is none.
func executable(dir string) string {
	if dir == "" {
		return ""
	}
	return virtualenv.Environment{Dir: dir}.Interpreter()
}

// formatVersion writes a version for people.
func formatVersion(v []int) string {
	if len(v) < 3 {
		return "of an unknown version"
	}
	return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2])
}
