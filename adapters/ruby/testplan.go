package ruby

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/adapters/ruby/rubysrc"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/system/boundedfile"
)

// test is what is to be run: a test, all of a file, or all below a directory.
type test struct {
	place     string        // absolute, a file or a directory
	found     *rubysrc.Test // nil: all of the place
	framework string
}

// runners are how each framework is started: what the interpreter is given behind the
// directories of the project's own code. dir is where it runs.
var runners = map[string]func(t test, dir string) []string{
	rubysrc.RSpec:    rspecWords,
	rubysrc.Minitest: minitestWords,
	rubysrc.TestUnit: testUnitWords,
}

// startTest runs one test, a file of them or a directory, by the framework that they are
// written for.
func (j *job) startTest(ctx context.Context) (start, error) {
	if j.Module != "" && runners[j.Module] == nil {
		return start{}, fault.New(fault.InvalidParam, "tests are not run by the module %s", j.Module).WithField("module").
			WithHint("use rspec, minitest or test-unit, or leave it out")
	}
	t, err := j.findTest(ctx)
	if err != nil {
		return start{}, err
	}
	dir, err := prepare.Workdir(j.Request, testProject(t.place, prepare.Physical(j.Workspace)))
	if err != nil {
		return start{}, err
	}
	if j.Cwd == "" {
		dir = testProject(t.place, prepare.Physical(j.Workspace))
	}
	program := ""
	if !prepare.IsDir(t.place) {
		program = t.place
	}
	ruby, err := j.askInterpreter(ctx, dir, program)
	if err != nil {
		return start{}, err
	}
	words := []string{}
	for _, name := range []string{"lib", "test", "spec"} {
		if prepare.IsDir(filepath.Join(dir, name)) {
			words = append(words, "-I", filepath.Join(dir, name))
		}
	}
	j.flags = words
	return start{
		target: t.describe(dir) + " by " + t.framework, dir: dir, beside: dir, main: t.place, ruby: ruby,
		words: append(j.seed(t.framework, runners[t.framework](t, dir)), j.Args...),
	}, nil
}

// seed has the framework draw the order of its tests from the request's seed, unless the user
// gives one.
func (j *job) seed(framework string, words []string) []string {
	seed := strconv.Itoa(int(j.Seed))
	switch {
	case j.Seed == 0:
	case framework == rubysrc.Minitest && prepare.Lookup(j.env, "SEED") == "":
		return append(words, "--seed", seed)
	case framework == rubysrc.RSpec: // its --seed would shuffle tests that are not to be
		words[1] = "srand " + seed + "; " + words[1]
	}
	return words
}

func (t test) describe(dir string) string {
	if t.found == nil {
		return "tests of " + prepare.Below(dir, t.place)
	}
	return t.found.Full() + " in " + prepare.Below(dir, t.place)
}

// rspecWords name an example by its line.
func rspecWords(t test, dir string) []string {
	place := prepare.Below(dir, t.place)
	if t.found != nil {
		place += ":" + strconv.Itoa(t.found.Line)
	}
	return []string{"-e", `require "rspec/core"; RSpec::Core::Runner.invoke`, "--", "--no-color", place}
}

// minitestWords name a test by its class and method. One that is written as a description has
// a name that its framework makes.
func minitestWords(t test, dir string) []string {
	words := loadWords(t, dir)
	switch {
	case t.found == nil:
		return words
	case t.found.Said:
		return append(words, "-n", "/"+strings.ReplaceAll(regexp.QuoteMeta(t.found.Name), " ", "[ _]")+"$/")
	}
	return append(words, "-n", "/^(?:.*::)?"+regexp.QuoteMeta(t.found.Full())+"$/")
}

func testUnitWords(t test, dir string) []string {
	words := loadWords(t, dir)
	switch {
	case t.found == nil:
		return words
	case t.found.Said:
		return append(words, "-n", "/"+strings.ReplaceAll(regexp.QuoteMeta(t.found.Name), " ", "[ _]")+"$/")
	case t.found.Group != "":
		words = append(words, "-t", t.found.Group)
	}
	return append(words, "-n", t.found.Name)
}

// loadWords run a file, or load all files of tests below a directory.
func loadWords(t test, dir string) []string {
	if !prepare.IsDir(t.place) {
		return []string{prepare.Below(dir, t.place)}
	}
	return []string{"-e", `Dir[File.join(ARGV.shift, "**", "{test_*,*_test,*_spec}.rb")].sort.each { |file| require File.expand_path(file) }`, "--", prepare.Below(dir, t.place)}
}

// testProject is the directory that tests are run in: the nearest above them that has a
// project's file, at most top.
func testProject(place, top string) string {
	dir := place
	if !prepare.IsDir(dir) {
		dir = filepath.Dir(dir)
	}
	if top == "" || !prepare.Inside(top, dir) {
		top = dir
	}
	for ; dir != top; dir = filepath.Dir(dir) {
		if isProject(dir) {
			return dir
		}
	}
	return top
}

// writtenTest is a test as the user wrote it.
type writtenTest struct {
	file string // may be empty
	line int    // 0: none is said
	name string
}

// readTest reads "test/cart_test.rb::CartTest#test_total", "spec/cart_spec.rb:12", "adds prices".
func readTest(text string) writtenTest {
	var w writtenTest
	if at := strings.Index(text, ".rb"); at >= 0 {
		w.file, text = text[:at+3], strings.TrimLeft(text[at+3:], ":")
		if n, err := strconv.Atoi(text); err == nil {
			w.line, text = n, ""
		}
	}
	w.name = strings.TrimSpace(text)
	return w
}

// findTest looks the wanted test up in the sources.
func (j *job) findTest(ctx context.Context) (test, error) {
	w := readTest(j.Test)
	place := j.target
	if w.file != "" {
		place = prepare.Locate(j.Request, w.file)
	}
	if place == "" {
		place = j.Workspace
	}
	place = prepare.Physical(place)
	if !prepare.Exists(place) {
		return test{}, prepare.Missing(j.Request, place)
	}
	if w.name == "" && w.line == 0 {
		return j.wholePlace(ctx, place)
	}
	var found, inherited []test
	var all, heirs []string
	err := eachTestFile(ctx, place, func(file string, text []byte) {
		for _, t := range rubysrc.Tests(string(text)) {
			all = append(all, t.Full())
			if w.line > 0 && t.Line == w.line || w.line == 0 && t.IsNamed(w.name) {
				found = append(found, test{place: file, found: &t, framework: j.framework(file, string(text))})
			}
		}
		for _, class := range rubysrc.Heirs(string(text)) {
			heirs = append(heirs, class)
			if t, may := (rubysrc.Test{Group: class}).Inherited(w.name); may {
				inherited = append(inherited, test{place: file, found: &t, framework: j.framework(file, string(text))})
			}
		}
	})
	if len(found) == 0 {
		found = inherited
	}
	switch {
	case err != nil:
		return test{}, err
	case len(found) == 0:
		return test{}, j.noTest(w, place, all, heirs)
	case len(found) > 1:
		return test{}, j.several(found)
	}
	return found[0], nil
}

// wholePlace is a file, or all below a directory.
func (j *job) wholePlace(ctx context.Context, place string) (test, error) {
	t := test{place: place}
	err := eachTestFile(ctx, place, func(file string, text []byte) {
		if t.framework == "" {
			t.framework = j.framework(file, string(text))
		}
	})
	if err == nil && t.framework == "" {
		err = fault.NoTest("there are no tests of Ruby in %s", prepare.Show(j.Request, place)).WithHint("tests are files like test/cart_test.rb and spec/cart_spec.rb")
	}
	if prepare.IsDir(place) {
		for _, name := range []string{"spec", "test"} {
			if below := filepath.Join(place, name); prepare.IsDir(below) && (name == "spec") == (t.framework == rubysrc.RSpec) {
				t.place = below
				break
			}
		}
	}
	return t, err
}

// framework is the one that a file of tests is written for: what it says itself, else the
// helper beside or above it, else what its name means.
func (j *job) framework(file, text string) string {
	if j.Module != "" {
		return j.Module
	}
	if said := rubysrc.Framework(text); said != "" {
		return said
	}
	for dir, left := filepath.Dir(file), 4; left > 0; dir, left = filepath.Dir(dir), left-1 {
		for _, name := range []string{"test_helper.rb", "helper.rb", "spec_helper.rb"} {
			helper, err := boundedfile.ReadText(filepath.Join(dir, name))
			if said := rubysrc.Framework(string(helper)); err == nil && said != "" {
				return said
			}
		}
	}
	if strings.HasSuffix(file, "_spec.rb") {
		return rubysrc.RSpec
	}
	return rubysrc.Minitest
}

// eachTestFile reads a file, or the files of tests below a directory.
func eachTestFile(ctx context.Context, place string, visit func(file string, text []byte)) error {
	if !prepare.IsDir(place) {
		text, err := boundedfile.ReadText(place)
		if err == nil {
			visit(place, text)
		}
		return err
	}
	return eachSource(ctx, []string{place}, func(file string, text []byte) {
		if rubysrc.IsTestFile(filepath.Base(file)) {
			visit(file, text)
		}
	})
}

func (j *job) several(found []test) error {
	names := make([]string, len(found))
	for i, t := range found {
		names[i] = strings.TrimPrefix(prepare.Show(j.Request, t.place), "./") + ":" + strconv.Itoa(t.found.Line)
	}
	return fault.New(fault.InvalidParam, "%d tests are called %s", len(found), j.Test).WithField("test").
		WithHint("say which: %s", strings.Join(names[:min(len(names), 5)], " or ")).
		WithDetails(prepare.Candidates{Candidates: names[:min(len(names), 20)]})
}

func (j *job) noTest(w writtenTest, place string, all, heirs []string) error {
	f := fault.NoTest("there is no test %s in %s", j.Test, prepare.Show(j.Request, place))
	wanted := w.name
	like := source.Closest(wanted, all, maxLike)
	for _, full := range all {
		own := full[strings.LastIndexByte(full, '#')+1:]
		if len(like) < maxLike && wanted != "" && len(source.Closest(wanted, []string{own}, 1)) > 0 && !slices.Contains(like, full) {
			like = append(like, full)
		}
	}
	switch {
	case len(like) > 0:
		return prepare.Suggest(f, like)
	case len(all) == 0:
		return f.WithHint("no tests were found there; give the file: test/cart_test.rb::CartTest#test_total")
	}
	said := "the tests there are " + prepare.Enumerate(all, 20)
	if len(heirs) > 0 {
		said += ", and what " + prepare.Enumerate(heirs, 3) + " may inherit"
	}
	return f.WithHint("%s", said)
}
