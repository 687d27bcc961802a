package debugpy

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
)

// interpreter finds the Python that runs the program: what the user says, the
// environment that the request activates, the project's own, the one that is
// active here, and at last that of PATH.
func (j *job) interpreter(beside string) (string, error) {
	if j.RuntimePath != "" {
		return j.givenInterpreter()
	}
	if dir := j.Env["VIRTUAL_ENV"]; dir != "" {
		return ofEnvironment(j.Request, dir)
	}
	if found := j.environments(beside); len(found) > 0 {
		return ofEnvironment(j.Request, found[0])
	}
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if path := executable(prepare.Lookup(j.env, name)); path != "" {
			return path, nil
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
				WithField("runtime_path").WithHint("give the path of a python executable, for example %s", filepath.Join(path, inEnvironment()[0]))
		}
		return inside, nil
	}
	return path, nil
}

// environments are the virtual environments of the project, the nearest first:
// from the program's directory up to the workspace.
func (j *job) environments(beside string) []string {
	var found []string
	top := prepare.Physical(j.Workspace)
	if beside == "" || !prepare.Inside(top, beside) {
		beside = top
	}
	for dir := beside; dir != "" && prepare.Inside(top, dir); dir = filepath.Dir(dir) {
		found = append(found, environmentsIn(dir)...)
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return found
}

// environmentsIn are those of one directory, whatever they are called; first what
// they are called as a rule.
func environmentsIn(dir string) []string {
	entries, _ := os.ReadDir(dir) // what cannot be read has none
	var usual, others []string
	for _, e := range entries {
		at := filepath.Join(dir, e.Name())
		switch {
		case e.Type().IsRegular() || !prepare.Exists(filepath.Join(at, "pyvenv.cfg")):
		case slices.Contains(usualNames, e.Name()):
			usual = append(usual, at)
		default:
			others = append(others, at)
		}
	}
	return append(usual, others...)
}

// usualNames are in the order of the alphabet, as directories are read.
var usualNames = []string{".venv", "venv"}

// ofEnvironment is the interpreter of a virtual environment; its link is not
// followed, for the path is what makes it one.
func ofEnvironment(r adapters.Request, dir string) (string, error) {
	if path := executable(dir); path != "" {
		return path, nil
	}
	return "", fault.New(fault.SessionStart, "the virtual environment %s is broken: it has no working %s", prepare.Show(r, dir), inEnvironment()[0]).
		WithHint("make it anew with `python3 -m venv %s`, or choose an interpreter with runtime_path", dir)
}

// executable is the interpreter in an environment's directory, empty when there is none.
func executable(dir string) string {
	if dir == "" {
		return ""
	}
	for _, name := range inEnvironment() {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return path
		}
	}
	return ""
}

func inEnvironment() []string {
	if runtime.GOOS == "windows" {
		return []string{`Scripts\python.exe`, "python.exe"}
	}
	return []string{"bin/python", "bin/python3"}
}

// shownVersion is a version for people.
func shownVersion(v []int) string {
	if len(v) < 3 {
		return "of an unknown version"
	}
	return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2])
}
