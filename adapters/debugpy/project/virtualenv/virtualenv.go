// Package virtualenv finds the Python environments of a project: those that lie in
// it, and those elsewhere that its files name, of Poetry, Pipenv, conda and pyenv.
//
// It only reads names and a few small files, and runs nothing.
package virtualenv

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"aidb-mcp/internal/system/boundedfile"
)

// Environment is a directory with an interpreter and its packages.
type Environment struct {
	Dir     string // absolute
	Manager string // what made it: "venv", "uv", "poetry", "pipenv", "conda", "pyenv"
}

// maxFile is the largest file that is read, in bytes.
const maxFile = 1 << 20

// At is the environment that a directory is.
func At(dir string) (Environment, bool) {
	if text := read(filepath.Join(dir, "pyvenv.cfg")); text != "" || exists(filepath.Join(dir, "pyvenv.cfg")) {
		switch {
		case strings.HasPrefix(text, "uv = ") || strings.Contains(text, "\nuv = "):
			return Environment{dir, "uv"}, true
		case exists(filepath.Join(filepath.Dir(dir), "poetry.lock")):
			return Environment{dir, "poetry"}, true
		}
		return Environment{dir, "venv"}, true
	}
	if exists(filepath.Join(dir, "conda-meta")) {
		return Environment{dir, "conda"}, true
	}
	return Environment{}, false
}

// Of is the environment that an interpreter belongs to.
func Of(interpreter string) (Environment, bool) {
	dir := filepath.Dir(interpreter)
	if base := filepath.Base(dir); base == "bin" || base == "Scripts" {
		dir = filepath.Dir(dir)
	}
	e, ok := At(dir)
	for _, known := range []string{"pypoetry", "virtualenvs"} {
		if ok && e.Manager == "venv" && strings.Contains(dir, string(filepath.Separator)+known+string(filepath.Separator)) {
			return Environment{dir, map[string]string{"pypoetry": "poetry", "virtualenvs": "pipenv"}[known]}, true
		}
	}
	return e, ok
}

// In lists the environments in a directory, whatever they are called; first what
// they are called as a rule.
func In(dir string) []Environment {
	entries, _ := os.ReadDir(dir) // what cannot be read has none
	var found []Environment
	for _, entry := range entries {
		at := filepath.Join(dir, entry.Name())
		if entry.Type().IsRegular() {
			continue
		}
		if e, ok := At(at); ok {
			found = append(found, e)
		} else if e, ok := At(filepath.Join(at, "envs", "default")); ok && entry.Name() == ".pixi" {
			found = append(found, e)
		}
	}
	slices.SortStableFunc(found, func(a, b Environment) int { return rank(a) - rank(b) })
	return found
}

func rank(e Environment) int {
	switch filepath.Base(e.Dir) {
	case ".venv":
		return 0
	case "venv":
		return 1
	}
	return 2
}

// Interpreter is the path of an environment's interpreter, empty when it has none.
// Its link is not followed, for the path is what makes it one.
func (e Environment) Interpreter() string {
	for _, name := range Names() {
		path := filepath.Join(e.Dir, name)
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return path
		}
	}
	return ""
}

// Names are where an environment may have its interpreter.
func Names() []string {
	if runtime.GOOS == "windows" {
		return []string{`Scripts\python.exe`, "python.exe"}
	}
	return []string{"bin/python", "bin/python3"}
}

// Install is the command that installs a package into the environment of an interpreter.
func Install(interpreter, name string) string {
	e, _ := Of(interpreter)
	switch e.Manager {
	case "uv":
		return "uv pip install --python " + interpreter + " " + name
	case "poetry":
		return "poetry add " + name
	case "pipenv":
		return "pipenv install " + name
	case "conda":
		return "conda install --prefix " + e.Dir + " " + name
	}
	return interpreter + " -m pip install " + name
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// read is the text of a small file, empty when there is none.
func read(path string) string {
	if !exists(path) {
		return ""
	}
	text, err := boundedfile.Read(path, maxFile)
	if err != nil {
		return ""
	}
	return string(text)
}
