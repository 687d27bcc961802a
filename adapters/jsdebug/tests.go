package jsdebug

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
)

// planTest runs tests in one process, so that all of it can be debugged: with
// the project's runner, the named test alone when there is a name.
func (a *adapter) planTest(j job) (*adapters.Plan, error) {
	s, err := j.findTests()
	if err != nil {
		return nil, err
	}
	for _, file := range s.tests {
		names, _ := testsIn(readText(file))
		for _, name := range names {
			j.names = append(j.names, name.text)
		}
	}
	j.quiet = s.quiet
	return a.plan(j, s.launch, s.target, s.home)
}

// findTests finds how the tests are started.
func (j job) findTests() (started, error) {
	if j.target != "" && !prepare.Exists(j.target) {
		return started{}, j.missingFile(j.target)
	}
	files, err := j.testFiles()
	if err != nil {
		return started{}, err
	}
	r, err := j.runner(files)
	if err != nil {
		return started{}, err
	}
	if files, err = j.needTest(files); err != nil {
		return started{}, err
	}
	root := j.rootOf(r, filepath.Dir(files[0]))
	if root == "" {
		root = j.projectDir()
	}
	said := j.readScript(r, root)
	j.loads = hasLoader(said.args) || hasLoader(said.runtimeArgs)
	w, err := r.run(j, root, files)
	if err != nil {
		return started{}, err
	}
	dir := root
	if j.Cwd != "" {
		if dir, err = prepare.Workdir(j.Request, root); err != nil {
			return started{}, err
		}
	}
	w.way.runtimeArgs = append(said.runtimeArgs, w.way.runtimeArgs...)
	l := j.launch(w.way, dir)
	l.Args = slices.Concat(said.args, w.args, j.Args)
	l.Env = withoutColours(l.Env)
	for name, value := range said.env {
		if prepare.Lookup(j.env, name) == "" {
			l.Env[name] = value
		}
	}
	maps.Copy(l.Env, w.env)
	l.PauseForSourceMap = w.wraps
	return started{launch: l, target: j.describeTest(r, files), home: root, tests: files, quiet: r.quiet}, nil
}

// withoutColours asks runners for plain text, unless the user has asked for colours.
func withoutColours(set map[string]string) map[string]string {
	set = maps.Clone(set)
	if set == nil {
		set = map[string]string{}
	}
	if _, asked := set["FORCE_COLOR"]; asked {
		return set
	}
	if _, asked := set["NO_COLOR"]; !asked {
		set["NO_COLOR"] = "1"
	}
	return set
}

// describeTest is what is debugged, for people.
func (j job) describeTest(r runner, files []string) string {
	what := prepare.Show(j.Request, j.projectDir())
	if len(files) == 1 {
		what = prepare.Show(j.Request, files[0])
	}
	if j.test != "" {
		what = fmt.Sprintf("%q in %s", j.test, what)
	}
	return what + " with " + r.name
}

// testFiles are the target, when it is a file, else the test files below it.
func (j job) testFiles() ([]string, error) {
	if j.target != "" && !prepare.IsDir(j.target) {
		if !isScript(j.target) {
			return nil, fault.New(fault.InvalidTarget, "%s is no test of JavaScript or TypeScript", prepare.Show(j.Request, j.target)).
				WithField("target").WithHint("give a test file, or the directory of a package and the name of a test")
		}
		return []string{j.target}, nil
	}
	files := findTests(j.projectDir())
	if len(files) == 0 {
		return nil, fault.New(fault.InvalidTarget, "there are no test files below %s", prepare.Show(j.Request, j.projectDir())).WithField("target").
			WithHint("test files are named like sum.test.ts or sum.spec.js, or lie in a folder test or __tests__; give one as target")
	}
	return files, nil
}

// needTest leaves the files that have the named test, and refuses a name that
// is nowhere.
func (j job) needTest(files []string) ([]string, error) {
	if j.test == "" {
		return files, nil
	}
	var having, perhaps, all []string
	for _, file := range files {
		names, more := testsIn(readText(file))
		for _, name := range names {
			all = append(all, name.text)
		}
		switch {
		case slices.ContainsFunc(names, func(name testName) bool { return name.isIn(j.test) }):
			having = append(having, file)
		case more:
			perhaps = append(perhaps, file)
		}
	}
	switch {
	case len(having) > 0:
		return having, nil
	case len(perhaps) > 0:
		return perhaps, nil
	}
	f := fault.NoTest("there is no test %q", j.test)
	if len(files) == 1 {
		f = fault.NoTest("there is no test %q in %s", j.test, prepare.Show(j.Request, files[0]))
	}
	if like := source.Closest(j.test, all, 3); len(like) > 0 {
		return nil, f.WithHint("did you mean %s?", quoteNames(like, " or ")).WithDetails(prepare.Candidates{Candidates: like})
	}
	if len(all) == 0 {
		return nil, f.WithHint("no tests were found there at all")
	}
	return nil, f.WithHint("the tests are %s", quoteNames(all[:min(len(all), 20)], ", "))
}

// pattern is the expression that the wanted test's full name matches: runners
// put the names of the groups before it. A name that makes others at run time,
// as it is written, is all that it makes. A group is all of its tests.
func (j job) pattern(files []string) string {
	var all []testName
	for _, file := range files {
		names, _ := testsIn(readText(file))
		all = append(all, names...)
	}
	var words []string
	for part := range strings.SplitSeq(j.test, " > ") {
		part = strings.TrimSpace(part)
		word := regexp.QuoteMeta(part)
		for _, name := range all {
			if name.text == part && name.expression != "" {
				word = name.expression
			}
		}
		words = append(words, word)
	}
	end := "$"
	if slices.ContainsFunc(all, func(name testName) bool { return name.group && name.isIn(j.test) }) {
		end = "(?: |$)"
	}
	// What escapes more than JavaScript allows is no trouble without its u flag.
	return strings.Join(words, ` (?:> )?`) + end
}

func quoteNames(names []string, between string) string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = fmt.Sprintf("%q", name)
	}
	return strings.Join(list, between)
}
