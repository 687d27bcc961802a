package project

import (
	"slices"
	"strings"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/text/pattern"
)

// pyImports are the names of modules that a file imports.
var pyImports = pattern.New(`(?m)^[ \t]*(?:from[ \t]+(\w+)|import[ \t]+([\w., \t]+))`)

// looseScripts are the files of a directory that do something when they are run, without a
// main part that says so, and the modules which the files beside them import.
type looseScripts struct {
	scripts  []pythonFile
	imported []string
}

type pythonFile struct {
	program workspace.Program
	text    string
}

func (l *looseScripts) imports(text string) {
	for _, names := range workspace.Submatches(pyImports, text) {
		for name := range strings.SplitSeq(names, ",") {
			if words := strings.Fields(name); len(words) > 0 {
				l.imported = append(l.imported, words[0])
			}
		}
	}
}

// looseScripts adds those that no other file imports: what others import is a library,
// whatever it does on the way.
func (s *scan) looseScripts(l looseScripts) {
	for _, f := range l.scripts {
		name := f.program.File[strings.LastIndexByte(f.program.File, '/')+1:]
		if !slices.Contains(l.imported, strings.TrimSuffix(name, ".py")) {
			f.program.Loose = true
			s.pythonScript(f.program, f.text)
		}
	}
}

// pythonScript adds a file that runs something. One of a package that imports from it is run
// as a module, for as a script it would not find the package.
func (s *scan) pythonScript(p workspace.Program, text string) {
	root, module := s.pythonModule(p.File, text)
	top, _, packaged := strings.Cut(module, ".")
	if packaged && (pyRelative.MatchString(text) || strings.Contains(text, "from "+top+".") || strings.Contains(text, "from "+top+" import") || strings.Contains(text, "import "+top)) {
		p.Runner = module
		if root != "." && root != "src" { // where it is found without being told
			p.Cwd = root
		}
	}
	s.script(p)
}
