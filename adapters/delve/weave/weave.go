// Package weave puts statements of the recorder's into a Go program's sources as it is
// built, by an overlay: no file of the user's is touched, and lines stay where they
// are. It knows nothing of debuggers.
package weave

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording"
)

//go:embed recorder/recorder.go
var recorder embed.FS

// Program is what is woven into.
type Program struct {
	Dir   string   // where the go command runs, absolute
	Args  []string // the package, or the files, as go build is given them
	Env   []string
	Flags []string // of the build
	Tests bool
	Wish  recording.Wish
}

// folder is the directory of the recorder's package within the program's module.
const folder = "aidb_recorder"

// Weave writes an overlay for go build into dir, and answers with its path and
// remarks for the user. Errors are *fault.Error where the wish is at fault.
func Weave(ctx context.Context, p Program, dir string) (overlay string, remarks []string, err error) {
	list, err := load(ctx, p)
	if err != nil {
		return "", nil, err
	}
	w := &weaver{wish: p.Wish, dir: dir, replace: map[string]string{}, seen: map[string]bool{}}
	for _, pkg := range list {
		if pkg.Module == nil || !pkg.Module.Main {
			continue
		}
		w.module = pkg.Module
		if err := w.pkg(pkg); err != nil {
			return "", nil, err
		}
	}
	if err := w.missing(); err != nil {
		return "", nil, err
	}
	overlay, err = w.write()
	return overlay, w.remarks, err
}

// load type-checks the packages of the program that are the user's.
func load(ctx context.Context, p Program) ([]*packages.Package, error) {
	c := &packages.Config{Context: ctx, Dir: p.Dir, Env: p.Env, BuildFlags: p.Flags, Tests: p.Tests,
		Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedModule}
	roots, err := packages.Load(c, p.Args...)
	if err != nil {
		return nil, fmt.Errorf("listing the packages of the program: %w", err)
	}
	var own []string
	packages.Visit(roots, nil, func(pkg *packages.Package) {
		if pkg.Module != nil && pkg.Module.Main && pkg.PkgPath != "" && !strings.HasSuffix(pkg.PkgPath, ".test") {
			path, _, _ := strings.Cut(pkg.PkgPath, " ")
			if path = strings.TrimSuffix(path, "_test"); !slices.Contains(own, path) && path != "command-line-arguments" {
				own = append(own, path)
			}
		}
	})
	if len(own) == 0 {
		own = p.Args
	}
	c.Mode |= packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo
	c.Mode &^= packages.NeedDeps
	return packages.Load(c, own...)
}

// weaver is the work on one program.
type weaver struct {
	wish    recording.Wish
	dir     string
	module  *packages.Module
	replace map[string]string // by the file that it takes the place of
	seen    map[string]bool   // files
	found   []bool            // of wish.Values: its place is in the program
	matched bool              // a function that is named
	remarks []string
}

// edit is text to put in at an offset, in place of some bytes.
type edit struct {
	at, cut int
	text    string
}

// pkg weaves into the files of a package.
func (w *weaver) pkg(pkg *packages.Package) error {
	for _, e := range pkg.Errors {
		if e.Kind == packages.TypeError || e.Kind == packages.ParseError {
			return fault.New(fault.BuildFailed, "%s", e.Error())
		}
	}
	for _, file := range pkg.Syntax {
		name := pkg.Fset.File(file.Pos()).Name()
		if w.seen[name] || !strings.HasSuffix(name, ".go") {
			continue
		}
		w.seen[name] = true
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f := &sourceFile{weaver: w, pkg: pkg, syntax: file, name: name, text: source}
		if err := f.weave(); err != nil {
			return err
		}
		if len(f.edits) == 0 {
			continue
		}
		woven, err := w.keep(name, f.woven())
		if err != nil {
			return err
		}
		w.replace[name] = woven
	}
	return nil
}

// keep writes a woven file into the directory.
func (w *weaver) keep(name string, text []byte) (string, error) {
	path := filepath.Join(w.dir, fmt.Sprintf("woven%d_%s", len(w.replace), filepath.Base(name)))
	return path, os.WriteFile(path, text, 0o600)
}

// missing says what of the wish is nowhere in the program.
func (w *weaver) missing() error {
	for i, v := range w.wish.Values {
		if i >= len(w.found) || !w.found[i] {
			return fault.New(fault.InvalidLocation, "%s:%d is no statement of the program", v.File, v.Line).WithField("location").
				WithHint("give a line with a statement of a package that the program imports")
		}
	}
	var names []string
	if w.wish.Calls != nil {
		names = w.wish.Calls.Names
	}
	if w.wish.Lines != nil {
		names = append(names, w.wish.Lines.Function)
	}
	if len(names) > 0 && !w.matched {
		return fault.New(fault.InvalidParam, "no function of the program is called %s", strings.Join(names, " or ")).WithField("functions").
			WithHint("functions are named as in stacks: main.add, store.(*Cache).Get; main.* are all of a package")
	}
	return nil
}

// write writes the recorder and the overlay.
func (w *weaver) write() (string, error) {
	text, err := recorder.ReadFile("recorder/recorder.go")
	if err != nil {
		return "", err
	}
	path, err := w.keep("recorder.go", text)
	if err != nil {
		return "", err
	}
	if w.module != nil {
		w.replace[filepath.Join(w.module.Dir, folder, "recorder.go")] = path
	}
	list, err := json.Marshal(struct{ Replace map[string]string }{w.replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(w.dir, "overlay.json")
	return overlay, os.WriteFile(overlay, list, 0o600)
}

// sourceFile is one file that is woven into.
type sourceFile struct {
	*weaver
	pkg    *packages.Package
	syntax *ast.File
	name   string
	text   []byte
	edits  []edit
}

func (f *sourceFile) offset(p token.Pos) int { return f.pkg.Fset.PositionFor(p, false).Offset }
func (f *sourceFile) line(p token.Pos) int   { return f.pkg.Fset.PositionFor(p, false).Line }
func (f *sourceFile) at(p token.Pos) string  { return fmt.Sprintf("%s:%d", f.name, f.line(p)) }

func (f *sourceFile) source(n ast.Node) string {
	return string(f.text[f.offset(n.Pos()):f.offset(n.End())])
}

func (f *sourceFile) put(p token.Pos, format string, args ...any) {
	f.edits = append(f.edits, edit{at: f.offset(p), text: fmt.Sprintf(format, args...)})
}

// woven is the file with its edits and the recorder's import.
func (f *sourceFile) woven() []byte {
	f.put(f.syntax.Name.End(), "; import %s %q", folder, f.module.Path+"/"+folder)
	slices.SortStableFunc(f.edits, func(a, b edit) int { return a.at - b.at })
	var out bytes.Buffer
	done := 0
	for _, e := range f.edits {
		out.Write(f.text[done:e.at])
		out.WriteString(e.text)
		done = e.at + e.cut
	}
	out.Write(f.text[done:])
	return out.Bytes()
}

// object is what an identifier means.
func (f *sourceFile) object(id *ast.Ident) types.Object { return f.pkg.TypesInfo.ObjectOf(id) }
