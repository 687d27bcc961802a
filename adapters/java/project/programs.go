package project

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"aidb-mcp/adapters/java/project/javasrc"
	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/text/pattern"
)

var (
	javaMain = pattern.New(`(?m)(?:^|\{)[ \t]*(?:public\s+)?(?:static\s+)?(?:final\s+)?(?:public\s+)?(?:static\s+)?void\s+main\s*\(`)
	javaDoc  = pattern.New(`(?s)/\*\*((?:[^*]|\*[^/])*)\*/\s*(?:@[\w.]+(?:\([^)]*\))?\s*)*(?:(?:public|final|abstract|sealed)\s+)*(?:class|record|interface|enum)\s`)
	// tests that need more than the project: a container, a machine that is up
	javaHeavy = pattern.New(`@Testcontainers\b|@Container\b|GenericContainer<`)
)

// javaScan is what is known of a workspace's Java besides its lists.
type javaScan struct {
	declared map[string]bool            // classes that a build file names as programs
	tests    map[javaClass]*javaSources // by their classes
	late     map[string]bool            // targets that need more than the project
}

// javaClass is an outermost class: modules may have some of the same name.
type javaClass struct {
	module string
	name   string // shop.CartTest
}

// javaSources are the tests of a source.
type javaSources struct {
	target    string
	framework string
	names     map[string]bool // CartTest.WhenFilled.total
}

// java looks for classes with a main method and for tests.
func (s *scan) java(dir workspace.Directory) {
	s.javaBuild(dir)
	var classes []*javasrc.Class
	texts := map[string]string{}
	framework, tested := "", false
	for _, name := range dir.Files(".java") {
		if javaResource(dir.Rel) {
			return
		}
		rel := workspace.Join(dir.Rel, name)
		text := s.Read(rel)
		texts[rel] = text
		s.javaProgram(dir.Rel, rel, text)
		framework = cmp.Or(framework, javaFramework(text))
		tested = tested || javasrc.Marked(text) || strings.Contains(text, "junit.framework")
	}
	if !tested {
		return
	}
	for _, name := range dir.Files(".java") {
		rel := workspace.Join(dir.Rel, name)
		for _, c := range javasrc.Classes(texts[rel]) {
			c.File = rel
			classes = append(classes, c)
		}
	}
	s.javaTests(dir.Rel, framework, javasrc.Tests(classes), texts)
}

// javaResource says that sources of a directory are data of tests, which nothing compiles.
func javaResource(dir string) bool { return strings.Contains("/"+dir+"/", "/resources/") }

func (s *scan) javaProgram(dir, rel, text string) {
	if !strings.Contains(text, "main") {
		return
	}
	line := workspace.LineOf(javaMain, text)
	if line == 0 {
		return
	}
	p := workspace.Program{Language: "java", Path: javaRoot(dir, text), Target: rel, File: rel, Line: line}
	if m := javaDoc.FindStringSubmatch(text); m != nil {
		p.Doc = workspace.Sentence(strings.ReplaceAll(strings.TrimLeft(m[1], " *\n\t"), "\n *", "\n"))
	}
	p.Framework, p.Serves = s.javaServer(dir, text)
	p.Usual = s.javas.declared[javaName(rel, text)]
	s.AddProgram(p)
}

// javaTests lists tests by their files; those that are marked not to be run come last.
// Where a source does not tell their framework, as they are inherited, it is that of
// the others in its directory.
func (s *scan) javaTests(dir, framework string, tests []javasrc.Test, texts map[string]string) {
	byFile := map[string][]javasrc.Test{}
	var files []string
	for _, t := range tests {
		file := t.Class.File
		if byFile[file] == nil {
			files = append(files, file)
		}
		byFile[file] = append(byFile[file], t)
	}
	for _, file := range files {
		slices.SortStableFunc(byFile[file], func(a, b javasrc.Test) int { return workspace.CompareBool(a.Off, b.Off) })
		of := &javaSources{target: file, framework: cmp.Or(javaFramework(texts[file]), framework), names: map[string]bool{}}
		var names []string
		for _, t := range byFile[file] {
			name := t.Short()
			names, of.names[name] = append(names, name), true
		}
		if of.framework == "" || byFile[file][0].Off {
			continue // of nobody that we know, or none of them is run
		}
		s.javas.tests[javaClass{s.javaModule(dir), javaName(file, texts[file])}] = of
		s.javas.late[file] = strings.HasSuffix(file, "IT.java") || javaHeavy.MatchString(texts[file])
		root := javaRoot(dir, texts[file])
		s.AddSuite(workspace.Suite{Language: "java", Framework: of.framework, Path: root, Target: file, Library: strings.HasSuffix("/"+root, "/src/main/java")}, names)
	}
}

// javaFramework is what the tests of a source are of, empty for none that is known.
func javaFramework(text string) string {
	for _, f := range []struct{ from, name string }{
		{"org.junit.jupiter", "JUnit 5"}, {"org.testng", "TestNG"}, {"org.junit.", "JUnit 4"}, {"junit.framework", "JUnit 3"},
	} {
		if strings.Contains(text, f.from) {
			return f.name
		}
	}
	return ""
}

// javaRoot is the directory that the packages of a source begin in: what lies
// below says nothing of what it is for.
func javaRoot(dir, text string) string {
	pkg := strings.ReplaceAll(javasrc.Package(text), ".", "/")
	if root, ok := strings.CutSuffix("/"+dir, "/"+pkg); ok && pkg != "" {
		return cmp.Or(strings.TrimPrefix(root, "/"), ".")
	}
	return dir
}

// javaName is the class that a source is named after.
func javaName(file, text string) string {
	name := strings.TrimSuffix(path.Base(file), ".java")
	if pkg := javasrc.Package(text); pkg != "" {
		return pkg + "." + name
	}
	return name
}

// javaModule is the directory of the module that sources are of.
func (s *scan) javaModule(dir string) string {
	if before, _, ok := strings.Cut("/"+dir+"/", "/src/"); ok {
		return cmp.Or(strings.TrimPrefix(before, "/"), ".")
	}
	built := s.BuildDirectories()
	for ; dir != "."; dir = path.Dir(dir) {
		if slices.Contains(built, dir) {
			break
		}
	}
	return dir
}

// arrangeJava puts tests that need more than the project after the rest of Java's.
func (s *scan) arrangeJava() {
	tests := s.Project.Tests
	var places []int
	var taken []workspace.Suite
	for i, t := range tests {
		if t.Language == "java" {
			places, taken = append(places, i), append(taken, t)
		}
	}
	slices.SortStableFunc(taken, func(a, b workspace.Suite) int {
		return workspace.CompareBool(s.javas.late[a.Target], s.javas.late[b.Target])
	})
	for i, place := range places {
		tests[place] = taken[i]
	}
}
