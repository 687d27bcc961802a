package cpp

import (
	"path"
	"strconv"
	"strings"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/text/pattern"
)

var (
	googleTest = pattern.New(`(?m)^[ \t]*(?:TYPED_)?TEST(?:_F|_P)?\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)`)
	catchTest  = pattern.New(`(?m)^[ \t]*(?:TEMPLATE_)?(TEST_CASE|SCENARIO|TEST_CASE_METHOD|TEST_CASE_FIXTURE|TEST_CASE_TEMPLATE)\s*\(\s*(?:[\w:<>]+\s*,\s*)?("(?:[^"\\\n]|\\.)*")`)
	doctestUse = pattern.New(`(?m)^\s*#\s*include\s*[<"](?:doctest/)?doctest\.h[>"]`)
	catchUse   = pattern.New(`(?m)^\s*#\s*include\s*[<"](?:[\w./-]*/)?catch(?:2/[\w./]+|\.hpp|_test_macros\.hpp|_all\.hpp|_amalgamated\.hpp)[>"]`)
)

var (
	quotedInclude = pattern.New(`(?m)^\s*#\s*include\s*"([^"\n]+)"`)
	ownMacro      = pattern.New(`(?m)^\s*#\s*define\s+TEST(?:_F)?\s*\(`)
)

// testsOfSource are those of a source file that a framework that is known here runs.
func (s *scan) testsOfSource(dir, text string) (framework string, tests []string) {
	framework, tests = cppTests(text)
	if framework == "GoogleTest" && s.hasOwnTests(dir, text) {
		return "", nil
	}
	return framework, tests
}

// hasOwnTests says that what looks like GoogleTest's in a source is the project's own: a
// header beside it defines the macros. Such tests are run by the program that has them.
func (s *scan) hasOwnTests(dir, text string) bool {
	if strings.Contains(text, "gtest") || strings.Contains(text, "gmock") {
		return false
	}
	for _, header := range workspace.Submatches(quotedInclude, text) {
		rel := path.Join(dir, header)
		own, known := s.natives.ownMacros[rel]
		if !known && !strings.HasPrefix(rel, "../") {
			own = ownMacro.MatchString(s.Read(rel))
			s.natives.ownMacros[rel] = own
		}
		if own {
			return true
		}
	}
	return false
}

// cppTests are the tests of a source file, and the framework that they are written with.
func cppTests(text string) (framework string, tests []string) {
	for _, m := range googleTest.FindAllStringSubmatch(text, -1) {
		if !strings.HasPrefix(m[2], "DISABLED_") && !strings.HasPrefix(m[1], "DISABLED_") {
			tests = append(tests, m[1]+"."+m[2])
		}
	}
	if len(tests) > 0 {
		return "GoogleTest", tests
	}
	for _, m := range catchTest.FindAllStringSubmatch(text, -1) {
		name, err := strconv.Unquote(m[2])
		switch {
		case err != nil || name == "":
			continue
		case m[1] == "SCENARIO":
			name = "Scenario: " + name
		}
		tests = append(tests, name)
	}
	if len(tests) > 0 && doctestUse.MatchString(text) && !catchUse.MatchString(text) {
		return "doctest", tests
	}
	return "Catch2", tests
}
