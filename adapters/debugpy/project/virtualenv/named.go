package virtualenv

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

var (
	projectName = pattern.New(`(?ms)^\[(?:project|tool\.poetry)\]\s*$.*?^name\s*=\s*["']([^"'\n]+)["']`)
	condaName   = pattern.New(`(?m)^name:\s*["']?([\w.-]+)["']?\s*$`)
	separators  = pattern.New(`[-_.]+`) // in a project's name they are all one
	poetrySpoil = pattern.New("[ $`!*@\"\\\\\r\n\t]")
	pipenvSpoil = pattern.New("[ &$`!*@\"()\\[\\]\\\\\r\n\t]")
)

// Getenv reads a variable of the environment.
type Getenv func(string) string

// Named lists the environments elsewhere that a directory's files name.
func Named(dir string, get Getenv) []Environment {
	found := append(poetry(dir, get), pipenv(dir, get)...)
	found = append(found, conda(dir, get)...)
	if e, ok := pyenv(dir, get); ok && exists(filepath.Join(e.Dir, "pyvenv.cfg")) {
		found = append(found, e)
	}
	return found
}

// Version is the interpreter of pyenv that a directory asks for, which has no
// environment of its own.
func Version(dir string, get Getenv) (Environment, bool) {
	e, ok := pyenv(dir, get)
	return e, ok && !exists(filepath.Join(e.Dir, "pyvenv.cfg"))
}

func homeDir(get Getenv) string {
	if dir := cmp.Or(get("HOME"), get("USERPROFILE")); dir != "" {
		return dir
	}
	dir, _ := os.UserHomeDir()
	return dir
}

// poetry names an environment by its project, by a digest of the project's place and
// by the version of Python.
func poetry(dir string, get Getenv) []Environment {
	text := read(filepath.Join(dir, "pyproject.toml"))
	if !strings.Contains(text, "poetry") && !exists(filepath.Join(dir, "poetry.lock")) {
		return nil
	}
	m := projectName.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	name := poetrySpoil.ReplaceAllString(separators.ReplaceAllString(strings.ToLower(m[1]), "-"), "_")
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil
	}
	sum := sha256.Sum256([]byte(real))
	base := name[:min(len(name), 42)] + "-" + base64.URLEncoding.EncodeToString(sum[:])[:8] + "-py"
	return newest(poetryDir(get), base, "poetry")
}

func poetryDir(get Getenv) string {
	if dir := get("POETRY_VIRTUALENVS_PATH"); dir != "" {
		return dir
	}
	cache := get("POETRY_CACHE_DIR")
	switch {
	case cache != "":
	case runtime.GOOS == "darwin":
		cache = filepath.Join(homeDir(get), "Library", "Caches", "pypoetry")
	case runtime.GOOS == "windows":
		cache = filepath.Join(get("LOCALAPPDATA"), "pypoetry", "Cache")
	default:
		cache = filepath.Join(cmp.Or(get("XDG_CACHE_HOME"), filepath.Join(homeDir(get), ".cache")), "pypoetry")
	}
	return filepath.Join(cache, "virtualenvs")
}

// pipenv names an environment by the directory and a digest of the Pipfile's place.
func pipenv(dir string, get Getenv) []Environment {
	if !exists(filepath.Join(dir, "Pipfile")) {
		return nil
	}
	return newest(cmp.Or(get("WORKON_HOME"), filepath.Join(homeDir(get), ".local", "share", "virtualenvs")), pipenvBase(dir), "pipenv")
}

func pipenvBase(dir string) string {
	name := pipenvSpoil.ReplaceAllString(filepath.Base(dir), "_")
	sum := sha256.Sum256([]byte(filepath.Join(dir, "Pipfile")))
	return name[:min(len(name), 42)] + "-" + base64.URLEncoding.EncodeToString(sum[:6])
}

// newest lists the environments in a directory whose names begin so, the one that was
// made last first.
func newest(dir, base, manager string) []Environment {
	entries, _ := os.ReadDir(dir)
	var found []Environment
	var when []int64
	for _, entry := range entries {
		at := filepath.Join(dir, entry.Name())
		info, err := entry.Info()
		if err != nil || !strings.HasPrefix(entry.Name(), base) || !exists(filepath.Join(at, "pyvenv.cfg")) {
			continue
		}
		i, _ := slices.BinarySearchFunc(when, info.ModTime().UnixNano(), func(a, b int64) int { return cmp.Compare(b, a) })
		when, found = slices.Insert(when, i, info.ModTime().UnixNano()), slices.Insert(found, i, Environment{at, manager})
	}
	return found
}

// conda's environments have names, by which an environment.yml asks for them.
func conda(dir string, get Getenv) []Environment {
	for _, file := range []string{"environment.yml", "environment.yaml"} {
		m := condaName.FindStringSubmatch(read(filepath.Join(dir, file)))
		if m == nil || strings.HasPrefix(m[1], ".") {
			continue
		}
		for _, place := range condaPlaces(get) {
			at := filepath.Join(place, m[1])
			if exists(filepath.Join(at, "conda-meta")) {
				return []Environment{{at, "conda"}}
			}
		}
	}
	return nil
}

// condaPlaces are the directories in which conda and its like keep environments: those
// of the settings, those of the list that conda keeps, and the usual ones.
func condaPlaces(get Getenv) []string {
	var places []string
	for _, name := range []string{"CONDA_ENVS_PATH", "CONDA_ENVS_DIRS"} {
		places = append(places, filepath.SplitList(get(name))...)
	}
	for _, name := range []string{"MAMBA_ROOT_PREFIX", "CONDA_ROOT"} {
		if root := get(name); root != "" {
			places = append(places, filepath.Join(root, "envs"))
		}
	}
	if exe := get("CONDA_EXE"); exe != "" {
		places = append(places, filepath.Join(filepath.Dir(filepath.Dir(exe)), "envs"))
	}
	for line := range strings.Lines(read(filepath.Join(homeDir(get), ".conda", "environments.txt"))) {
		places = append(places, filepath.Dir(strings.TrimSpace(line)))
	}
	for _, root := range []string{"miniconda3", "anaconda3", "miniforge3", "mambaforge", "micromamba", ".conda"} {
		places = append(places, filepath.Join(homeDir(get), root, "envs"))
	}
	return append(places, "/opt/conda/envs")
}

// pyenv is told by a .python-version which of its versions is wanted, or which of the
// environments that it keeps among them.
func pyenv(dir string, get Getenv) (Environment, bool) {
	name, _, _ := strings.Cut(strings.TrimSpace(read(filepath.Join(dir, ".python-version"))), "\n")
	name = strings.TrimSpace(name)
	if name == "" || strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\`) {
		return Environment{}, false
	}
	at := filepath.Join(cmp.Or(get("PYENV_ROOT"), filepath.Join(homeDir(get), ".pyenv")), "versions", name)
	e := Environment{at, "pyenv"}
	return e, e.Interpreter() != ""
}
