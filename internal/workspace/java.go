package workspace

import (
	"regexp"
	"strings"
)

var (
	javaMain  = regexp.MustCompile(`(?m)(?:^|\{)[ \t]*(?:public\s+)?(?:static\s+)?(?:final\s+)?(?:public\s+)?(?:static\s+)?void\s+main\s*\(`)
	javaTest  = regexp.MustCompile(`@(?:Test|ParameterizedTest|RepeatedTest)\b(?:\([^)]*\))?(?:\s*@\w+(?:\([^)]*\))?)*\s+(?:public\s+|protected\s+)?(?:final\s+)?(?:void|\w+)\s+(\w+)\s*\(`)
	javaJUnit = regexp.MustCompile(`(?m)^import\s+(?:static\s+)?org\.(junit\.jupiter|junit|testng)\b`)
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
		m := javaJUnit.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		framework := map[string]string{"junit.jupiter": "JUnit 5", "junit": "JUnit 4", "testng": "TestNG"}[m[1]]
		var names []string
		for _, method := range submatches(javaTest, text) {
			names = append(names, class+"."+method)
		}
		s.suite(Suite{Language: "java", Framework: framework, Path: dir.rel, Target: rel}, names)
	}
}
