package java

import (
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/internal/pattern"
	"aidb-mcp/internal/regular"
)

// A testMethod is one of a class of tests.
type testMethod struct {
	class  string // shop.CalcTest, CalcTest$Nested
	method string
	file   string
}

func (t testMethod) short() string {
	return t.class[strings.LastIndexByte(t.class, '.')+1:] + "." + t.method
}

// dotted is the class as people write it.
func (t testMethod) dotted() string { return strings.ReplaceAll(t.class, "$", ".") }

// A testClass is a class as far as its source tells of tests.
type testClass struct {
	name     string // shop.CalcTest
	parent   string // its superclass as the source names it
	file     string
	methods  []string
	abstract bool
	all      *pattern.Pattern // heads of methods that are tests without a mark
	depth    int              // of the braces round it
}

var (
	testMark   = pattern.New(`@(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)\b`)
	methodName = pattern.New(`\b([\p{L}_$][\p{L}\p{N}_$]*)\s*\(`)
	classStart = pattern.New(`\b(class|record|interface|enum)\s+([\p{L}_$][\p{L}\p{N}_$]*)`)
	extending  = pattern.New(`\bextends\s+([\p{L}\p{N}_$.]+)`)
	annotation = pattern.New(`@[\w.]+(?:\s*\((?:[^()"]|"(?:[^"\\]|\\.)*"|\([^()]*\))*\))?`)

	publicMethod = pattern.New(`\bpublic\s+(?:final\s+)?void\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*\(`) // TestNG's, of a marked class
	testNamed    = pattern.New(`\bpublic\s+void\s+(test[\p{L}\p{N}_$]*)\s*\(\s*\)`)              // JUnit 3's
)

// findTests reads the sources of a file or of all below a directory.
func findTests(top string) []testMethod {
	var classes []*testClass
	if filepath.Ext(top) == ".java" {
		// What it inherits tests from lies beside it, if anywhere near.
		beside, _ := filepath.Glob(filepath.Join(filepath.Dir(top), "*.java"))
		for _, file := range beside {
			classes = append(classes, classesIn(file)...)
		}
		return slices.DeleteFunc(testsOf(classes), func(t testMethod) bool { return t.file != top })
	}
	eachSource(top, func(file string) { classes = append(classes, classesIn(file)...) })
	return testsOf(classes)
}

// testsOf are the tests of classes, those that they inherit among them: abstract
// classes have theirs run by the ones that extend them.
func testsOf(classes []*testClass) []testMethod {
	bySimple := map[string]*testClass{}
	for _, c := range classes {
		bySimple[c.name[strings.LastIndexAny(c.name, ".$")+1:]] = c
	}
	var all []testMethod
	for _, c := range classes {
		if c.abstract {
			continue
		}
		var seen []string
		above := map[*testClass]bool{}
		for at := c; at != nil && !above[at]; at = bySimple[at.parent[strings.LastIndexByte(at.parent, '.')+1:]] {
			above[at] = true
			for _, m := range at.methods {
				if !slices.Contains(seen, m) {
					seen = append(seen, m)
					all = append(all, testMethod{c.name, m, c.file})
				}
			}
		}
	}
	return all
}

// classesIn finds the classes of a file and their tests by reading its lines;
// nested classes are told by the depth of braces.
func classesIn(file string) []*testClass {
	text, err := regular.ReadText(file)
	if err != nil || !testMark.Match(text) && !extending.Match(text) {
		return nil
	}
	var (
		all    []*testClass
		open   []*testClass // from the outermost to the one that the line is in
		depth  int
		marked bool
	)
	prefix := ""
	if pkg := packageOf(file); pkg != "" {
		prefix = pkg + "."
	}
	for line := range strings.Lines(withoutTexts(string(text))) {
		marked = marked || testMark.MatchString(line)
		bare := annotation.ReplaceAllString(line, "")
		if m := classStart.FindStringSubmatch(bare); m != nil {
			c := &testClass{name: prefix + m[2], file: file, depth: depth, abstract: m[1] == "interface" || strings.Contains(bare, "abstract ")}
			if len(open) > 0 {
				c.name = open[len(open)-1].name + "$" + m[2]
			}
			if up := extending.FindStringSubmatch(bare); up != nil {
				c.parent = up[1]
			}
			switch {
			case marked:
				c.all = publicMethod
			case c.parent == "TestCase" || c.parent == "junit.framework.TestCase":
				c.all = testNamed
			}
			all, open, marked = append(all, c), append(open, c), false
		} else if len(open) > 0 {
			marked = open[len(open)-1].take(bare, depth, marked)
		}
		depth += strings.Count(line, "{") - strings.Count(line, "}")
		for len(open) > 0 && strings.Contains(line, "}") && depth <= open[len(open)-1].depth {
			open = open[:len(open)-1]
		}
	}
	return all
}

// take looks for the head of a test in a line of the class; it answers whether
// the mark of one is still without its method.
func (c *testClass) take(line string, depth int, marked bool) bool {
	if marked {
		m := methodName.FindStringSubmatch(line)
		if m == nil {
			return true
		}
		c.methods = append(c.methods, m[1])
		return false
	}
	if c.all != nil && depth == c.depth+1 {
		if m := c.all.FindStringSubmatch(line); m != nil {
			c.methods = append(c.methods, m[1])
		}
	}
	return false
}

var texts = pattern.New(`(?s)/\*.*?\*/|//[^\n]*|"""(?:[^\\]|\\.)*?"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`)

// withoutTexts blanks comments and literals, keeping the lines.
func withoutTexts(text string) string {
	return texts.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) })
}
