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
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording"
)

//go:embed recorder/*.go recorder/*.s
var recorder embed.FS

// Program is what is woven into.
type Program struct {
	Dir   string   // where the go command runs, absolute
	Args  []string // the package, or the files, as go build is given them
	Env   []string
	Flags []string // of the build
	Tests bool
	Spec  recording.Spec
	Skip  []string // files that are to be left as they are
}

// alias is how woven files call the recorder's package.
const alias = "aidb_recorder"

// homes are folders of the standard library that hold folders only. The recorder
// becomes the package of one: any package of any module can import it then, and no
// go.mod, go.work or vendor folder needs to know.
var homes = []string{"archive", "compress", "container", "index", "text"}

// Woven is a program with the recorder in it, as it is to be built.
type Woven struct {
	Overlay string   // for go build
	Remarks []string // for the user
	HasC    bool     // a package of it, not of the standard library, has sources in C
}

// Weave writes an overlay for go build into dir. Errors are *fault.Error where the spec
// is at fault, and [ErrBroken] where the program itself cannot be built.
func Weave(ctx context.Context, p Program, dir string) (*Woven, error) {
	w := &weaver{Program: p, dir: dir, replace: map[string]string{}, found: make([]bool, len(p.Spec.Values))}
	if err := w.list(ctx); err != nil {
		return nil, err
	}
	files, err := w.chooseFiles(ctx)
	if err != nil {
		return nil, err
	}
	if p.Spec.First != nil {
		if w.first, err = newJudge(p.Spec.First.Condition); err != nil {
			return nil, err
		}
	}
	if err := w.aim(files); err != nil {
		return nil, err
	}
	if files, err = w.failures(files); err != nil {
		return nil, err
	}
	for _, f := range files {
		if err := w.file(f); err != nil {
			return nil, err
		}
	}
	if p.Tests {
		if err := w.watchTests(); err != nil {
			return nil, err
		}
	}
	if err := w.checkFound(); err != nil {
		return nil, err
	}
	if err := w.write(); err != nil {
		return nil, err
	}
	return &Woven{Overlay: filepath.Join(dir, "overlay.json"), Remarks: w.remarks, HasC: w.hasC}, nil
}

// weaver is the work on one program.
type weaver struct {
	Program
	dir     string
	root    string // of the Go installation
	home    string // of the recorder within it
	units   []*packages.Package
	replace map[string]string // by the file that it takes the place of
	found   []bool            // of Spec.Values: its place is in the program
	matched bool              // a function that is named
	target  *named            // what the writes in question are to; nil: whatever is called so
	aimed   map[string]bool   // types of pointers that may lead there
	size    int64             // of what lies there
	known   []string          // expressions of Spec.Lines that have a value somewhere
	first   *judge            // of Spec.First; nil without
	counted []string          // sites of the functions whose calls are counted, as source
	remarks []string
	hasC    bool
}

func (w *weaver) remark(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(w.remarks, text) {
		w.remarks = append(w.remarks, text)
	}
}

// edit is text to put in at an offset, in place of some bytes.
type edit struct {
	at, cut int
	text    string
}

// file weaves into one.
func (w *weaver) file(f *sourceFile) error {
	if slices.Contains(w.Skip, f.name) {
		return nil
	}
	if usesC(f.syntax) {
		if f.extra {
			return nil
		}
		w.remark("files with import \"C\" are left as they are: %s", filepath.Base(f.name))
		return nil
	}
	if !f.extra {
		if err := f.weave(); err != nil {
			return err
		}
	}
	if len(f.edits) == 0 {
		return nil
	}
	return w.keep(f.name, f.editedSource())
}

func usesC(file *ast.File) bool {
	return slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"C"` })
}

// keep writes a file that is to be taken in place of another.
func (w *weaver) keep(name string, text []byte) error {
	path := filepath.Join(w.dir, fmt.Sprintf("woven%d_%s", len(w.replace), filepath.Base(name)))
	w.replace[name] = path
	return os.WriteFile(path, text, 0o600)
}

// checkFound says what of the spec is nowhere in the program.
func (w *weaver) checkFound() error {
	for i, v := range w.Spec.Values {
		if !w.found[i] {
			return fault.New(fault.InvalidLocation, "%s:%d is no statement of the program%s", v.File, v.Line, w.outside(v.File)).WithField("location").
				WithHint("give a line with a statement of a package that the program imports")
		}
	}
	if l := w.Spec.Lines; l != nil && w.matched {
		for _, e := range l.Expressions {
			if !slices.Contains(w.known, e) {
				return fault.New(fault.InvalidParam, "%s has no value anywhere in %s", e, l.Function).WithField("expressions").
					WithHint("write it as the function's source would")
			}
		}
	}
	if err := w.whyUnjudged(); err != nil {
		return err
	}
	names, field := w.names()
	if len(names) == 0 || w.matched {
		return nil
	}
	err := fault.New(fault.InvalidParam, "no function of the program is called %s", strings.Join(names, " or ")).WithField(field)
	if near := w.similarFunctions(names); len(near) > 0 {
		return err.WithHint("did you mean %s?", strings.Join(near, " or "))
	}
	return err.WithHint("functions are named as in stacks: main.add, store.(*Cache).Get; main.* are all of a package")
}

// unmet says by which of several names of functions nothing goes. Where nothing goes by any,
// the spec is refused.
func (w *weaver) unmet(concerned []*packages.Package) {
	if w.Spec.Calls == nil || w.Spec.Writes != nil || len(concerned) == 0 {
		return
	}
	for _, name := range w.unmatchedNames(concerned, w.Spec.Calls.Names) {
		near := ""
		if like := w.similarFunctions([]string{name}); len(like) > 0 {
			near = "; there is " + strings.Join(like, " or ")
		}
		w.remark("no function of the program is called %s%s", name, near)
	}
}

// names are the functions that the spec names, and the parameter that does.
func (w *weaver) names() ([]string, string) {
	switch {
	case w.Spec.Calls != nil:
		return w.Spec.Calls.Names, "functions"
	case w.Spec.Lines != nil:
		return []string{w.Spec.Lines.Function}, "function"
	case w.Spec.First != nil:
		return w.Spec.First.Scope, "scope"
	}
	return nil, ""
}

// write writes the recorder and the overlay.
func (w *weaver) write() error {
	files, err := fs.Glob(recorder, "recorder/*")
	if err != nil {
		return err
	}
	for _, name := range files {
		text, err := recorder.ReadFile(name)
		if err != nil {
			return err
		}
		if len(w.counted) > 0 && filepath.Base(name) == "sites.go" {
			text = w.sites()
		}
		if filepath.Base(name) == "woven.go" {
			text = w.packages()
		}
		if err := w.keep(filepath.Join(w.root, "src", w.home, "aidb_"+filepath.Base(name)), text); err != nil {
			return err
		}
	}
	list, err := json.Marshal(struct{ Replace map[string]string }{w.replace})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(w.dir, "overlay.json"), list, 0o600)
}

// packages is source of the list of those in which all is noted, as types name them, and of
// that of those whose path does not end with their name.
func (w *weaver) packages() []byte {
	var list, named []string
	add := func(to *[]string, text string) {
		if !slices.Contains(*to, text) {
			*to = append(*to, text)
		}
	}
	for _, own := range w.units {
		path := own.PkgPath
		if own.Name == "main" {
			path = "main"
		}
		if path[strings.LastIndexByte(path, '/')+1:] != own.Name {
			add(&named, fmt.Sprintf("{%q, %q}", path, own.Name))
		}
		if own.Module == nil || own.Module.Main {
			add(&list, fmt.Sprintf("%q", path))
		}
	}
	return fmt.Appendf(nil, "package recorder\n\nvar (\n\twoven = [%d]string{%s}\n\tnamed = [%d][2]string{%s}\n)\n",
		len(list), strings.Join(list, ", "), len(named), strings.Join(named, ", "))
}

// sourceFile is one file that is woven into.
type sourceFile struct {
	*weaver
	pkg    *packages.Package // without types where none are needed
	syntax *ast.File
	name   string
	text   []byte
	edits  []edit
	extra  bool // the spec is not about it
}

func (f *sourceFile) offset(p token.Pos) int   { return f.pkg.Fset.PositionFor(p, false).Offset }
func (f *sourceFile) line(p token.Pos) int     { return f.pkg.Fset.PositionFor(p, false).Line }
func (f *sourceFile) place(p token.Pos) string { return fmt.Sprintf("%s:%d", f.name, f.line(p)) }

func (f *sourceFile) source(n ast.Node) string {
	return string(f.text[f.offset(n.Pos()):f.offset(n.End())])
}

func (f *sourceFile) insert(p token.Pos, format string, args ...any) {
	f.edits = append(f.edits, edit{at: f.offset(p), text: fmt.Sprintf(format, args...)})
}

// editedSource is the file with its edits and the recorder's import.
func (f *sourceFile) editedSource() []byte {
	f.insert(f.syntax.Name.End(), "; import %s %q", alias, f.home)
	return f.edited(f.edits, 0, len(f.text))
}

// edited is a part of the file with edits of that part.
func (f *sourceFile) edited(edits []edit, from, to int) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.at - b.at })
	var out bytes.Buffer
	for _, e := range edits {
		out.Write(f.text[from:e.at])
		out.WriteString(e.text)
		from = e.at + e.cut
	}
	out.Write(f.text[from:to])
	return out.Bytes()
}

// object is what an identifier means.
func (f *sourceFile) object(id *ast.Ident) types.Object { return f.pkg.TypesInfo.ObjectOf(id) }

// typeOf is the type of an expression of the file.
func (f *sourceFile) typeOf(e ast.Expr) types.TypeAndValue { return f.pkg.TypesInfo.Types[e] }

// site is the part of an event that is known as it is woven, as source of a text:
// where, in which function, and names.
func (f *sourceFile) site(p token.Pos, in *function, names ...string) string {
	return siteText(site{At: f.place(p), Function: in.name, Names: names})
}

// site is that part of an event.
type site struct {
	At       string   `json:"at"`
	Function string   `json:"f,omitempty"`
	Names    []string `json:"a,omitempty"`
	Text     string   `json:"m,omitempty"`
}

func siteText(s site) string {
	text, _ := json.Marshal(s) // texts can be written
	return fmt.Sprintf("%q", text[1:len(text)-1])
}
