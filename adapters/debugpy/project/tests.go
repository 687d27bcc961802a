package project

import (
	"aidb-mcp/internal/project/workspace"
	"path"
	"slices"
	"strings"

	"aidb-mcp/adapters/debugpy/project/pysrc"
	"aidb-mcp/adapters/debugpy/project/pytestini"
	"aidb-mcp/internal/text/pattern"
)

var (
	pyPytest   = pattern.New(`(?m)^\s*(?:import|from)\s+pytest\b`)
	pyTestCase = pattern.New(`(?m)^class\s+\w+\([^)]*TestCase\b`)
	pyDjango   = pattern.New(`(?m)^\s*(?:import|from)\s+(?:django|rest_framework)\b`)
)

// undecided is the framework of tests that several can run, until the whole project
// is known.
const undecided = ""

// pytestRules are how tests are called, and the directory whose files say so.
type pytestRules struct {
	pytestini.Config
	dir string
}

// pytestConfig notes what a directory configures of pytest.
func (s *scan) pytestConfig(dir workspace.Directory) {
	c, ok := pytestini.Of(func(name string) (string, bool) {
		if !dir.Has(name) {
			return "", false
		}
		return s.Read(workspace.Join(dir.Rel, name)), true
	})
	if ok {
		s.py.configs[dir.Rel], s.py.pytest = c, true
	}
}

// pytestRules are those of the nearest directory above that configures pytest.
func (s *scan) pytestRules(dir string) pytestRules {
	for ; ; dir = path.Dir(dir) {
		if c, ok := s.py.configs[dir]; ok {
			return pytestRules{c, dir}
		}
		if dir == "." {
			return pytestRules{pytestini.Default(), dir}
		}
	}
}

func (r pytestRules) inside(rel string) string { return strings.TrimPrefix(rel, r.dir+"/") }

// pythonTests adds the tests of a file, and says whether it is one of tests. Where every
// file may be one, those are that have any.
func (s *scan) pythonTests(dir workspace.Directory, rel, text string) bool {
	name := path.Base(rel)
	rules := s.pytestRules(dir.Rel)
	switch {
	case name == "tests.py" && pyTestCase.MatchString(text), pytestini.Default().File(name) && rules.File(rules.inside(rel)):
		s.pythonSuite(dir, rel, text, rules)
		return true
	case rules.File(rules.inside(rel)):
		return s.pythonSuite(dir, rel, text, rules)
	}
	return false
}

// pythonSuite names functions "test_a" and methods "TestClass::test_a", and says whether
// there are any.
func (s *scan) pythonSuite(dir workspace.Directory, rel, text string, rules pytestRules) bool {
	framework := undecided
	if pyPytest.MatchString(text) {
		framework = "pytest"
	}
	if pyDjango.MatchString(text) {
		s.py.django[rel] = true
	}
	var names []string
	units := map[string]bool{} // classes of unittest
	for _, def := range pysrc.Scan(text) {
		if def.Class {
			units[def.Path] = slices.ContainsFunc(strings.Split(def.Bases, ","), func(base string) bool {
				return strings.Contains(base, "TestCase") || units[strings.TrimSpace(base)]
			})
			continue
		}
		unit := def.Parent != nil && units[def.Parent.Path]
		if unit && !strings.HasPrefix(def.Name, "test") || !unit && !rules.Function(def.Name) || !rules.collects(def.Parent, units) {
			continue
		}
		if !unit { // only pytest runs it
			framework = "pytest"
		}
		names = append(names, strings.ReplaceAll(def.Path, ".", "::"))
	}
	s.AddSuite(workspace.Suite{Language: "python", Framework: framework, Path: dir.Rel, Target: rel, Aside: !rules.Looks(rules.inside(rel))}, names)
	return len(names) > 0
}

// collects says that tests within a definition are found: at the top of a file, in
// a class that unittest knows, and in those whose names are as pytest wants them.
func (r pytestRules) collects(in *pysrc.Def, units map[string]bool) bool {
	if in != nil && units[in.Path] {
		return in.Parent == nil
	}
	for ; in != nil; in = in.Parent {
		if !in.Class || !r.Class(in.Name) {
			return false
		}
	}
	return true
}

// decide says what runs the tests that several can run: Django those that use it, below
// its manage.py; pytest where the project wants it; else unittest.
func (s *scan) decide() {
	pytest := s.py.pytest || slices.ContainsFunc(s.Project.Tests, func(t workspace.Suite) bool { return t.Framework == "pytest" })
	for i := range s.Project.Tests {
		t := &s.Project.Tests[i]
		if t.Language != "python" || t.Framework != undecided {
			continue
		}
		switch {
		case s.py.django[t.Target] && slices.ContainsFunc(s.py.manages, func(dir string) bool { return within(dir, t.Path) }):
			t.Framework = "Django"
		case pytest:
			t.Framework = "pytest"
		case s.py.django[t.Target]:
			t.Framework = "Django" // that of its own, or an extension's
		default:
			t.Framework, t.Module = "unittest", "unittest"
		}
		s.AddFramework(workspace.Framework{Language: "python", Name: t.Framework})
	}
}

func within(dir, rel string) bool {
	return dir == "." || rel == dir || strings.HasPrefix(path.Clean(rel), dir+"/")
}
