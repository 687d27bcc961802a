package java

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/source"
)

type projectKind int

const (
	noProject projectKind = iota
	maven
	gradle
)

func (k projectKind) String() string { return [...]string{"", "Maven", "Gradle"}[k] }

// project is a directory that a build tool builds.
type project struct {
	kind projectKind
	dir  string // of the module
	root string // of the whole, where the wrapper lies
}

// projectAt finds the project that a directory belongs to: the nearest build
// file from it upwards, not above the workspace.
func projectAt(r adapters.Request, dir string) project {
	if dir == "" {
		return project{}
	}
	top := prepare.Physical(r.Workspace)
	if r.Workspace == "" || !prepare.Inside(top, prepare.Physical(dir)) {
		top = dir
	}
	var found project
	for at := prepare.Physical(dir); ; at = filepath.Dir(at) {
		kind := kindOf(at)
		if found.kind == noProject && kind != noProject {
			found = project{kind: kind, dir: at, root: at}
		} else if kind != noProject && kind == found.kind {
			found.root = at
		}
		if at == top || at == filepath.Dir(at) {
			return found
		}
	}
}

func kindOf(dir string) projectKind {
	for _, name := range mavenFiles {
		if prepare.Exists(filepath.Join(dir, name)) {
			return maven
		}
	}
	for _, name := range gradleFiles {
		if prepare.Exists(filepath.Join(dir, name)) {
			return gradle
		}
	}
	return noProject
}

// tool is the build tool's command: the project's own wrapper, else the one in PATH.
func (p project) tool(j job) (string, error) {
	wrapper, name := "mvnw", "mvn"
	if p.kind == gradle {
		wrapper, name = "gradlew", "gradle"
	}
	for _, dir := range []string{p.dir, p.root} {
		if path := filepath.Join(dir, wrapper); executable(path) {
			return path, nil
		}
	}
	for _, dir := range filepath.SplitList(prepare.Lookup(j.env, "PATH")) {
		if path := filepath.Join(dir, name); executable(path) {
			return path, nil
		}
	}
	return "", fault.New(fault.BuildFailed, "%s is a %s project, and there is neither %s in it nor %s in PATH", prepare.Show(j.Request, p.dir), p.kind, wrapper, name).
		WithHint("install %s, or build elsewhere and give the classes: adapter_options %s", name, `{"classPath":["target/classes"]}`)
}

func executable(path string) bool {
	found, err := exec.LookPath(path)
	return err == nil && found == path
}

// outputs are the directories that the tool compiles a module into.
func (p project) outputs(test bool) []string {
	main, tests := []string{"target", "classes"}, []string{"target", "test-classes"}
	if p.kind == gradle {
		main, tests = []string{"build", "classes", "java", "main"}, []string{"build", "classes", "java", "test"}
	}
	list := []string{filepath.Join(append([]string{p.dir}, main...)...)}
	if test {
		list = append([]string{filepath.Join(append([]string{p.dir}, tests...)...)}, list...)
	}
	return list
}

// built builds a project and finds the class that starts it.
func (a *adapter) built(ctx context.Context, j job, p project, progress func(string)) (program, error) {
	progress("building " + prepare.Show(j.Request, p.dir) + " with " + p.kind.String())
	classPath, err := a.buildProject(ctx, j, p, false)
	if err != nil {
		return program{}, err
	}
	classes := p.outputs(inTests(j.options.MainClass, p))
	if inTests(j.options.MainClass, p) {
		if classPath, err = a.buildProject(ctx, j, p, true); err != nil {
			return program{}, err
		}
	}
	main, err := p.mainClass(j, classes)
	if err != nil {
		return program{}, err
	}
	return program{
		target: main + " in " + prepare.Show(j.Request, p.dir), main: main, entry: main + ".main",
		classPath: classPath, classes: own(classPath, p.root), home: p.root,
	}, nil
}

// inTests says that a class is among the module's tests.
func inTests(name string, p project) bool {
	if name == "" {
		return false
	}
	file := filepath.FromSlash(strings.ReplaceAll(name, ".", "/")) + ".java"
	return prepare.Exists(filepath.Join(p.dir, "src", "test", "java", file))
}

// mainClass is the class to start: the wanted one, else the only one there is.
func (p project) mainClass(j job, classes []string) (string, error) {
	var all []string
	for _, dir := range classes {
		all = append(all, mainClasses(dir)...)
	}
	wanted := j.options.MainClass
	for _, name := range all {
		if name == wanted || wanted != "" && strings.HasSuffix(name, "."+wanted) {
			return name, nil
		}
	}
	where := prepare.Show(j.Request, p.dir)
	switch {
	case wanted != "":
		f := fault.New(fault.InvalidTarget, "no class %s with a main method was built in %s", wanted, where).WithField("target")
		like := source.Closest(wanted, all, 3)
		if len(like) == 0 {
			like = all[:min(len(all), 3)]
		}
		if len(like) > 0 {
			return "", f.WithHint("those with one are %s", strings.Join(like, ", ")).WithDetails(prepare.Candidates{Candidates: like})
		}
		return "", f.WithHint("a class with tests runs with mode test")
	case len(all) == 0:
		return "", fault.New(fault.InvalidTarget, "no class of %s has a main method", where).WithField("target").
			WithHint(`tests run with {"mode":"test","test":"CalcTest.adds"}`)
	case len(all) > 1:
		return "", fault.New(fault.InvalidTarget, "several classes of %s have a main method", where).WithField("module").
			WithHint("name one with module: %s", strings.Join(all[:min(len(all), 5)], ", ")).WithDetails(prepare.Candidates{Candidates: all})
	}
	return all[0], nil
}

// own are the entries of a class path that lie in the project.
func own(classPath []string, root string) []string {
	var list []string
	for _, entry := range classPath {
		if prepare.Inside(root, entry) && prepare.IsDir(entry) {
			list = append(list, entry)
		}
	}
	return list
}
