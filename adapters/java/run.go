package java

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
)

// run makes the program of a launch or exec request ready.
func (a *adapter) run(ctx context.Context, j job, progress func(string)) (program, error) {
	target := j.Target
	path := prepare.Locate(j.Request, target)
	switch ext := filepath.Ext(target); {
	case ext == ".jar":
		return j.archive(path)
	case ext == ".class":
		return j.classFile(path)
	case ext == ".java":
		path = j.sourceNamed(path, target)
		if !prepare.Exists(path) {
			return program{}, missingTarget(j, path)
		}
		return a.sourceFile(ctx, j, path, progress)
	case target == "" && j.options.MainClass != "" && len(j.options.ClassPath)+len(j.options.ModulePath) > 0:
		return j.compiledClass(j.options.MainClass)
	case target == "" || prepare.IsDir(path):
		return a.directory(ctx, j, path, progress)
	case className.MatchString(target) || strings.Contains(target, "/") && len(j.options.ModulePath) > 0:
		if p := projectAt(j.Request, j.Workspace); p.kind != noProject && len(j.options.ClassPath) == 0 && j.Mode == adapters.Launch {
			j.options.MainClass = target
			return a.start(ctx, j, p, progress)
		}
		return j.compiledClass(target)
	}
	return program{}, missingTarget(j, path)
}

// sourceFile is a file with a main method: of a project, or one that stands alone.
func (a *adapter) sourceFile(ctx context.Context, j job, file string, progress func(string)) (program, error) {
	main := className1(file)
	if p := projectAt(j.Request, filepath.Dir(file)); p.kind != noProject && len(j.options.ClassPath) == 0 {
		j.options.MainClass = main
		return a.start(ctx, j, p, progress)
	}
	root := rootOf(file)
	progress("compiling " + prepare.Show(j.Request, file))
	p, err := a.compile(ctx, j, []string{file}, []string{root})
	if err != nil {
		return program{}, err
	}
	if j.options.MainClass != "" {
		main = j.options.MainClass
	}
	main, err = mainIn(p.classes[0], main)
	if err != nil {
		_ = os.RemoveAll(p.scratch)
		return program{}, fault.New(fault.InvalidTarget, "%s: %w", prepare.Show(j.Request, file), err).WithField("target").
			WithHint("give a file with a method `public static void main(String[] args)`; a class with tests runs with mode test")
	}
	p.main, p.entry, p.home = main, main+".main", filepath.Dir(file)
	p.target = prepare.Show(j.Request, file)
	return p, nil
}

// className1 is the class that a file is named after.
func className1(file string) string {
	name := strings.TrimSuffix(filepath.Base(file), ".java")
	if pkg := packageOf(file); pkg != "" {
		return pkg + "." + name
	}
	return name
}

// mainIn finds the class to start among those that were compiled: the one that
// is wanted, else the only other one with a main method.
func mainIn(classes, wanted string) (string, error) {
	all := mainClasses(classes)
	for _, name := range all {
		if name == wanted {
			return name, nil
		}
	}
	switch len(all) {
	case 0:
		return "", errors.New("no class in it has a main method")
	case 1:
		return all[0], nil
	}
	return "", errors.New("several classes have a main method (" + strings.Join(all, ", ") + "): name one with module")
}

// directory is a project, or a directory of sources without a build tool.
func (a *adapter) directory(ctx context.Context, j job, dir string, progress func(string)) (program, error) {
	if dir == "" || j.Target == "" {
		dir = j.Workspace
	}
	if p := projectAt(j.Request, dir); p.kind != noProject {
		return a.start(ctx, j, p, progress)
	}
	var files []string
	roots := sourceRoots(dir)
	for _, root := range roots {
		files = append(files, sourceFiles(root)...)
	}
	if len(files) == 0 {
		return program{}, fault.New(fault.InvalidTarget, "%s holds neither a pom.xml, nor a build.gradle, nor Java sources", prepare.Show(j.Request, dir)).
			WithField("target").WithHint(`give a source file, a project's directory, a .jar, or a class with its class path: {"target":"shop.Main","adapter_options":{"classPath":["out"]}}`)
	}
	progress("compiling " + prepare.Show(j.Request, dir))
	p, err := a.compile(ctx, j, files, roots)
	if err != nil {
		return program{}, err
	}
	if p.main, err = mainIn(p.classes[0], j.options.MainClass); err != nil {
		_ = os.RemoveAll(p.scratch)
		return program{}, fault.New(fault.InvalidTarget, "%s: %w", prepare.Show(j.Request, dir), err).WithField("target").
			WithHint(`give the file with the main method as target, or its class as module`)
	}
	p.entry, p.home, p.target = p.main+".main", dir, p.main+" in "+prepare.Show(j.Request, dir)
	return p, nil
}

// archive is a .jar that names its main class.
func (j job) archive(path string) (program, error) {
	if !prepare.Exists(path) {
		return program{}, missingTarget(j, path)
	}
	main, entries, err := readArchive(path)
	if err != nil {
		return program{}, fault.New(fault.InvalidTarget, "%s is no Java archive: %w", prepare.Show(j.Request, path), err).WithField("target").
			WithHint("build it again (jar --create), or give a class with its class path")
	}
	p := program{target: prepare.Show(j.Request, path), classes: []string{path}, home: filepath.Dir(path)}
	if j.options.MainClass != "" {
		if !entries[j.options.MainClass] {
			return program{}, noClass(j.options.MainClass, p.target, entries)
		}
		extra, err := j.paths("classPath", j.options.ClassPath)
		p.main, p.classPath, p.entry = j.options.MainClass, append([]string{path}, extra...), j.options.MainClass+".main"
		return p, err
	}
	if main == "" {
		return program{}, fault.New(fault.InvalidTarget, "%s names no main class in its manifest", p.target).WithField("target").
			WithHint(`name one: {"target":%q,"module":"shop.Main"}`, j.Target)
	}
	p.archive, p.entry = path, main+".main"
	return p, nil
}

// classFile is one compiled class.
func (j job) classFile(path string) (program, error) {
	if !prepare.Exists(path) {
		return program{}, missingTarget(j, path)
	}
	c, err := readClass(path)
	if err != nil {
		return program{}, fault.New(fault.InvalidTarget, "%s is no compiled class: %w", prepare.Show(j.Request, path), err).WithField("target").
			WithHint("compile it again with javac -g, or give the source file")
	}
	suffix := string(filepath.Separator) + filepath.FromSlash(strings.ReplaceAll(c.name, ".", "/")) + ".class"
	root, ok := strings.CutSuffix(path, suffix)
	if !ok {
		return program{}, fault.New(fault.InvalidTarget, "%s holds the class %s and does not lie where its package says", prepare.Show(j.Request, path), c.name).
			WithField("target").WithHint("give the class by its name, with its class path in adapter_options")
	}
	j.options.ClassPath = append([]string{root}, j.options.ClassPath...)
	return j.compiledClass(c.name)
}

// compiledClass is a class by name on a class path.
func (j job) compiledClass(name string) (program, error) {
	classPath, err := j.paths("classPath", j.options.ClassPath)
	if err != nil {
		return program{}, err
	}
	modulePath, err := j.paths("modulePath", j.options.ModulePath)
	if err != nil {
		return program{}, err
	}
	if len(classPath)+len(modulePath) == 0 {
		classPath = outputDirs(j.Workspace)
	}
	plain := name[strings.LastIndexByte(name, '/')+1:]
	all := append(append([]string{}, classPath...), modulePath...)
	known := map[string]bool{}
	for _, entry := range all {
		if hasClass(entry, plain, known) {
			return program{
				target: name, main: name, entry: plain + ".main", classPath: classPath, modulePath: modulePath,
				classes: all, home: j.Workspace,
			}, nil
		}
	}
	if len(all) == 0 {
		return program{}, fault.New(fault.InvalidTarget, "there is no class path to find %s in", name).WithField("adapter_options").
			WithHint(`give it, for example {"classPath":["build/classes","lib/gson.jar"]}`)
	}
	return program{}, noClass(plain, "the class path", known)
}

func noClass(name, where string, known map[string]bool) error {
	var names, simple []string
	for k := range known {
		names = append(names, k)
		if k[strings.LastIndexByte(k, '.')+1:] == name[strings.LastIndexByte(name, '.')+1:] {
			simple = append(simple, k)
		}
	}
	if len(simple) == 0 {
		simple = source.Closest(name, names, 3)
	}
	f := fault.New(fault.InvalidTarget, "there is no class %s in %s", name, where).WithField("target").
		WithHint("is it compiled, and is its directory (the one above the packages) or archive in classPath?")
	if len(simple) > 0 {
		return prepare.Suggest(f, simple)
	}
	return f
}

// outputDirs are the usual places of compiled classes in a workspace.
func outputDirs(workspace string) []string {
	var dirs []string
	for _, name := range []string{"target/classes", "target/test-classes", "build/classes/java/main", "build/classes/java/test", "out/production", "out", "bin", "classes", "build/classes"} {
		dir := filepath.Join(workspace, filepath.FromSlash(name))
		if prepare.IsDir(dir) && holdsClasses(dir) {
			dirs = append(dirs, dir)
		}
	}
	if found, _ := filepath.Glob(filepath.Join(workspace, "*.class")); len(found) > 0 {
		dirs = append(dirs, workspace)
	}
	return dirs
}

// missingTarget is the error for a target that does not exist.
func missingTarget(j job, path string) error {
	f := prepare.Missing(j.Request, path)
	if f.Hint == "" {
		return f.WithHint(`give a source file, a project's directory, a .jar, or a class with its class path: {"target":"shop.Main","adapter_options":{"classPath":["out"]}}`)
	}
	return f
}
