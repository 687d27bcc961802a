package java

import (
	"context"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/text/pattern"
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
	root string // of the build that it is a part of
	top  string // no wrapper is looked for above it
}

// projectAt finds the project that a directory belongs to: the nearest build
// file from it upwards, not above the workspace.
func projectAt(r adapters.Request, dir string) project {
	if dir == "" {
		return project{}
	}
	dir = prepare.Physical(dir)
	top := prepare.Physical(r.Workspace)
	if r.Workspace == "" || !prepare.Inside(top, dir) {
		top = dir
	}
	var found project
	for at := dir; ; at = filepath.Dir(at) {
		if kind := kindOf(at); found.kind == noProject && kind != noProject {
			found = project{kind: kind, dir: at, root: at, top: top}
		} else if kind != noProject && kind == found.kind && found.isPartOf(at) {
			found.root = at
		}
		if at == top || at == filepath.Dir(at) {
			return found.includedModule(dir)
		}
	}
}

// includedModule is the module that a directory is of where that has no build file of its
// own, as the one of Gradle's build that it is a part of configures it from above.
func (p project) includedModule(dir string) project {
	if p.kind != gradle {
		return p
	}
	var settings []byte
	for _, name := range gradleSettings {
		text, _ := boundedfile.ReadText(filepath.Join(p.root, name))
		settings = append(settings, text...)
	}
	for at := dir; at != p.dir && prepare.Inside(p.dir, at); at = filepath.Dir(at) {
		rel, _ := filepath.Rel(p.root, at)
		for _, m := range gradleInclude.FindAllSubmatch(settings, -1) {
			if strings.ReplaceAll(strings.Trim(string(m[1]), ":"), ":", "/") == filepath.ToSlash(rel) {
				p.dir = at
				return p
			}
		}
	}
	return p
}

// gradleInclude is a name in Gradle's settings: ":libs:core" is in libs/core.
var gradleInclude = pattern.New(`["'](:?[\w.:/-]+)["']`)

// isPartOf says that a build file further up builds this project too: Maven's
// lists its modules, and Gradle goes by the nearest settings.
func (p project) isPartOf(outer string) bool {
	if p.kind == gradle {
		return !hasSettings(p.root) && hasSettings(outer)
	}
	pom, _ := boundedfile.ReadText(filepath.Join(outer, "pom.xml"))
	rel, _ := filepath.Rel(outer, p.root)
	for _, m := range mavenModule.FindAllSubmatch(pom, -1) {
		if path.Clean(strings.TrimSuffix(string(m[1]), "/pom.xml")) == filepath.ToSlash(rel) {
			return true
		}
	}
	return false
}

var mavenModule = pattern.New(`<(?:module|subproject)>\s*([^<]*?)\s*</`)

// mavenSays is what a pom.xml has that says how something is built.
var mavenSays = pattern.New(`<(?:dependencies|build|modules|subprojects|parent)>`)

// kindOf is the tool that builds a directory. Beside the build file of Gradle a pom.xml
// that says nothing but the project's name is for those who publish it.
func kindOf(dir string) projectKind {
	has := func(name string) bool { return prepare.Exists(filepath.Join(dir, name)) }
	forGradle := slices.ContainsFunc(gradleFiles, has)
	if slices.ContainsFunc(mavenFiles, has) {
		pom, err := boundedfile.ReadText(filepath.Join(dir, "pom.xml"))
		if !forGradle || err != nil || mavenSays.MatchString(string(pom)) {
			return maven
		}
	}
	if forGradle {
		return gradle
	}
	return noProject
}

// tool is the build tool's command: the project's own wrapper, else the one in PATH.
func (p project) tool(j job) (string, error) {
	wrapper, name, classes := "mvnw", "mvn", "target/classes"
	if p.kind == gradle {
		wrapper, name, classes = "gradlew", "gradle", "build/classes/java/main"
	}
	for at := p.dir; ; at = filepath.Dir(at) {
		if path := filepath.Join(at, wrapper); executable(path) {
			return path, nil
		}
		if at == p.top || at == filepath.Dir(at) {
			break
		}
	}
	for _, dir := range filepath.SplitList(prepare.Lookup(j.env, "PATH")) {
		if path := filepath.Join(dir, name); executable(path) {
			return path, nil
		}
	}
	return "", fault.New(fault.BuildFailed, "%s is a %s project, and there is neither %s in it nor %s in PATH", prepare.Show(j.Request, p.dir), p.kind, wrapper, name).
		WithHint("install %s, or build elsewhere and give the classes: adapter_options {\"classPath\":[\"%s\"]}", name, classes)
}

func executable(path string) bool {
	found, err := exec.LookPath(path)
	return err == nil && found == path
}

// start builds a project and finds the class that starts it.
func (a *adapter) start(ctx context.Context, j job, p project, progress func(string)) (program, error) {
	p = p.runnable(&j)
	progress("building " + prepare.Show(j.Request, p.dir) + " with " + p.kind.String())
	made, err := a.buildProject(ctx, j, p, isTestClass(j.options.MainClass, p))
	if err != nil {
		return program{}, err
	}
	main, err := p.mainClass(j, made.classes)
	if err != nil {
		return program{}, err
	}
	return program{
		target: main + " in " + prepare.Show(j.Request, p.dir), main: main, entry: main + ".main",
		classPath: made.classPath, classes: ownEntries(made.classPath, p.root), sources: p.sources(), home: p.root,
	}, nil
}

// sources are the roots of the module's own: another module may have classes of
// the same names.
func (p project) sources() []string { return sourceRoots(filepath.Join(p.dir, "src")) }

// isTestClass says that a class is among the module's tests.
func isTestClass(name string, p project) bool {
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
		return "", p.orModule(j, fault.New(fault.InvalidTarget, "no class of %s has a main method", where).WithField("target").
			WithHint(`tests run with {"mode":"test","test":"CalcTest.adds"}`))
	case len(all) > 1:
		return "", fault.New(fault.InvalidTarget, "several classes of %s have a main method", where).WithField("module").
			WithHint("name one with module: %s", strings.Join(all[:min(len(all), 5)], ", ")).WithDetails(prepare.Candidates{Candidates: all})
	}
	return all[0], nil
}

// ownEntries are the entries of a class path that were made of the project's sources: its
// directories, and the archives that its modules are built into.
func ownEntries(classPath []string, root string) []string {
	var list []string
	for _, entry := range classPath {
		if prepare.Inside(root, entry) && (prepare.IsDir(entry) || isBuilt(entry, root)) {
			list = append(list, entry)
		}
	}
	return list
}

// isBuilt says that an archive lies where build tools leave what they have made, and not
// among libraries that the project keeps.
func isBuilt(archive, root string) bool {
	if filepath.Ext(archive) != ".jar" || !prepare.Exists(archive) {
		return false
	}
	for dir := filepath.Dir(archive); prepare.Inside(root, dir) && dir != root; dir = filepath.Dir(dir) {
		if name := filepath.Base(dir); name == "target" || name == "build" {
			return kindOf(filepath.Dir(dir)) != noProject || hasSources(filepath.Dir(dir))
		}
	}
	return false
}

// hasSources says that a directory is a module, which may be configured from above.
func hasSources(dir string) bool { return prepare.IsDir(filepath.Join(dir, "src")) }
