package workspace

import (
	"strconv"
	"strings"

	"aidb-mcp/internal/pattern"
)

var (
	googleTest = pattern.New(`(?m)^[ \t]*(?:TYPED_)?TEST(?:_F|_P)?\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)`)
	catchTest  = pattern.New(`(?m)^[ \t]*(?:TEMPLATE_)?(TEST_CASE|SCENARIO|TEST_CASE_METHOD|TEST_CASE_FIXTURE|TEST_CASE_TEMPLATE)\s*\(\s*(?:[\w:<>]+\s*,\s*)?("(?:[^"\\\n]|\\.)*")`)
	doctestUse = pattern.New(`(?m)^\s*#\s*include\s*[<"](?:doctest/)?doctest\.h[>"]`)
	catchUse   = pattern.New(`(?m)^\s*#\s*include\s*[<"](?:[\w./-]*/)?catch(?:2/[\w./]+|\.hpp|_test_macros\.hpp|_all\.hpp|_amalgamated\.hpp)[>"]`)
)

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
