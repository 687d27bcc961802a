// Package javasrc reads Java source as far as the names of its classes and of their
// tests go, by lines and the depth of braces, without a compiler. Text goes in,
// names come out: files are for those who have them.
package javasrc

import (
	"strings"

	"aidb-mcp/internal/text/pattern"
)

// Class is a class as far as its source tells of tests.
type Class struct {
	Name     string   // shop.CalcTest, shop.CalcTest$Nested
	Parent   string   // its superclass as the source names it
	Methods  []Method // its own tests
	Abstract bool     // it, or an interface
	File     string   // where it was read; for the reader's own use

	off   bool             // it is not to be run
	all   *pattern.Pattern // heads of methods that are tests without a mark
	depth int              // of the braces round it
}

// Method is a test of a class.
type Method struct {
	Name string
	Off  bool // it is marked not to be run
}

var (
	packageLine = pattern.New(`(?m)^\s*package\s+([\w.]+)\s*;`)
	testMark    = pattern.New(`@(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)\b`)
	offMark     = pattern.New(`@(?:[\w.]+\.)?(?:Disabled|Ignore)\b`)
	methodName  = pattern.New(`\b([\p{L}_$][\p{L}\p{N}_$]*)\s*\(`)
	classStart  = pattern.New(`\b(class|record|interface|enum)\s+([\p{L}_$][\p{L}\p{N}_$]*)`)
	extending   = pattern.New(`\bextends\s+([\p{L}\p{N}_$.]+)`)
	annotation  = pattern.New(`@[\w.]+`)

	publicMethod = pattern.New(`\bpublic\s+(?:final\s+)?void\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*\(`) // TestNG's, of a marked class
	testNamed    = pattern.New(`\bpublic\s+void\s+(test[\p{L}\p{N}_$]*)\s*\(\s*\)`)              // JUnit 3's
)

// Package is the package that a source declares.
func Package(text string) string {
	if m := packageLine.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// Marked says that a source has methods marked as tests.
func Marked(text string) bool { return testMark.MatchString(text) }

// Classes are the classes of a source that may have tests, with those. One that
// neither marks nor extends anything has none.
func Classes(text string) []*Class {
	if !testMark.MatchString(text) && !extending.MatchString(text) {
		return nil
	}
	r := reader{}
	if pkg := Package(text); pkg != "" {
		r.prefix = pkg + "."
	}
	for line := range strings.Lines(plainSource(text)) {
		r.line(line)
	}
	return r.all
}

// reader goes through the lines of a source.
type reader struct {
	prefix      string
	all, open   []*Class // open: from the outermost to the one that the line is in
	depth       int
	marked, off bool // by annotations before what they are about
}

func (r *reader) line(line string) {
	r.marked = r.marked || testMark.MatchString(line)
	r.off = r.off || offMark.MatchString(line)
	bare := annotation.ReplaceAllString(line, "")
	if m := classStart.FindStringSubmatch(bare); m != nil {
		r.begin(m[1], m[2], bare)
	} else if len(r.open) > 0 {
		r.marked = r.open[len(r.open)-1].take(bare, r.depth, r.marked, r.off)
		r.off = r.off && (r.marked || strings.TrimSpace(bare) == "")
	}
	r.depth += strings.Count(line, "{") - strings.Count(line, "}")
	for len(r.open) > 0 && strings.Contains(line, "}") && r.depth <= r.open[len(r.open)-1].depth {
		r.open = r.open[:len(r.open)-1]
	}
}

// begin opens a class.
func (r *reader) begin(kind, name, head string) {
	c := &Class{Name: r.prefix + name, depth: r.depth, off: r.off, Abstract: kind == "interface" || strings.Contains(head, "abstract ")}
	if len(r.open) > 0 {
		outer := r.open[len(r.open)-1]
		c.Name, c.off = outer.Name+"$"+name, c.off || outer.off
	}
	if up := extending.FindStringSubmatch(head); up != nil {
		c.Parent = up[1]
	}
	switch {
	case r.marked:
		c.all = publicMethod
	case c.Parent == "TestCase" || c.Parent == "junit.framework.TestCase":
		c.all = testNamed
	}
	r.all, r.open, r.marked, r.off = append(r.all, c), append(r.open, c), false, false
}

// take looks for the head of a test in a line of the class; it answers whether
// the mark of one is still without its method.
func (c *Class) take(line string, depth int, marked, off bool) bool {
	if marked {
		m := methodName.FindStringSubmatch(line)
		if m == nil {
			return true
		}
		c.Methods = append(c.Methods, Method{m[1], off || c.off})
		return false
	}
	if c.all != nil && depth == c.depth+1 {
		if m := c.all.FindStringSubmatch(line); m != nil {
			c.Methods = append(c.Methods, Method{m[1], off || c.off})
		}
	}
	return false
}

var (
	texts     = pattern.New(`(?s)/\*.*?\*/|//[^\n]*|"""(?:[^\\]|\\.)*?"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`)
	disabled  = pattern.New(`(@(?:[\w.]+\.)?Test)\s*\([^()]*\benabled\s*=\s*false[^()]*\)`) // TestNG's
	arguments = pattern.New(`(@[\w.]+)\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)`)         // of an annotation
	headGoes  = pattern.New(`\s*\n\s*(extends|implements)\b`)
)

// plainSource is a source without comments and literals, without the arguments of
// annotations, and with the head of each class on one line.
func plainSource(text string) string {
	text = texts.ReplaceAllString(text, "")
	text = disabled.ReplaceAllString(text, "$1 @Ignore")
	text = arguments.ReplaceAllString(text, "$1")
	return headGoes.ReplaceAllString(text, " $1")
}
