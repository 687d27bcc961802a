package workspace

import (
	"strings"

	"aidb-mcp/internal/pattern"
)

var (
	pyMain      = pattern.New(`(?m)^if\s+__name__\s*==\s*['"]__main__['"]\s*:`)
	pyDocstring = pattern.New(`^(?:\s*#[^\n]*\n)*\s*(?:"""|''')\s*([^\n"']+)`)
	pyTop       = pattern.New(`(?m)^(?:class\s+(\w+)\s*(\([^)]*\))?\s*:|(?:async\s+)?def\s+(test\w*)\s*\()`)
	pyMethod    = pattern.New(`(?m)^[ \t]+(?:async\s+)?def\s+(test\w*)\s*\(`)
	pyPytest    = pattern.New(`(?m)^\s*(?:import|from)\s+pytest\b`)
)

// python looks for scripts with a main part, packages that can be run, and tests.
func (s *scan) python(dir directory) {
	for _, name := range dir.files(".py", ".pyw") {
		rel := join(dir.rel, name)
		if name == "__init__.py" || name == "conftest.py" || name == "setup.py" {
			continue
		}
		text := s.read(rel)
		switch {
		case strings.HasPrefix(name, "test_") || strings.HasSuffix(name, "_test.py"):
			s.pythonTests(dir, rel, text)
		case name == "__main__.py" && dir.rel != ".":
			s.program(Program{Language: "python", Path: dir.rel, Target: dir.rel, File: rel, Line: 1, Doc: pythonDoc(text)})
		default:
			if line := lineOf(pyMain, text); line > 0 {
				s.program(Program{Language: "python", Path: dir.rel, Target: rel, File: rel, Line: line, Doc: pythonDoc(text)})
			}
		}
	}
}

func pythonDoc(text string) string {
	if m := pyDocstring.FindStringSubmatch(text); m != nil {
		return sentence(m[1])
	}
	return ""
}

// pythonTests names functions "test_a" and methods "TestClass::test_a".
func (s *scan) pythonTests(dir directory, rel, text string) {
	framework := "unittest"
	if pyPytest.MatchString(text) || s.frameworks[Framework{"python", "pytest"}] {
		framework = "pytest"
	}
	var names []string
	tops := pyTop.FindAllStringSubmatchIndex(text, -1)
	for i, m := range tops {
		if m[6] >= 0 { // a function of its own: only pytest runs it
			names, framework = append(names, text[m[6]:m[7]]), "pytest"
			continue
		}
		class, bases, end := text[m[2]:m[3]], "", len(text)
		if m[4] >= 0 {
			bases = text[m[4]:m[5]]
		}
		if i+1 < len(tops) {
			end = tops[i+1][0]
		}
		if !strings.HasPrefix(class, "Test") && !strings.Contains(bases, "TestCase") {
			continue
		}
		for _, method := range submatches(pyMethod, text[m[1]:end]) {
			names = append(names, class+"::"+method)
		}
	}
	s.suite(Suite{Language: "python", Framework: framework, Path: dir.rel, Target: rel}, names)
}
