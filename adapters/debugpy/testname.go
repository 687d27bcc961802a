package debugpy

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters/debugpy/project/pysrc"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/text/pattern"
)

// test is a test function or class found in the source, or a whole file or directory.
type test struct {
	file   string // absolute; a directory when def is nil and it is one
	def    *pysrc.Def
	params string // of a parametrised test, with its brackets
	method string // that def, a class, inherits; empty for what def itself is
	made   string // names that only running the file makes; def is nil then
}

// class is what a method is defined in, or the class that it is itself.
func (t test) class() *pysrc.Def {
	class := t.def
	for class != nil && !class.Class {
		class = class.Parent
	}
	return class
}

func (t test) isInClass() bool { return t.class() != nil }

// isUnittest says that unittest can run it.
func (t test) isUnittest() bool {
	class := t.class()
	return class != nil && strings.Contains(class.Bases, "TestCase")
}

// parts are the names from the file on: TestShop, test_total.
func (t test) parts() []string {
	if t.made != "" {
		return strings.Split(t.made, ".")
	}
	if t.def == nil {
		return nil
	}
	parts := strings.Split(t.def.Path, ".")
	if t.method != "" {
		parts = append(parts, t.method)
	}
	return parts
}

// id is the test as pytest names it, its file relative to dir.
func (t test) id(dir string) string {
	id := strings.Join(append([]string{prepare.Below(dir, t.file)}, t.parts()...), "::")
	return id + t.params
}

// dottedName is the test as unittest names it.
func (t test) dottedName(dir string) string {
	return strings.Join(append([]string{moduleOf(dir, t.file)}, t.parts()...), ".")
}

// writtenTest is a test as the user wrote it: a file or directory perhaps, then names.
type writtenTest struct {
	file   string   // as written, may be empty
	names  []string // class, function
	params string
}

// readTest reads "tests/test_x.py::TestY::test_z[1]", "TestY.test_z", "tests.test_x.TestY.test_z".
func readTest(text string) writtenTest {
	var w writtenTest
	if at := strings.IndexByte(text, '['); at > 0 && strings.HasSuffix(text, "]") {
		text, w.params = text[:at], text[at:]
	}
	parts := strings.Split(text, "::")
	if strings.HasSuffix(parts[0], ".py") || strings.Contains(parts[0], "/") {
		w.file, parts = parts[0], parts[1:]
	}
	for _, part := range parts {
		w.names = append(w.names, strings.Split(part, ".")...)
	}
	w.names = slices.DeleteFunc(w.names, func(s string) bool { return s == "" })
	return w
}

// find looks the wanted test up in the source.
func (j *job) findTest(ctx context.Context, dir string) (test, error) {
	w := readTest(j.Test)
	place := j.target
	if w.file != "" {
		place = prepare.Locate(j.Request, w.file)
		if !prepare.Exists(place) {
			beside := filepath.Join(dir, w.file)
			if j.target != "" && prepare.IsDir(j.target) && !prepare.Exists(beside) {
				beside = filepath.Join(j.target, w.file)
			}
			place = beside
		}
	}
	if place == "" {
		place = dir
	}
	if filepath.Base(place) == manageScript && len(w.names) > 0 {
		place = filepath.Dir(place) // it only runs them
	}
	place = prepare.Physical(place)
	if !prepare.Exists(place) {
		return test{}, prepare.Missing(j.Request, place)
	}
	if len(w.names) == 0 {
		return test{file: place}, nil
	}
	return j.searchTest(ctx, w, place, dir)
}

// searchTest scans the file, or the test files below the directory.
func (j *job) searchTest(ctx context.Context, w writtenTest, place, dir string) (test, error) {
	var found, modules, heirs []test
	var there tests
	class, method := "", w.names[len(w.names)-1]
	if len(w.names) > 1 {
		class = strings.Join(w.names[:len(w.names)-1], ".")
	}
	wanted := strings.Join(w.names, ".")
	names := namings{dir, map[string]naming{}}
	err := eachTestFile(ctx, place, names, func(file string, text []byte) {
		named := names.inDir(filepath.Dir(file))
		for _, def := range pysrc.Scan(string(text)) {
			d := definition{module: moduleOf(dir, file), def: def}
			if def.Parent != nil && !def.Parent.Class { // within a function
				continue
			}
			if !def.Class && named.Function(def.Name) || strings.HasPrefix(def.Name, "test") || def.Class && (named.Class(def.Name) || strings.Contains(def.Name, "Test")) {
				there.names = append(there.names, def.Path)
				if def.Class && mayInherit(def) {
					there.heirs = append(there.heirs, def.Path)
				}
			}
			switch {
			case d.isNamed(wanted):
				found = append(found, test{file: file, def: def, params: w.params})
			case class != "" && def.Class && mayInherit(def) && d.isNamed(class):
				heirs = append(heirs, test{file: file, def: def, params: w.params, method: method})
			}
		}
		if moduleOf(dir, file) == wanted || strings.HasSuffix(moduleOf(dir, file), "."+wanted) {
			modules = append(modules, test{file: file})
		}
	})
	for _, less := range [][]test{modules, heirs} { // a test may have the name of its module
		if len(found) == 0 {
			found = less
		}
	}
	switch {
	case err != nil:
		return test{}, err
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0 && j.makesTestNames(place):
		return test{file: place, made: wanted, params: w.params}, nil
	case len(found) == 0:
		return test{}, j.noTest(wanted, place, there)
	}
	ids := make([]string, len(found))
	for i, t := range found {
		ids[i] = t.id(dir)
	}
	return test{}, fault.New(fault.InvalidParam, "%d tests are called %s", len(found), j.Test).WithField("test").
		WithHint("say which: %s", strings.Join(ids[:min(len(ids), 5)], " or ")).
		WithDetails(prepare.Candidates{Candidates: ids[:min(len(ids), 20)]})
}

// making matches code that gives a module names which its source does not show.
var making = pattern.New(`\b(?:globals|vars|exec)\s*\(|\bsetattr\s*\(|\bsys\.modules\b|\btype\s*\([^()]*,|\bimport\s+\*`)

// makesTestNames says that a file may have tests that its source does not show: whether
// there are any, pytest knows when it has run it.
func (j *job) makesTestNames(file string) bool {
	if j.Module == "unittest" || prepare.IsDir(file) {
		return false
	}
	text, err := boundedfile.ReadText(file)
	return err == nil && making.MatchString(string(text))
}

// mayInherit says that a class may have methods that its source does not show.
func mayInherit(class *pysrc.Def) bool {
	for base := range strings.SplitSeq(class.Bases, ",") {
		name := strings.TrimSpace(base)
		name = name[strings.LastIndexByte(name, '.')+1:]
		if name != "" && !slices.Contains(testless, name) {
			return true
		}
	}
	return false
}

// testless are the classes of unittest, of Django and of its REST framework, which have no tests.
var testless = []string{
	"object", "TestCase", "IsolatedAsyncioTestCase", "SimpleTestCase", "TransactionTestCase", "LiveServerTestCase",
	"StaticLiveServerTestCase", "APISimpleTestCase", "APITestCase", "APITransactionTestCase",
}

const (
	mostNamed = 20 // tests in a hint
	mostHeirs = 3
)

// tests are those that sources show by name, and the classes among them that may inherit more.
type tests struct{ names, heirs []string }

func (j *job) noTest(wanted, place string, there tests) error {
	all := there.names
	f := fault.NoTest("there is no test %s in %s", j.Test, prepare.Show(j.Request, place))
	like := source.Closest(wanted, all, 3)
	if len(like) == 0 { // by its own name, in whatever class
		last := wanted[strings.LastIndexByte(wanted, '.')+1:]
		for _, name := range all {
			own := name[strings.LastIndexByte(name, '.')+1:]
			if len(source.Closest(last, []string{own}, 1)) > 0 && len(like) < 3 {
				like = append(like, name)
			}
		}
	}
	switch {
	case len(like) > 0:
		return prepare.Suggest(f, like)
	case len(all) == 0:
		return f.WithHint("no tests were found there; give the file: tests/test_x.py::test_y")
	}
	said := "the tests there are " + prepare.Enumerate(all, mostNamed)
	if len(there.heirs) > 0 {
		said += ", and what " + prepare.Enumerate(there.heirs, mostHeirs) + " may inherit"
	}
	return f.WithHint("%s", said)
}

// eachTestFile reads a file, or what looks like a test file below a directory.
func eachTestFile(ctx context.Context, place string, names namings, visit func(file string, text []byte)) error {
	if !prepare.IsDir(place) {
		return eachSource(ctx, []string{place}, func(_, file string, text []byte) { visit(file, text) })
	}
	return eachSource(ctx, []string{place}, func(_, file string, text []byte) {
		name := filepath.Base(file)
		if isTestFile(name) || name == "tests.py" || names.inDir(filepath.Dir(file)).isTestFile(file) || strings.Contains(filepath.ToSlash(prepare.Below(place, file)), "test") {
			visit(file, text)
		}
	})
}

// describe is the test for people.
func (t test) describe(dir string) string {
	if t.def == nil && t.made == "" {
		return fmt.Sprintf("tests of %s", prepare.Below(dir, t.file))
	}
	return t.id(dir)
}
