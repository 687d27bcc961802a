package weave

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/recording"
)

// ErrBroken is what a program is that cannot be built as it stands.
var ErrBroken = errors.New("the program cannot be built")

// list finds the packages of the program whose sources can be woven into: those that
// are not the standard library's and do not lie in the module cache, which the go
// command builds as they are.
func (w *weaver) list(ctx context.Context) error {
	roots, err := packages.Load(w.config(ctx, packages.NeedName|packages.NeedFiles|packages.NeedImports|packages.NeedDeps|packages.NeedModule), w.Args...)
	if err != nil {
		return fmt.Errorf("listing the packages of the program: %w", err)
	}
	packages.Visit(roots, nil, func(pkg *packages.Package) {
		for _, e := range pkg.Errors {
			err = errors.Join(err, fmt.Errorf("%w: %w", ErrBroken, e))
		}
		if len(pkg.GoFiles) == 0 || pkg.PkgPath == "unsafe" || strings.HasSuffix(pkg.ID, ".test") {
			return
		}
		if pkg.Module == nil && !slices.Contains(roots, pkg) {
			if pkg.PkgPath == "runtime" {
				w.root = rootOf(pkg)
			}
			return
		}
		w.hasC = w.hasC || slices.ContainsFunc(pkg.OtherFiles, isC)
		if m := pkg.Module; m == nil || m.Main || m.Replace != nil && m.Replace.Version == "" || isVendored(pkg) {
			w.units = append(w.units, pkg)
		}
	})
	if err == nil && w.root == "" { // the program imports nothing
		err = w.findRoot(ctx)
	}
	if err != nil {
		return err
	}
	w.home = w.freeHome()
	if w.root == "" || w.home == "" {
		return fmt.Errorf("the Go installation was not found among the packages of the program")
	}
	return nil
}

// isC: the C compiler is needed for it.
func isC(file string) bool {
	return slices.Contains([]string{".c", ".cc", ".cpp", ".cxx", ".m"}, filepath.Ext(file))
}

// rootOf is the Go installation, from the package runtime.
func rootOf(runtime *packages.Package) string {
	return filepath.Dir(filepath.Dir(filepath.Dir(runtime.GoFiles[0])))
}

func (w *weaver) findRoot(ctx context.Context) error {
	list, err := packages.Load(w.config(ctx, packages.NeedName|packages.NeedFiles), "runtime")
	for _, pkg := range list {
		if pkg.PkgPath == "runtime" && len(pkg.GoFiles) > 0 {
			w.root = rootOf(pkg)
		}
	}
	return err
}

func isVendored(pkg *packages.Package) bool {
	return strings.Contains(filepath.ToSlash(pkg.GoFiles[0]), "/vendor/")
}

func (w *weaver) config(ctx context.Context, mode packages.LoadMode) *packages.Config {
	return &packages.Config{Context: ctx, Dir: w.Dir, Env: w.Env, BuildFlags: w.Flags, Tests: w.Tests, Mode: mode}
}

// freeHome is the folder of the standard library that the recorder's package is put
// into: one that no module of the program is called like.
func (w *weaver) freeHome() string {
	for _, home := range homes {
		taken := slices.ContainsFunc(w.units, func(p *packages.Package) bool { return p.PkgPath == home || strings.HasPrefix(p.PkgPath, home+"/") })
		at := filepath.Join(w.root, "src", home)
		files, _ := filepath.Glob(filepath.Join(at, "*.go"))
		if info, err := os.Stat(at); !taken && err == nil && info.IsDir() && len(files) == 0 {
			return home
		}
	}
	return ""
}

// chooseFiles finds the files that the spec may be about. Their types are known unless only
// calls are wanted: these need none.
func (w *weaver) chooseFiles(ctx context.Context) ([]*sourceFile, error) {
	units := w.concernedPackages()
	w.unmet(units)
	if w.Spec.Calls == nil {
		var err error
		if units, err = w.loadTypes(ctx, units); err != nil {
			return nil, err
		}
	}
	// The variant of a package with its tests has all files of the plain one.
	slices.SortStableFunc(units, func(a, b *packages.Package) int { return len(b.GoFiles) - len(a.GoFiles) })
	var files []*sourceFile
	seen := map[string]bool{}
	for _, pkg := range units {
		for i, file := range pkg.Syntax {
			name := pkg.Fset.File(pkg.Syntax[i].Pos()).Name()
			if seen[name] || !slices.Contains(pkg.GoFiles, name) {
				continue // seen, or made by cgo
			}
			seen[name] = true
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			files = append(files, &sourceFile{weaver: w, pkg: pkg, syntax: file, name: name, text: text})
		}
	}
	slices.SortFunc(files, func(a, b *sourceFile) int { return strings.Compare(a.name, b.name) })
	return files, nil
}

// concernedPackages are the packages in which the spec has something: of the user's modules, and
// of others what only they have of what it names.
func (w *weaver) concernedPackages() (units []*packages.Package) {
	names, _ := w.names()
	wanted := names
	for _, pkg := range w.units {
		if isUserPackage(pkg) && w.concerns(pkg, names) {
			units = append(units, pkg)
		}
	}
	switch {
	case w.Spec.Writes != nil: // a pointer may lead there from anywhere, and it may lie in another's file
		for _, pkg := range w.units {
			if !isUserPackage(pkg) && w.Spec.Writes.Line > 0 && hasFile(pkg, w.Spec.Writes.File) {
				units = append(units, pkg)
			}
		}
		return units
	case len(units) > 0 && len(w.Spec.Values) == 0:
		if wanted = w.unmatchedNames(units, names); len(wanted) == 0 {
			return units
		}
	}
	for _, pkg := range w.units {
		if !isUserPackage(pkg) && w.concerns(pkg, wanted) {
			units = append(units, pkg)
		}
	}
	return units
}

func isUserPackage(pkg *packages.Package) bool { return pkg.Module == nil || pkg.Module.Main }

func hasFile(pkg *packages.Package, file string) bool {
	return slices.ContainsFunc(pkg.GoFiles, func(name string) bool { return sameFile(file, name) })
}

// unmatchedNames are those of the names that nothing in some packages has.
func (w *weaver) unmatchedNames(units []*packages.Package, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.ContainsFunc(units, func(pkg *packages.Package) bool { return w.has(pkg, []string{name}) })
	})
}

// concerns says whether a package may have something of the spec in it, and keeps its
// syntax where that had to be read. Names are those of the spec that are looked for.
func (w *weaver) concerns(pkg *packages.Package, names []string) bool {
	if w.Spec.Writes != nil {
		return true
	}
	for _, v := range w.Spec.Values {
		if hasFile(pkg, v.File) {
			return true
		}
	}
	if len(names) == 0 {
		return w.Spec.First != nil && isUserPackage(pkg)
	}
	return w.has(pkg, names)
}

// has says that some names are about something in a package.
func (w *weaver) has(pkg *packages.Package, names []string) bool {
	for _, at := range names { // a place of the scope
		if file, line := recording.FileLine(at); line > 0 && hasFile(pkg, file) {
			return true
		}
	}
	w.parse(pkg)
	for _, file := range pkg.Syntax {
		f := &sourceFile{weaver: w, pkg: pkg, syntax: file, name: pkg.Fset.File(file.Pos()).Name()}
		if slices.ContainsFunc(f.functions(), func(fn *function) bool { return f.isNamedBy(fn, names) }) {
			return true
		}
	}
	return false
}

// parse reads the files of a package.
func (w *weaver) parse(pkg *packages.Package) {
	if pkg.Syntax != nil {
		return
	}
	pkg.Fset = token.NewFileSet()
	for _, name := range pkg.GoFiles {
		if file, err := parser.ParseFile(pkg.Fset, name, nil, parser.ParseComments|parser.SkipObjectResolution); err == nil {
			pkg.Syntax = append(pkg.Syntax, file)
		}
	}
}

// loadTypes loads packages again, with their types. Test files are wanted of those
// only that are tested.
func (w *weaver) loadTypes(ctx context.Context, units []*packages.Package) ([]*packages.Package, error) {
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedModule |
		packages.NeedCompiledGoFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes
	var plain []string
	tested := false
	for _, pkg := range units {
		if strings.Contains(pkg.ID, " [") || pkg.PkgPath == "command-line-arguments" || w.Tests && len(w.Args) == 1 && w.Args[0] == "." && pkg.Dir == w.Dir {
			tested = true // or its files are given by name
		} else if !slices.Contains(plain, pkg.PkgPath) {
			plain = append(plain, pkg.PkgPath)
		}
	}
	var all []*packages.Package
	load := func(tests bool, patterns ...string) error {
		c := w.config(ctx, mode)
		c.Tests = tests
		c.ParseFile = func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
			return parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		}
		list, err := packages.Load(c, patterns...)
		if err != nil {
			return fmt.Errorf("reading the types of the program: %w", err)
		}
		for _, pkg := range list {
			for _, e := range pkg.Errors {
				return fmt.Errorf("%w: %w", ErrBroken, e)
			}
			if !strings.HasSuffix(pkg.ID, ".test") {
				all = append(all, pkg)
			}
		}
		return nil
	}
	if tested {
		if err := load(w.Tests, w.Args...); err != nil {
			return nil, err
		}
	}
	if len(plain) > 0 {
		if err := load(false, plain...); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// similarFunctions are functions of the program that are called almost like those that are not
// found.
func (w *weaver) similarFunctions(names []string) []string {
	var all []string
	for _, pkg := range w.units {
		w.parse(pkg)
		for _, file := range pkg.Syntax {
			f := &sourceFile{weaver: w, pkg: pkg, syntax: file}
			for _, fn := range f.functions() {
				if fn.literal == nil {
					all = append(all, fn.name)
				}
			}
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	last := func(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
	var lasts, near []string
	for _, name := range all {
		lasts = append(lasts, last(name))
	}
	for _, name := range names {
		like := append([]string{last(name)}, source.Closest(last(name), lasts, 2)...)
		for _, full := range all {
			if len(near) < 4 && slices.Contains(like, last(full)) && !slices.Contains(near, full) {
				near = append(near, full)
			}
		}
	}
	return near
}

// outside says why a file cannot be woven into, if it lies where the go command takes
// files as they are.
func (w *weaver) outside(file string) string {
	if strings.HasPrefix(file, filepath.Join(w.root, "src")+string(filepath.Separator)) {
		return ": the standard library is built as it is"
	}
	if strings.Contains(filepath.ToSlash(file), "/pkg/mod/") {
		return ": files of the module cache are built as they are, until go mod vendor has brought them into the module"
	}
	return ""
}
