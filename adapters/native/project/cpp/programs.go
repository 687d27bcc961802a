package cpp

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/text/pattern"
)

var (
	cMain    = pattern.New(`(?m)^(?:[ \t]*(?:extern\s+"C"\s+)?(?:int|auto|void)|[A-Z]\w*)\s+main\s*\(`)
	cServer  = pattern.New(`\b(?:accept|accept4)\s*\(|\bhttplib::(?:SSL)?Server\b|\bcrow::|\bdrogon::|\bPistache::|\bMHD_start_daemon\b`)
	cSources = []string{".c", ".cc", ".cpp", ".cxx"}
)

// nativeFiles are what a look has found of C and C++. What builds a source file is
// known when all has been seen.
type nativeFiles struct {
	cmake, meson map[string]*buildFile // by directory
	make         map[string]*makefile
	dirs         []string // of all of them, nearest to the root first
	sources      []cSource
	others       map[string]bool   // directories that are built by what is not known here
	named        map[nameIn]string // the targets of tests
	frameworks   map[string]string // of tests, that headers include; empty for those that include none
}

// nameIn is the name of a test in a project, which is known by its directory.
type nameIn struct{ top, name string }

// buildFile is what a CMakeLists.txt or a meson.build says.
type buildFile struct {
	file      string
	project   string // what it is called; empty when another project includes it
	programs  []namedAt
	tests     []registered
	testsOff  []string // arguments that turn on the tests, which are not built otherwise
	variables map[string]string
}

// namedAt is a name and the line where it stands.
type namedAt struct {
	name string
	line int
}

// registered is a test that a build tool knows, with the program that it runs, if
// that is one of the project's.
type registered struct{ name, program string }

// cSource is a source file that has something to start.
type cSource struct {
	dir, rel  string
	main      int // line of its main function, 0 when it has none
	serves    bool
	framework string
	tests     []string
}

// testy are names of programs that are tests.
var testy = pattern.New(`(?i)(?:^|[_./-])(?:unit)?tests?(?:[_./-]|$)|[a-z](?:Unit)?Tests?$`)

// otherBuilders are files of Bazel's and of GNU's build system, whose makefile is yet to
// be made: what lies below is not compiled file by file.
var otherBuilders = []string{"MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel", "BUILD.bazel", "configure.ac"}

// native notes what of C and C++ a directory has.
func (s *scan) native(dir workspace.Directory) {
	n := &s.natives
	if dir.Has("CMakeLists.txt") {
		n.cmake[dir.Rel] = readCMake(workspace.Join(dir.Rel, "CMakeLists.txt"), s.Read(workspace.Join(dir.Rel, "CMakeLists.txt")))
	}
	if dir.Has("meson.build") {
		n.meson[dir.Rel] = readMeson(workspace.Join(dir.Rel, "meson.build"), s.Read(workspace.Join(dir.Rel, "meson.build")))
	}
	unconfigured := dir.Has("configure.ac") && !dir.Has("Makefile") && !dir.Has("makefile")
	if unconfigured && n.file(dir.Rel) == nil {
		s.Project.Notes = append(s.Project.Notes, configureRemedy(dir))
	}
	for _, name := range []string{"GNUmakefile", "makefile", "Makefile"} {
		if dir.Has(name) && !unconfigured { // a GNUmakefile alone says only that there is no makefile yet
			n.make[dir.Rel] = readMakefile(s.Read(workspace.Join(dir.Rel, name)))
			break
		}
	}
	n.others[dir.Rel] = slices.ContainsFunc(otherBuilders, dir.Has)
	if n.cmake[dir.Rel] != nil || n.meson[dir.Rel] != nil {
		n.dirs = append(n.dirs, dir.Rel)
	}
	for _, name := range dir.Files(cSources...) {
		rel := workspace.Join(dir.Rel, name)
		text := s.Read(rel)
		source := cSource{dir: dir.Rel, rel: rel, main: workspace.LineOf(cMain, text)}
		source.serves = source.main > 0 && cServer.MatchString(text)
		if source.framework, source.tests = s.testsOfSource(dir.Rel, text); source.main > 0 || len(source.tests) > 0 {
			n.sources = append(n.sources, source)
		}
	}
}

// configureRemedy says how the makefile is made that GNU's build system has none of at first.
func configureRemedy(dir workspace.Directory) string {
	first := "./configure"
	if !dir.Has("configure") {
		first = "autoreconf -i && ./configure"
	}
	return workspace.Join(dir.Rel, "configure.ac") + ": there is no makefile yet, and so nothing to start; run `" + first + "` there first"
}

// natively makes programs and tests of what native has noted.
func (s *scan) natively() {
	n := &s.natives
	withTests := map[string]bool{} // projects
	for _, source := range n.sources {
		top := n.top(source.dir)
		if len(source.tests) > 0 {
			withTests[top] = true
			s.cppSuite(source, top)
		}
	}
	for _, dir := range n.dirs {
		file, top := cmp.Or(n.cmake[dir], n.meson[dir]), n.top(dir)
		s.addPrograms(dir, top, file)
		if !withTests[top] {
			s.addRegisteredTests(dir, top, file)
		}
	}
	s.mainFunctions()
}

// top is the directory of the project of CMake or Meson that a directory belongs
// to, empty when it is none's. Of CMake's it is the highest whose CMakeLists.txt
// names a project, where nothing but such files lies between.
func (n *nativeFiles) top(dir string) string {
	top, named := "", false
	for at := dir; ; at = path.Dir(at) {
		file, meson := n.cmake[at], n.meson[at]
		switch {
		case meson != nil && meson.project != "" && top == "" && file == nil:
			return at
		case file == nil && named:
			return top
		case file != nil && file.project != "":
			top, named = at, true
		case file != nil && top == "":
			top = at
		}
		if at == "." {
			return top
		}
	}
}

func (n *nativeFiles) file(dir string) *buildFile { return cmp.Or(n.cmake[dir], n.meson[dir]) }

// fillVariables fills a name in a build file in where its variables are plain;
// empty where one is not.
func (n *nativeFiles) fillVariables(name string, file, top *buildFile) string {
	for _, f := range []*buildFile{file, top} {
		if f != nil {
			name = f.expand(name)
		}
	}
	if plainName.MatchString(name) {
		return name
	}
	return ""
}

var plainName = pattern.New(`^[\w.+ /:-]+$`)

// cppSuite notes the tests of a source file. A makefile is asked for the program
// that they are in.
func (s *scan) cppSuite(source cSource, top string) {
	suite := workspace.Suite{Language: "cpp", Framework: source.framework, Path: source.dir, Target: source.rel, Changed: s.Changed(source.rel)}
	switch made := s.natives.makeDir(source.dir); {
	case top != "":
		suite.BuildArgs = s.natives.testsOff(top)
	case made != "":
		suite.Target, suite.Module = made, s.natives.make[made].goalOf(relative(made, source.rel))
	case s.natives.elsewhere(source.dir):
		return
	case source.framework == "GoogleTest": // a file alone, which says nothing of libraries
		suite.BuildArgs = []string{"-lgtest_main", "-lgtest", "-pthread"}
	}
	for _, name := range source.tests {
		s.natives.named[nameIn{top, name}] = suite.Target
	}
	s.AddSuite(suite, source.tests)
}

func (n *nativeFiles) testsOff(top string) []string {
	if file := n.file(top); file != nil {
		return file.testsOff
	}
	return nil
}

// addPrograms notes the programs that a build file names and that are no tests.
func (s *scan) addPrograms(dir, top string, file *buildFile) {
	project := s.natives.file(top)
	for _, p := range file.programs {
		name := s.natives.fillVariables(p.name, file, project)
		if name == "" || testy.MatchString(name) || testy.MatchString(dir) || file.runs(p.name) {
			continue
		}
		s.addProgram(workspace.Program{Language: "cpp", Path: dir, Target: top, Module: name, File: file.file, Line: p.line, Usual: project != nil && project.project == name || slices.Contains(s.Project.Names(), strings.ToLower(name))})
	}
}

// runs says whether a program is registered as a test.
func (f *buildFile) runs(program string) bool {
	return slices.ContainsFunc(f.tests, func(t registered) bool { return t.program == program })
}

// interpreter is what runs scripts: a debugger of C++ shows nothing of those.
var interpreter = pattern.New(`(?i)python|perl|bash|\bsh$|cmake_command|\.(?:py|sh|pl|cmake)$`)

// addRegisteredTests notes the tests that CTest or Meson knows, where no framework's
// were found.
func (s *scan) addRegisteredTests(dir, top string, file *buildFile) {
	project, framework := s.natives.file(top), "CTest"
	if s.natives.cmake[dir] == nil {
		framework = "Meson"
	}
	var programs []string
	names := map[string][]string{}
	for _, t := range file.tests {
		name := s.natives.fillVariables(t.name, file, project)
		program := s.natives.fillVariables(t.program, file, project)
		if name == "" || interpreter.MatchString(t.program) {
			continue
		}
		if !slices.Contains(programs, program) {
			programs = append(programs, program)
		}
		names[program] = append(names[program], name)
		s.natives.named[nameIn{top, name}] = top
	}
	slices.SortStableFunc(programs, func(a, b string) int { return workspace.CompareBool(a == "", b == "") })
	for _, program := range programs {
		s.AddSuite(workspace.Suite{
			Language: "cpp", Framework: framework, Path: dir, Target: top, Module: program,
			BuildArgs: s.natives.testsOff(top), Changed: s.Changed(file.file),
		}, names[program])
	}
}

// mainFunctions notes the files with a main function that no build file accounts
// for by name: those below a makefile, those that are compiled alone, and those of
// projects whose build files name no program.
func (s *scan) mainFunctions() {
	made, building := s.madePrograms(), s.natives.buildingProjects()
	for _, source := range s.natives.sources {
		top, dir := s.natives.top(source.dir), s.natives.makeDir(source.dir)
		program := workspace.Program{Language: "cpp", Path: source.dir, Target: source.rel, File: source.rel, Line: source.main, Serves: source.serves}
		switch {
		case source.main == 0 || len(source.tests) > 0 || building[top]:
			continue
		case top == "" && dir == "" && s.natives.elsewhere(source.dir):
			continue
		case top == "" && dir != "":
			program.Target = dir
			if made[dir].count > 1 {
				program.Module = s.natives.make[dir].goalOf(relative(dir, source.rel))
				if program.Module == "" && made[dir].plain {
					continue // it is not made
				}
				program.Usual = slices.Contains(s.Project.Names(), strings.ToLower(path.Base(program.Module)))
			}
		}
		s.addProgram(program)
	}
}

// mains is what is known of the programs below a makefile: how many files have a main
// function, and whether it is plain for any which goal that is.
type mains struct {
	count int
	plain bool
}

func (s *scan) madePrograms() map[string]mains {
	all := map[string]mains{}
	for _, source := range s.natives.sources {
		if dir := s.natives.makeDir(source.dir); source.main > 0 && dir != "" && s.natives.top(source.dir) == "" {
			m := all[dir]
			m.count++
			m.plain = m.plain || s.natives.make[dir].goalOf(relative(dir, source.rel)) != ""
			all[dir] = m
		}
	}
	return all
}

// buildingProjects are the projects whose build files name a program.
func (n *nativeFiles) buildingProjects() map[string]bool {
	tops := map[string]bool{}
	for _, dir := range n.dirs {
		if len(n.file(dir).programs) > 0 {
			tops[n.top(dir)] = true
		}
	}
	return tops
}

// makeDir is the nearest directory above with a makefile, empty when there is none.
func (n *nativeFiles) makeDir(dir string) string {
	for at := dir; ; at = path.Dir(at) {
		if n.make[at] != nil {
			return at
		}
		if at == "." {
			return ""
		}
	}
}

// elsewhere says whether a directory is built by what is not known here.
func (n *nativeFiles) elsewhere(dir string) bool {
	return slices.ContainsFunc(workspace.Ancestors(dir), func(at string) bool { return n.others[at] })
}

// relative is a path below a directory, seen from there.
func relative(dir, rel string) string { return strings.TrimPrefix(rel, dir+"/") }
