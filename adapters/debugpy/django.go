package debugpy

import (
	"bytes"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters/debugpy/project/virtualenv"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/text/pattern"
)

const (
	manageScript = "manage.py"   // what runs the tests of a Django project
	runnerScript = "runtests.py" // what runs those of Django itself, and of some of its extensions
)

// djangoRun is how Django runs tests: by a script of the project's, else by itself with
// the settings that the project's own runs use.
type djangoRun struct {
	script   string // empty: python -m django
	settings string
	dir      string // that it runs in, and from which it names tests
	all      bool   // the script cannot run one test
}

// django is how Django runs a test: where it is asked for, or where pytest is not there
// or not prepared for Django. Not ok for other tests.
func (j *job) django(py *python, t test) (run djangoRun, ok bool) {
	byScript := func(script string) (djangoRun, bool) {
		return djangoRun{script: script, dir: filepath.Dir(script)}, true
	}
	switch {
	case filepath.Base(t.file) == manageScript:
		return byScript(t.file)
	case j.Module != "":
		return run, false
	case filepath.Base(j.target) == manageScript:
		return byScript(j.target)
	case t.def != nil && !t.isInClass(), py.Found["pytest"] && py.Found["pytest_django"]:
		return run, false
	}
	top := prepare.Physical(j.Workspace)
	pytest := false // it is what runs the project's tests
	for dir := filepath.Dir(t.file); prepare.Inside(top, dir); dir = filepath.Dir(dir) {
		if manage := filepath.Join(dir, manageScript); prepare.Exists(manage) {
			return byScript(manage)
		}
		_, configured := pytestConfig(dir)
		if pytest = pytest || py.Found["pytest"] && (configured || prepare.Exists(filepath.Join(dir, "conftest.py"))); !pytest {
			script := filepath.Join(dir, runnerScript)
			text, err := boundedfile.ReadText(script)
			runs := err == nil && runsTests(text)
			if runs && labelled.Match(text) {
				return byScript(script)
			}
			if run, ok = djangoSettings(dir, t); ok && py.Found["django"] {
				return run, true
			}
			if runs {
				return djangoRun{script: script, dir: dir, all: true}, true
			}
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return djangoRun{}, false
}

// runsTests says that a script runs tests of Django.
func runsTests(text []byte) bool {
	return bytes.Contains(text, []byte("django")) && bytes.Contains(text, []byte("run_tests(")) && !bytes.Contains(text, []byte("pytest"))
}

// labelled is how a script takes the names of the tests that it is to run; one that takes
// none runs all.
var labelled = pattern.New(`add_argument\(\s*["'][A-Za-z]|sys\.argv\[1`)

// settingsNamed is how the files by which a project runs its tests name its settings.
var settingsNamed = pattern.New(`(?:DJANGO_SETTINGS_MODULE["'\]\),]*\s*[=,:]?\s*["']?|--settings[= ]["']?)([A-Za-z_][\w.]*)`)

// djangoSettings finds the settings that the files of a directory name.
func djangoSettings(dir string, t test) (djangoRun, bool) {
	for _, name := range []string{runnerScript, "tox.ini", "pyproject.toml", "setup.cfg", "noxfile.py", "Makefile"} {
		text, err := boundedfile.ReadText(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		for _, m := range settingsNamed.FindAllStringSubmatch(string(text), -1) {
			file := filepath.FromSlash(strings.ReplaceAll(m[1], ".", "/"))
			for _, at := range []string{dir, filepath.Join(dir, "tests")} {
				if path := filepath.Join(at, file); (prepare.Exists(path+".py") || prepare.Exists(filepath.Join(path, "__init__.py"))) && prepare.Inside(at, t.file) {
					return djangoRun{settings: m[1], dir: at}, true
				}
			}
		}
	}
	return djangoRun{}, false
}

// needs refuses to start what cannot even begin.
func (run djangoRun) needs(j *job, py *python) error {
	if run.script == "" || filepath.Base(run.script) == manageScript {
		return j.needDjango(py, run.script)
	}
	return nil // it says itself what it misses
}

// needDjango refuses to start a manage.py that cannot even begin.
func (j *job) needDjango(py *python, script string) error {
	if filepath.Base(script) != manageScript || py.Found["django"] {
		return nil
	}
	if text, err := boundedfile.ReadText(script); err != nil || !bytes.Contains(text, []byte("django.core.management")) {
		return nil
	}
	return fault.New(fault.SessionStart, "Django is not installed for %s", prepare.Show(j.Request, py.Executable)).
		WithHint("install it: %s; or choose another interpreter with runtime_path", virtualenv.Install(py.Executable, "django"))
}

// command are the arguments by which a test is run.
func (run djangoRun) command(given []string, t test) []string {
	var args []string
	switch {
	case filepath.Base(run.script) == runnerScript:
		text, _ := boundedfile.ReadText(run.script)
		for _, option := range []string{"--noinput", "--parallel"} {
			if bytes.Contains(text, []byte(`"`+option+`"`)) {
				args = append(args, strings.Replace(option, "--parallel", "--parallel=1", 1))
			}
		}
	case run.script == "":
		args = []string{"test", "--noinput", "--settings=" + run.settings}
	default:
		args = []string{"test", "--noinput"}
		if len(given) > 0 && given[0] == "test" {
			given = given[1:]
		}
	}
	args = append(args, given...)
	switch {
	case run.all || t.file == run.script || filepath.Base(t.file) == manageScript || t.file == run.dir:
		return args // all of them
	case prepare.IsDir(t.file) && filepath.Base(run.script) == runnerScript:
		return append(args, moduleOf(run.dir, t.file))
	case prepare.IsDir(t.file):
		return append(args, prepare.Below(run.dir, t.file))
	}
	return append(args, t.dottedName(run.dir))
}

func (run djangoRun) describe() string {
	if run.script == "" {
		return "django"
	}
	return filepath.Base(run.script)
}
