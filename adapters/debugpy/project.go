package debugpy

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters/debugpy/project/pytestini"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/system/boundedfile"
)

// testAndDirectory finds the test and the directory that it is run in: what the
// request says, else that of its project.
func (j *job) testAndDirectory(ctx context.Context) (t test, dir string, err error) {
	dir = prepare.Physical(j.Workspace)
	if j.target != "" && !prepare.Inside(dir, j.target) {
		dir = testProject(j.target, "")
	}
	if j.Cwd != "" {
		if dir, err = prepare.Workdir(j.Request, dir); err != nil {
			return t, "", err
		}
		dir = prepare.Physical(dir)
	}
	if t, err = j.findTest(ctx, dir); err != nil {
		return t, "", err
	}
	if j.Cwd == "" && prepare.Inside(dir, t.file) {
		dir = testProject(t.file, dir)
	}
	return t, dir, nil
}

// testProject is the directory that the tests of a file are run in, at most top: the
// nearest above it in which pytest is configured, else the nearest of a project, for
// there they find what they import and read.
func testProject(file, top string) string {
	dir := file
	if !prepare.IsDir(dir) {
		dir = filepath.Dir(dir)
	}
	nearest := dir
	if top != "" {
		nearest = top
	}
	found := false
	for ; ; dir = filepath.Dir(dir) {
		if _, ok := pytestConfig(dir); ok {
			return dir
		}
		if !found && projectFile(dir) {
			nearest, found = dir, true
		}
		if dir == top || dir == filepath.Dir(dir) {
			return nearest
		}
	}
}

func pytestConfig(dir string) (pytestini.Config, bool) {
	return pytestini.Of(func(name string) (string, bool) {
		text, err := boundedfile.ReadText(filepath.Join(dir, name))
		return string(text), err == nil
	})
}

// naming is how tests are called, and the directory whose files say so.
type naming struct {
	pytestini.Config
	dir string
}

// namings are those of the directories below one, each read once.
type namings struct {
	top   string
	known map[string]naming
}

// inDir says how the tests in a directory are called.
func (n namings) inDir(dir string) naming {
	if known, ok := n.known[dir]; ok {
		return known
	}
	found := naming{pytestini.Default(), dir}
	if c, ok := pytestConfig(dir); ok {
		found.Config = c
	} else if up := filepath.Dir(dir); dir != n.top && dir != up {
		found = n.inDir(up)
	}
	n.known[dir] = found
	return found
}

// isTestFile says that a file is one of tests by its name.
func (n naming) isTestFile(path string) bool { return n.File(prepare.Below(n.dir, path)) }

// manifests are what only the directory of a Python project has; projectFiles may be
// those of a part of one, too.
var (
	manifests    = []string{"pyproject.toml", "setup.py", "setup.cfg", "Pipfile", "manage.py"}
	projectFiles = slices.Concat(manifests, []string{"requirements.txt", "tox.ini", "pytest.ini"})
)

// projectFile says that a directory is that of a project; tests may have requirements of their own.
func projectFile(dir string) bool {
	names := manifests
	if !strings.HasPrefix(filepath.Base(dir), "test") {
		names = slices.Concat(names, []string{"requirements.txt"})
	}
	return slices.ContainsFunc(names, func(name string) bool { return prepare.Exists(filepath.Join(dir, name)) })
}

// ownModules are the packages and modules of a directory that is made to be searched,
// as src is; none where it is a package itself.
func ownModules(dir string) (names []string) {
	if prepare.Exists(filepath.Join(dir, "__init__.py")) {
		return nil
	}
	for _, name := range prepare.Names(dir) {
		stem, isFile := strings.CutSuffix(name, ".py")
		if isFile && !isTestFile(name) || prepare.Exists(filepath.Join(dir, name, "__init__.py")) {
			names = append(names, stem)
		}
	}
	return names
}
