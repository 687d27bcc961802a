package project

import (
	"go/ast"
	"go/build"
	"go/doc"
	"go/parser"
	"go/token"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/mod/modfile"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/system/boundedfile"
)

// maxGoFile is the largest Go file that is parsed, in bytes.
const maxGoFile = 1 << 20

// goTestImports are the test frameworks known by what tests import.
var goTestImports = map[string]string{
	"github.com/stretchr/testify/": "testify",
	"github.com/onsi/ginkgo":       "ginkgo",
	"gopkg.in/check.v1":            "gocheck",
	"github.com/google/go-cmp/":    "go-cmp",
}

// golang looks for a main package and for tests among the files of a directory,
// leaving out files that this platform or their build tags exclude.
func (s *scan) golang(dir workspace.Directory) {
	var program *workspace.Program
	suites := goSuites(dir.Rel)
	for _, e := range dir.Entries {
		name := e.Name()
		if e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") && len(s.Project.Tests) >= workspace.MaxList {
			continue
		}
		file, fset := s.parseGo(dir.Rel, name)
		switch {
		case file == nil:
		case strings.HasSuffix(name, "_test.go"):
			s.goTests(suites, file)
			for i := range suites {
				if at := s.Changed(workspace.Join(dir.Rel, name)); at.After(suites[i].Changed) {
					suites[i].Changed = at
				}
			}
		case file.Name.Name == "main":
			program = goProgram(program, dir.Rel, name, file, fset)
		}
	}
	if program != nil && program.File != "" && s.Room(len(s.Project.Programs)) {
		s.Project.Programs = append(s.Project.Programs, *program)
	}
	for _, suite := range suites {
		if suite.Total > 0 && s.Room(len(s.Project.Tests)) {
			s.AddFramework(workspace.Framework{Language: "go", Name: suite.Framework})
			s.Project.Tests = append(s.Project.Tests, suite)
		}
	}
}

// goKind is what go test runs, by the beginning of its functions' names.
type goKind struct {
	prefix, framework string
	special           bool
}

var goKinds = []goKind{
	{"Test", "go test", false}, {"Fuzz", "go fuzz", true}, {"Benchmark", "go benchmark", true}, {"Example", "go example", false},
}

const goExample = 3 // of goKinds

// goSuites are those of a package, in the order of goKinds, still empty.
func goSuites(path string) []workspace.Suite {
	suites := make([]workspace.Suite, len(goKinds))
	for i, kind := range goKinds {
		suites[i] = workspace.Suite{Language: "go", Framework: kind.framework, Path: path, Special: kind.special}
	}
	return suites
}

// parseGo parses a Go file that belongs to this platform's build, nil when it
// does not, when it is broken, or when the limit is reached. Files that are
// neither tests nor of a main package are only read up to the package clause.
func (s *scan) parseGo(rel, name string) (*ast.File, *token.FileSet) {
	dir := s.Abs(rel)
	path := s.Abs(workspace.Join(rel, name))
	if info, err := os.Stat(path); err != nil || info.Size() > maxGoFile {
		return nil, nil
	}
	if !s.Spend() {
		s.Project.Truncated = true
		return nil, nil
	}
	c := build.Default
	c.OpenFile = func(path string) (io.ReadCloser, error) { return boundedfile.Open(path) }
	if match, err := c.MatchFile(dir, name); err != nil || !match {
		return nil, nil
	}
	fset := token.NewFileSet()
	mode := parser.ParseComments | parser.SkipObjectResolution
	text, err := boundedfile.ReadText(path)
	if err != nil {
		return nil, nil
	}
	file, err := parser.ParseFile(fset, path, text, mode|parser.PackageClauseOnly)
	if err != nil {
		return nil, nil
	}
	if file.Name.Name != "main" && !strings.HasSuffix(name, "_test.go") {
		return file, fset
	}
	// A file with a syntax error still shows what comes before it.
	file, _ = parser.ParseFile(fset, path, text, mode)
	return file, fset
}

// goProgram adds what a file says about its main package: the entry point and
// the documentation may stand in different files.
func goProgram(p *workspace.Program, rel, name string, file *ast.File, fset *token.FileSet) *workspace.Program {
	if p == nil {
		p = &workspace.Program{Language: "go", Path: rel}
	}
	if p.Doc == "" && file.Doc != nil {
		p.Doc = new(doc.Package).Synopsis(file.Doc.Text())
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "main" {
			p.File, p.Line = workspace.Join(rel, name), fset.Position(f.Name.Pos()).Line
		}
	}
	return p
}

func (s *scan) goTests(suites []workspace.Suite, file *ast.File) {
	for _, e := range doc.Examples(file) {
		if e.Output != "" || e.EmptyOutput { // else it is only compiled
			add(&suites[goExample], "Example"+e.Name)
		}
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil || f.Type.Params.NumFields() != 1 {
			continue
		}
		kind := slices.IndexFunc(goKinds, func(k goKind) bool { return isTestName(f.Name.Name, k.prefix) })
		if kind < 0 {
			continue
		}
		add(&suites[kind], f.Name.Name)
	}
	for _, i := range file.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			continue
		}
		for prefix, name := range goTestImports {
			if strings.HasPrefix(path, prefix) {
				s.AddFramework(workspace.Framework{Language: "go", Name: name})
			}
		}
	}
}

// add counts a test of the suite.
func add(s *workspace.Suite, name string) {
	if s.Total++; len(s.Names) < workspace.MaxNames {
		s.Names = append(s.Names, name)
	}
}

// isTestName follows the rule of go test: the prefix alone or before what is no lower-case letter.
func isTestName(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	first, _ := utf8.DecodeRuneInString(rest)
	return ok && rest != "Main" && !unicode.IsLower(first)
}

// modulePath reads the module's path from a go.mod, empty when it has none.
func modulePath(path string) string {
	text, err := boundedfile.ReadText(path)
	if err != nil {
		return ""
	}
	return modfile.ModulePath(text)
}
