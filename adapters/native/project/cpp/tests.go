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
	googleUse  = pattern.New(`(?m)^[ \t]*#[ \t]*include[ \t]*[<"](?:[\w./-]*/)?g(?:test|mock)[\w./-]*[>"]`)
	doctestUse = pattern.New(`(?m)^\s*#\s*include\s*[<"](?:[\w./-]*/)?doctest\.h[>"]`)
	catchUse   = pattern.New(`(?m)^\s*#\s*include\s*[<"](?:[\w./-]*/)?catch(?:2/[\w./]+|\.hpp|_test_macros\.hpp|_all\.hpp|_amalgamated\.hpp)[>"]`)
)

// included is the file that a line includes, whichever way.
var included = pattern.New(`(?m)^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]`)

const mostIncludes = 3 // files from a source to the framework's own

// testsOfSource are those of a source file that a framework that is known here runs. Others
// have macros of the same names: what says which framework it is is what the source includes,
// by itself or through headers of the project. The tests of no such framework are run by the
// program that has them.
func (s *scan) testsOfSource(dir, text string) (framework string, tests []string) {
	google, catch := googleTests(text), catchTests(text)
	if len(google)+len(catch) == 0 {
		return "", nil
	}
	switch framework = s.frameworkOf(dir, text, mostIncludes); {
	case framework == "GoogleTest" && len(google) > 0:
		return framework, google
	case framework != "GoogleTest" && framework != "" && len(catch) > 0:
		return framework, catch
	}
	return "", nil
}

// frameworkOf is what a text includes: empty for none that is known here.
func (s *scan) frameworkOf(dir, text string, depth int) string {
	switch {
	case googleUse.MatchString(text):
		return "GoogleTest"
	case catchUse.MatchString(text):
		return "Catch2"
	case doctestUse.MatchString(text):
		return "doctest"
	case depth == 0:
		return ""
	}
	for _, header := range workspace.Submatches(included, text) {
		for at := dir; ; at = path.Dir(at) { // beside it, or from where the compiler is told to look
			if found := s.headerFramework(path.Join(at, header), depth); found != "" {
				return found
			}
			if found := s.headerFramework(path.Join(at, "include", header), depth); found != "" {
				return found
			}
			if at == "" || at == "." {
				break
			}
		}
	}
	return ""
}

// headerFramework is what a header includes, which is read once.
func (s *scan) headerFramework(rel string, depth int) string {
	if strings.HasPrefix(rel, "../") {
		return ""
	}
	framework, isKnown := s.natives.frameworks[rel]
	if !isKnown {
		s.natives.frameworks[rel] = "" // for one that includes itself
		if text := s.Read(rel); text != "" {
			framework = s.frameworkOf(path.Dir(rel), text, depth-1)
			s.natives.frameworks[rel] = framework
		}
	}
	return framework
}

// googleTests are the tests of a source file that are written as GoogleTest's are.
func googleTests(text string) []string {
	var tests []string
	for _, m := range googleTest.FindAllStringSubmatch(text, -1) {
		if !strings.HasPrefix(m[2], "DISABLED_") && !strings.HasPrefix(m[1], "DISABLED_") {
			tests = append(tests, m[1]+"."+m[2])
		}
	}
	return tests
}

// catchTests are those that are written as Catch2's and doctest's are.
func catchTests(text string) []string {
	var tests []string
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
	return tests
}
