package java

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/text/pattern"
)

// tests makes a run of tests ready: the ones that are named, of a class or a method.
func (a *adapter) tests(ctx context.Context, j job, progress func(string)) (program, error) {
	top := j.Workspace
	if j.Target != "" {
		path := j.sourceNamed(prepare.Locate(j.Request, j.Target), j.Target)
		if !prepare.Exists(path) {
			if className.MatchString(j.Target) && j.Test == "" {
				j.Test, path = j.Target, j.Workspace
			} else {
				return program{}, missingTarget(j, path)
			}
		}
		top = path
	}
	chosen, err := chooseTests(findTests(top), j.Test, prepare.Show(j.Request, top))
	if err != nil {
		return program{}, err
	}
	p, err := a.testProgram(ctx, j, chosen.tests[0].Class.File, progress)
	if err != nil {
		return program{}, err
	}
	switch file := chosen.tests[0].Class.File; {
	case usesTestNG(file):
		err = a.runTestNG(&p, chosen)
	case chosen.index > 0 && usesJUnit4(file):
		err = noRowOfJUnit4(chosen)
	default:
		err = a.runJUnit(ctx, j, &p, chosen, progress)
	}
	if err != nil {
		if p.scratch != "" {
			_ = os.RemoveAll(p.scratch)
		}
		return program{}, err
	}
	first := chosen.tests[0]
	p.target = first.Short() + " in " + prepare.Show(j.Request, first.Class.File)
	if chosen.whole {
		p.target = first.Class.Name + " in " + prepare.Show(j.Request, first.Class.File)
	}
	p.entry = first.Dotted() + "." + first.Name
	return p, nil
}

// runJUnit has the console launcher run the tests, of whichever JUnit they are.
func (a *adapter) runJUnit(ctx context.Context, j job, p *program, chosen choice, progress func(string)) error {
	console, err := a.console(ctx, j, *p, progress)
	if err != nil {
		return err
	}
	if console != "" {
		p.classPath = append(p.classPath, console)
	}
	p.main = "org.junit.platform.console.ConsoleLauncher"
	p.arguments = append([]string{"execute"}, chosen.selectors(p.classPath)...)
	p.arguments = append(p.arguments, "--details=summary", "--disable-banner", "--disable-ansi-colors", "--fail-if-no-tests")
	return nil
}

// selectors name the tests to the console: the whole class, or methods with the
// types of their parameters, without which it finds none that has any.
func (c choice) selectors(classPath []string) []string {
	var args []string
	for _, t := range c.tests {
		selected := []string{"--select-class=" + t.Class.Name}
		if !c.whole {
			selected = nil
			for _, parameters := range parametersOf(classPath, t.Class.Name, t.Name) {
				method := t.Class.Name + "#" + t.Name + "(" + parameters + ")"
				if c.index > 0 {
					selected = append(selected, "--select-iteration=method:"+method+"["+strconv.Itoa(c.index-1)+"]")
				} else {
					selected = append(selected, "--select-method="+method)
				}
			}
		}
		for _, s := range selected {
			if !slices.Contains(args, s) {
				args = append(args, s)
			}
		}
	}
	return args
}

// parametersOf are the parameters of a method and those of the same name, one
// text for each, as the compiled class or one that it extends has them.
func parametersOf(classPath []string, class, method string) []string {
	var found []string
	for class != "" && len(found) == 0 {
		parent := ""
		for _, entry := range classPath {
			c, err := readClass(filepath.Join(entry, filepath.FromSlash(strings.ReplaceAll(class, ".", "/"))+".class"))
			if err != nil {
				continue
			}
			for _, m := range c.methods {
				if descriptor, ok := strings.CutPrefix(m, method+"("); ok {
					found = append(found, typeNames(descriptor[:strings.IndexByte(descriptor, ')')]))
				}
			}
			parent = c.parent
			break
		}
		class = parent
	}
	if len(found) == 0 {
		found = []string{""}
	}
	return found
}

var (
	descriptorType = pattern.New(`(\[*)(?:L([^;]+);|([BCDFIJSZ]))`)
	primitives     = map[string]string{"B": "byte", "C": "char", "D": "double", "F": "float", "I": "int", "J": "long", "S": "short", "Z": "boolean"}
)

// typeNames are the types of a descriptor as the source writes them: "int, java.lang.String[]".
func typeNames(descriptor string) string {
	var names []string
	for _, m := range descriptorType.FindAllStringSubmatch(descriptor, -1) {
		name := strings.ReplaceAll(m[2], "/", ".")
		if m[3] != "" {
			name = primitives[m[3]]
		}
		names = append(names, name+strings.Repeat("[]", len(m[1])))
	}
	return strings.Join(names, ", ")
}

// testProgram builds the tests: with the project's tool, else with javac.
func (a *adapter) testProgram(ctx context.Context, j job, file string, progress func(string)) (program, error) {
	if p := projectAt(j.Request, filepath.Dir(file)); p.kind != noProject && len(j.options.ClassPath) == 0 {
		progress("building the tests of " + prepare.Show(j.Request, p.dir) + " with " + p.kind.String())
		made, err := a.buildProject(ctx, j, p, true)
		return program{classPath: made.classPath, classes: ownEntries(made.classPath, p.root), sources: p.sources(), home: p.root, dir: p.dir}, err
	}
	if len(j.options.ClassPath) == 0 {
		for _, dir := range []string{filepath.Dir(file), j.Workspace} {
			for _, name := range []string{"*.jar", "lib/*.jar", "libs/*.jar"} {
				jars, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(name)))
				j.options.ClassPath = append(j.options.ClassPath, jars...)
			}
		}
	}
	progress("compiling " + prepare.Show(j.Request, file))
	roots := []string{rootOf(file)}
	if j.Workspace != "" {
		for _, root := range sourceRoots(j.Workspace) {
			if !slices.Contains(roots, root) {
				roots = append(roots, root)
			}
		}
	}
	if !slices.ContainsFunc(j.options.ClassPath, func(p string) bool { return strings.Contains(p, "junit") }) {
		console, err := a.console(ctx, j, program{}, progress)
		if err != nil {
			return program{}, err
		}
		j.options.ClassPath = append(j.options.ClassPath, console)
	}
	p, err := a.compile(ctx, j, []string{file}, roots)
	p.home = filepath.Dir(file)
	return p, err
}
