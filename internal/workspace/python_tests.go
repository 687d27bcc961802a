package workspace

import (
	"path"
	"slices"
	"strings"

	"aidb-mcp/internal/pattern"
	"aidb-mcp/internal/pysrc"
)

var (
	pyPytest   = pattern.New(`(?m)^\s*(?:import|from)\s+pytest\b`)
	pyTestCase = pattern.New(`(?m)^class\s+\w+\([^)]*TestCase\b`)
	pyDjango   = pattern.New(`(?m)^\s*(?:import|from)\s+(?:django|rest_framework)\b`)
)

// undecided is the framework of tests that several can run, until the whole project
// is known.
const undecided = ""

func pythonTest(name string) bool {
	return strings.HasPrefix(name, "test_") || strings.HasSuffix(name, "_test.py")
}

// pythonTests names functions "test_a" and methods "TestClass::test_a".
func (s *scan) pythonTests(dir directory, rel, text string) {
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
		if !strings.HasPrefix(def.Name, "test") || !collected(def.Parent, units) {
			continue
		}
		if def.Parent == nil || !units[def.Parent.Path] { // only pytest runs it
			framework = "pytest"
		}
		names = append(names, strings.ReplaceAll(def.Path, ".", "::"))
	}
	s.suite(Suite{Language: "python", Framework: framework, Path: dir.rel, Target: rel}, names)
}

// collected says that tests within a definition are found: at the top of a file, in
// a class that unittest knows, and in those whose names are as pytest wants them.
func collected(in *pysrc.Def, units map[string]bool) bool {
	if in != nil && units[in.Path] {
		return in.Parent == nil
	}
	for ; in != nil; in = in.Parent {
		if !in.Class || !strings.HasPrefix(in.Name, "Test") {
			return false
		}
	}
	return true
}

// decide says what runs the tests that several can run: Django those that use it, below
// its manage.py; pytest where the project wants it; else unittest.
func (s *scan) decide() {
	pytest := s.py.pytest || slices.ContainsFunc(s.project.Tests, func(t Suite) bool { return t.Framework == "pytest" })
	for i := range s.project.Tests {
		t := &s.project.Tests[i]
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
		s.frameworks[Framework{"python", t.Framework}] = true
	}
}

func within(dir, rel string) bool {
	return dir == "." || rel == dir || strings.HasPrefix(path.Clean(rel), dir+"/")
}
