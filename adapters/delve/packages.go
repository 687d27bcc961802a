package delve

import (
	"cmp"
	"go/ast"
	"go/build"
	"go/parser"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	projects "aidb-mcp/adapters/delve/project"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/text/pattern"
)

// code is what the go command is to build: arguments for it, and where it runs.
type code struct {
	args []string // ".", files, or an import path
	from string   // the directory that go runs in
	dir  string   // of the package
}

// files reads which files of a directory make up its package here and now.
func (j job) files(dir string) (*build.Package, error) {
	c := goBuild()
	c.GOOS = cmp.Or(prepare.Lookup(j.env, "GOOS"), runtime.GOOS)
	c.GOARCH = cmp.Or(prepare.Lookup(j.env, "GOARCH"), runtime.GOARCH)
	c.CgoEnabled = c.CgoEnabled && prepare.Lookup(j.env, "CGO_ENABLED") != "0"
	c.BuildTags = j.tags
	return c.ImportDir(dir, 0)
}

// locateCode settles what a launch or test target means.
func (j job) locateCode(list lister) (code, error) {
	below, all := strings.CutSuffix(j.Target, "...")
	switch {
	case all && j.Test != "" && prepare.IsDir(prepare.Locate(j.Request, cmp.Or(below, "."))):
		dir := prepare.Physical(prepare.Locate(j.Request, cmp.Or(below, ".")))
		return code{args: []string{"."}, from: dir, dir: dir}, nil
	case j.Target == "" && j.Module == "" && j.Workspace != "":
		return code{args: []string{"."}, from: j.Workspace, dir: prepare.Physical(j.Workspace)}, nil
	case j.Target == "" && j.Module == "":
		return code{}, fault.New(fault.MissingParam, "target is missing: what is to be debugged?").WithField("target").
			WithHint(`a package directory, a .go file or an import path, for example {"target":"./cmd/app"}`)
	case j.Target == "":
		return j.importPath(j.Module, list)
	case prepare.IsDir(j.target):
		return code{args: []string{"."}, from: j.target, dir: j.target}, nil
	case filepath.Ext(j.target) == ".go" && prepare.Exists(j.target):
		return j.sourceFile()
	case prepare.Exists(j.target):
		return code{}, fault.New(fault.InvalidTarget, "%s is neither Go source nor a Go binary", prepare.Show(j.Request, j.target)).
			WithField("target").WithHint("give a package directory, a .go file, an import path or a binary built by Go")
	case strings.Contains(j.Target, "..."):
		return code{}, j.suggestPrograms(fault.New(fault.InvalidTarget, "%s names many packages, and one can be debugged at a time", j.Target).
			WithField("target"))
	case filepath.IsAbs(j.Target) || strings.HasPrefix(j.Target, ".") || filepath.Ext(j.Target) == ".go":
		return code{}, j.noSuchTarget()
	}
	return j.importPath(j.Target, list)
}

// sourceFile decides between a file alone and the package it belongs to. Alone
// stand files that are not part of the package: those of another build
// constraint ("ignore"), and main programs among a library's files.
func (j job) sourceFile() (code, error) {
	dir, name := filepath.Split(j.target)
	dir = filepath.Clean(dir)
	alone := code{args: []string{j.target}, from: dir, dir: dir}
	whole := code{args: []string{"."}, from: dir, dir: dir}
	if strings.HasSuffix(name, "_test.go") {
		return whole, nil
	}
	pkg, err := j.files(dir)
	if err != nil || !slices.Contains(pkg.GoFiles, name) && !slices.Contains(pkg.CgoFiles, name) {
		if j.Mode == "test" {
			return whole, nil
		}
		if packageName(j.target) == "main" {
			return alone, nil
		}
		return whole, nil
	}
	if mains := mainsIn(dir, pkg); j.Mode != "test" && len(mains) > 1 && slices.Contains(mains, name) {
		for _, sibling := range append(pkg.GoFiles, pkg.CgoFiles...) {
			if !slices.Contains(mains, sibling) {
				alone.args = append(alone.args, filepath.Join(dir, sibling))
			}
		}
		return alone, nil
	}
	if moduleRoot(dir) == "" && j.Mode != "test" {
		for _, sibling := range append(pkg.GoFiles, pkg.CgoFiles...) {
			if sibling != name {
				alone.args = append(alone.args, filepath.Join(dir, sibling))
			}
		}
		return alone, nil
	}
	return whole, nil
}

// mainsIn are the files of a package that declare a function main: in a
// directory of scripts there are several.
func mainsIn(dir string, pkg *build.Package) []string {
	if pkg == nil || pkg.Name != "main" {
		return nil
	}
	var files []string
	for _, name := range slices.Concat(pkg.GoFiles, pkg.CgoFiles) {
		if declaresMain(filepath.Join(dir, name)) {
			files = append(files, name)
		}
	}
	return files
}

var mainFunction = pattern.New(`func\s+main\b`)

// declaresMain reads a file that may be large, and mostly is another: only one
// that looks like it is parsed.
func declaresMain(file string) bool {
	text, err := boundedfile.ReadText(file)
	if err != nil || !mainFunction.Match(text) {
		return false
	}
	parsed := parseText(file, text, parser.SkipObjectResolution)
	return parsed != nil && slices.ContainsFunc(parsed.Decls, func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		return ok && fn.Recv == nil && fn.Name.Name == "main"
	})
}

func packageName(file string) string {
	parsed := parse(file, parser.PackageClauseOnly)
	if parsed == nil || parsed.Name == nil {
		return ""
	}
	return parsed.Name.Name
}

// importPath asks the go command where a package is.
func (j job) importPath(path string, list lister) (code, error) {
	dir, err := list(j.Workspace, path)
	if err != nil {
		f := fault.New(fault.InvalidTarget, "%q is neither a file nor a package that the workspace can import: %w", path, err).WithField("target")
		return code{}, j.suggestPrograms(f)
	}
	return code{args: []string{path}, from: j.Workspace, dir: dir}, nil
}

// lister finds the directory of an import path, seen from a directory.
type lister func(from, path string) (dir string, err error)

// needMain refuses a package that is no program, and says where programs are.
func (j job) needMain(c code) error {
	if filepath.Ext(c.args[0]) == ".go" {
		return nil // it was looked at
	}
	pkg, err := j.files(c.dir)
	switch {
	case isNoGo(err):
		f := fault.New(fault.InvalidTarget, "%s has no main package: there are no Go files to build in it", prepare.Show(j.Request, c.dir))
		if pkg != nil && len(pkg.IgnoredGoFiles) > 0 {
			f = fault.New(fault.InvalidTarget, "all Go files in %s are excluded by build constraints: %s",
				prepare.Show(j.Request, c.dir), strings.Join(pkg.IgnoredGoFiles, ", ")).
				WithHint(`give the build tags, for example {"build_args":["-tags=integration"]}`)
			return f.WithField("target")
		}
		return j.suggestPrograms(f.WithField("target"))
	case err != nil:
		return nil // let the compiler say it: it says it better
	case pkg.Name == "main":
		return j.needOneMain(c, mainsIn(c.dir, pkg))
	}
	f := fault.New(fault.InvalidTarget, "%s is package %s, not a main package: there is nothing to run", prepare.Show(j.Request, c.dir), pkg.Name).
		WithField("target")
	if len(pkg.TestGoFiles)+len(pkg.XTestGoFiles) > 0 {
		return f.WithHint(`debug its tests instead: {"target":%q,"mode":"test"}`, cmp.Or(j.Target, "."))
	}
	return j.suggestPrograms(f)
}

// needOneMain refuses a directory of several programs: which is meant?
func (j job) needOneMain(c code, mains []string) error {
	if len(mains) < 2 {
		return nil
	}
	for i, name := range mains {
		mains[i] = prepare.Show(j.Request, filepath.Join(c.dir, name))
	}
	return fault.New(fault.InvalidTarget, "%s holds %d programs, each a file with a function main", prepare.Show(j.Request, c.dir), len(mains)).
		WithField("target").WithHint("give one of them as target: %s", strings.Join(mains[:min(len(mains), maxSuggestions)], ", ")).
		WithDetails(prepare.Candidates{Candidates: mains})
}

// maxSuggestions bounds what an error proposes.
const maxSuggestions = 5

// suggestPrograms adds the main packages nearby to an error.
func (j job) suggestPrograms(f *fault.Error) *fault.Error {
	root := cmp.Or(moduleRoot(cmp.Or(existingDir(j.target), j.Workspace)), j.Workspace)
	f = f.WithHint("give the directory of a main package, or of a package with tests and mode test")
	if root == "" {
		return f
	}
	found, err := workspace.Languages{&projects.Support}.Detect(root)
	if err != nil {
		return f
	}
	var programs []string
	for _, p := range found.Programs {
		if p.Language == "go" && len(programs) < maxSuggestions {
			programs = append(programs, prepare.Show(j.Request, filepath.Join(root, filepath.FromSlash(p.Path))))
		}
	}
	if len(programs) == 0 {
		return f
	}
	return f.WithHint("main packages here: %s", strings.Join(programs, ", ")).WithDetails(prepare.Candidates{Candidates: programs})
}

// existingDir is the nearest directory of path that exists.
func existingDir(path string) string {
	for path != "" && !prepare.IsDir(path) {
		parent := filepath.Dir(path)
		if parent == path {
			return ""
		}
		path = parent
	}
	return path
}
