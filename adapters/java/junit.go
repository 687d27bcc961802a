package java

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/source"
)

// A testMethod is one of a class of tests.
type testMethod struct {
	class  string // shop.CalcTest, CalcTest$Nested
	method string
	file   string
}

func (t testMethod) short() string {
	return t.class[strings.LastIndexByte(t.class, '.')+1:] + "." + t.method
}

// tests makes a run of tests ready: the ones that are named, of a class or a method.
func (a *adapter) tests(ctx context.Context, j job, progress func(string)) (program, error) {
	top := j.Workspace
	if j.Target != "" {
		path := prepare.Locate(j.Request, j.Target)
		if !prepare.Exists(path) {
			if className.MatchString(j.Target) && j.Test == "" {
				j.Test, path = j.Target, j.Workspace
			} else {
				return program{}, missing(j, path)
			}
		}
		top = path
	}
	known := findTests(top)
	chosen, whole, err := chooseTests(known, j.Test, prepare.Show(j.Request, top))
	if err != nil {
		return program{}, err
	}
	p, err := a.testProgram(ctx, j, chosen, progress)
	if err != nil {
		return program{}, err
	}
	console, err := a.console(ctx, j, p, progress)
	if err != nil {
		if p.scratch != "" {
			_ = os.RemoveAll(p.scratch)
		}
		return program{}, err
	}
	if console != "" {
		p.classPath = append(p.classPath, console)
	}
	p.main = "org.junit.platform.console.ConsoleLauncher"
	p.arguments = append([]string{"execute"}, selectors(chosen, whole)...)
	p.arguments = append(p.arguments, "--details=none", "--disable-banner", "--disable-ansi-colors", "--fail-if-no-tests")
	p.target = chosen[0].short() + " in " + prepare.Show(j.Request, chosen[0].file)
	if whole {
		p.target = chosen[0].class + " in " + prepare.Show(j.Request, chosen[0].file)
	}
	p.entry = strings.ReplaceAll(chosen[0].class, "$", ".") + "." + chosen[0].method
	return p, nil
}

// selectors name the tests to the console: the whole class, or single methods.
func selectors(chosen []testMethod, whole bool) []string {
	var args []string
	for _, t := range chosen {
		selector := "--select-method=" + t.class + "#" + t.method
		if whole {
			selector = "--select-class=" + t.class
		}
		if !slices.Contains(args, selector) {
			args = append(args, selector)
		}
	}
	return args
}

// testProgram builds the tests: with the project's tool, else with javac.
func (a *adapter) testProgram(ctx context.Context, j job, chosen []testMethod, progress func(string)) (program, error) {
	file := chosen[0].file
	if p := projectAt(j.Request, filepath.Dir(file)); p.kind != noProject && len(j.options.ClassPath) == 0 {
		progress("building the tests of " + prepare.Show(j.Request, p.dir) + " with " + p.kind.String())
		made, err := a.buildProject(ctx, j, p, true)
		return program{classPath: made.classPath, classes: own(made.classPath, p.root), sources: p.sources(), home: p.root, dir: p.dir}, err
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

var (
	testMark   = regexp.MustCompile(`@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)\b`)
	methodName = regexp.MustCompile(`\b([\p{L}_$][\p{L}\p{N}_$]*)\s*\(`)
	classStart = regexp.MustCompile(`\b(?:class|record|interface)\s+([\p{L}_$][\p{L}\p{N}_$]*)`)
	annotation = regexp.MustCompile(`@[\w.]+(?:\s*\((?:[^()"]|"(?:[^"\\]|\\.)*"|\([^()]*\))*\))?`)
)

// findTests reads the sources of a file or of all below a directory.
func findTests(top string) []testMethod {
	if filepath.Ext(top) == ".java" {
		return testsOf(top)
	}
	var all []testMethod
	_ = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case d.IsDir() && path != top && (strings.HasPrefix(d.Name(), ".") || d.Name() == "target" || d.Name() == "build" || d.Name() == "node_modules"):
			return fs.SkipDir
		case !d.IsDir() && filepath.Ext(path) == ".java":
			all = append(all, testsOf(path)...)
		}
		return nil
	})
	return all
}

// testsOf finds the marked methods of a file by reading its lines; nested
// classes are told by the depth of braces.
func testsOf(file string) []testMethod {
	text, err := os.ReadFile(file)
	if err != nil || !testMark.Match(text) {
		return nil
	}
	var (
		found   []testMethod
		classes []string // from the outermost to the one that the line is in
		depths  []int
		depth   int
		marked  bool
	)
	pkg := packageOf(file)
	if pkg != "" {
		pkg += "."
	}
	for line := range strings.Lines(withoutTexts(string(text))) {
		marked = marked || testMark.MatchString(line)
		bare := annotation.ReplaceAllString(line, "")
		if m := classStart.FindStringSubmatch(bare); m != nil {
			classes, depths = append(classes, m[1]), append(depths, depth)
		} else if m := methodName.FindStringSubmatch(bare); marked && m != nil && len(classes) > 0 {
			found = append(found, testMethod{pkg + strings.Join(classes, "$"), m[1], file})
			marked = false
		}
		depth += strings.Count(line, "{") - strings.Count(line, "}")
		for len(depths) > 0 && strings.Contains(line, "}") && depth <= depths[len(depths)-1] {
			classes, depths = classes[:len(classes)-1], depths[:len(depths)-1]
		}
	}
	return found
}

var texts = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*|"""(?:[^\\]|\\.)*?"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`)

// withoutTexts blanks comments and literals, keeping the lines.
func withoutTexts(text string) string {
	return texts.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) })
}

// chooseTests finds what is meant by "CalcTest", "CalcTest.adds", "CalcTest#adds",
// "shop.CalcTest.adds", "adds", or nothing: all of the only class there is.
func chooseTests(known []testMethod, name, where string) (chosen []testMethod, whole bool, err error) {
	if len(known) == 0 {
		return nil, false, fault.New(fault.InvalidTarget, "%s has no JUnit tests", where).WithField("target").
			WithHint("tests are methods marked @Test; give the file or the directory that holds them")
	}
	name = strings.TrimSuffix(strings.NewReplacer("#", ".", "$", ".").Replace(strings.TrimSpace(name)), "()")
	var byClass, byMethod []testMethod
	for _, t := range known {
		class := strings.ReplaceAll(t.class, "$", ".")
		if name == "" || class == name || strings.HasSuffix(class, "."+name) {
			byClass = append(byClass, t)
		}
		if full := class + "." + t.method; full == name || strings.HasSuffix(full, "."+name) {
			byMethod = append(byMethod, t)
		}
	}
	found := byMethod
	if whole = len(byMethod) == 0; whole {
		found = byClass
	}
	classes := classesOf(found)
	switch {
	case len(found) == 0:
		return nil, false, unknownTest(known, name, where)
	case len(classes) > 1 && name == "" || len(classes) > 1 && !whole:
		return nil, false, fault.New(fault.InvalidParam, "%q means tests of several classes", cmp.Or(name, where)).WithField("test").
			WithHint("name one: %s", strings.Join(classes[:min(len(classes), 5)], ", ")).WithDetails(prepare.Candidates{Candidates: classes})
	}
	return found, whole, nil
}

func classesOf(tests []testMethod) []string {
	var names []string
	for _, t := range tests {
		if !slices.Contains(names, t.class) {
			names = append(names, t.class)
		}
	}
	return names
}

func unknownTest(known []testMethod, name, where string) error {
	var names []string
	for _, t := range known {
		names = append(names, t.short(), t.method, t.class)
	}
	f := fault.New(fault.InvalidParam, "there is no test %q in %s", name, where).WithField("test")
	like := source.Closest(name, names, 3)
	if len(like) > 0 {
		return f.WithHint("did you mean %s?", strings.Join(like, " or ")).WithDetails(prepare.Candidates{Candidates: like})
	}
	var short []string
	for _, t := range known[:min(len(known), 8)] {
		short = append(short, t.short())
	}
	return f.WithHint("there are: %s", strings.Join(short, ", "))
}
