package workspace

import (
	"cmp"
	"slices"
	"strings"

	"aidb-mcp/internal/pattern"
)

var (
	javaMain  = pattern.New(`(?m)(?:^|\{)[ \t]*(?:public\s+)?(?:static\s+)?(?:final\s+)?(?:public\s+)?(?:static\s+)?void\s+main\s*\(`)
	javaTest  = pattern.New(`@(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)\b(?:\([^)]*\))?(?:\s*@\w+(?:\([^)]*\))?)*\s+(?:public\s+|protected\s+)?(?:final\s+)?(?:void|[\w.]+(?:<[^(){};]*>)?(?:\[\])?)\s+(\w+)\s*\(`)
	javaClass = pattern.New(`(?m)^(?:@\w+(?:\([^)]*\))?\s+)*((?:public|abstract|final|sealed|strictfp)\s+)*class\s+(\w+)(?:<[^{]*>)?(?:\s+extends\s+([\w.]+))?`)
	javaJUnit = pattern.New(`(?m)^import\s+(?:static\s+)?org\.(junit\.jupiter|junit|testng)\b`)
)

// java looks for classes with a main method and for tests.
func (s *scan) java(dir directory) {
	for _, name := range dir.files(".java") {
		rel := join(dir.rel, name)
		text := s.read(rel)
		class := strings.TrimSuffix(name, ".java")
		if line := lineOf(javaMain, text); line > 0 {
			s.program(Program{Language: "java", Path: dir.rel, Target: rel, File: rel, Line: line})
		}
		framework, methods := s.javaTests(dir, text, mostParents)
		if framework == "" || strings.Contains(javaHead(text), "abstract ") {
			continue
		}
		var names []string
		for _, method := range methods {
			names = append(names, class+"."+method)
		}
		s.suite(Suite{Language: "java", Framework: framework, Path: dir.rel, Target: rel}, names)
	}
}

// mostParents bounds how far up the classes that tests are inherited from are followed.
const mostParents = 4

// javaTests are the tests of a class with the framework they are of: its own, then
// those of the classes above it that lie beside it.
func (s *scan) javaTests(dir directory, text string, left int) (framework string, methods []string) {
	if m := javaJUnit.FindStringSubmatch(text); m != nil {
		framework = map[string]string{"junit.jupiter": "JUnit 5", "junit": "JUnit 4", "testng": "TestNG"}[m[1]]
	}
	methods = submatches(javaTest, text)
	m := javaClass.FindStringSubmatch(text)
	if m == nil || m[3] == "" || left == 0 || !dir.has(m[3]+".java") {
		return framework, methods
	}
	above, inherited := s.javaTests(dir, s.read(join(dir.rel, m[3]+".java")), left-1)
	for _, name := range inherited {
		if !slices.Contains(methods, name) {
			methods = append(methods, name)
		}
	}
	return cmp.Or(framework, above), methods
}

// javaHead is the head of the first class of a file.
func javaHead(text string) string { return javaClass.FindString(text) }
