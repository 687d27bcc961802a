package weave

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// failures puts into the files of the user's own packages what notes how the run ends:
// where goroutines begin and where the program ends itself. Files that are woven into
// anyway are among those given; others are added.
func (w *weaver) failures(files []*sourceFile) ([]*sourceFile, error) {
	known := map[string]*sourceFile{}
	for _, f := range files {
		known[f.name] = f
	}
	var own []*sourceFile
	seen := map[string]bool{} // a package and its variant with tests have the same
	for _, pkg := range w.units {
		if pkg.Module != nil && !pkg.Module.Main {
			continue
		}
		w.parse(pkg)
		for _, syntax := range pkg.Syntax {
			name := pkg.Fset.File(syntax.Pos()).Name()
			if seen[name] {
				continue
			}
			seen[name] = true
			f := known[name]
			if f == nil {
				var err error
				if f, err = newFile(w, pkg, syntax, name); err != nil {
					return nil, err
				}
				files = append(files, f)
			}
			own = append(own, f)
		}
	}
	begun := map[string]bool{"init": true, "main": true}
	for _, f := range own {
		f.addStarted(begun)
	}
	for _, f := range own {
		if !f.isLeftAlone() {
			f.beginnings(begun)
			f.exits()
		}
	}
	return files, nil
}

// newFile is one that is woven into for its failures only.
func newFile(w *weaver, pkg *packages.Package, syntax *ast.File, name string) (*sourceFile, error) {
	text, err := os.ReadFile(name)
	return &sourceFile{weaver: w, pkg: pkg, syntax: syntax, name: name, text: text, extra: true}, err
}

// addStarted adds the names of functions that begin goroutines.
func (f *sourceFile) addStarted(names map[string]bool) {
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if g, ok := n.(*ast.GoStmt); ok {
			switch fun := ast.Unparen(g.Call.Fun).(type) {
			case *ast.Ident:
				names[fun.Name] = true
			case *ast.SelectorExpr:
				names[fun.Sel.Name] = true
			}
		}
		return true
	})
}

// beginnings puts a look for a panic into the functions in which a goroutine may begin.
func (f *sourceFile) beginnings(names map[string]bool) {
	literals := map[*ast.FuncLit]bool{}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			if lit, ok := ast.Unparen(n.Call.Fun).(*ast.FuncLit); ok {
				literals[lit] = true
			}
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Go" && len(n.Args) == 1 {
				if lit, ok := n.Args[0].(*ast.FuncLit); ok {
					literals[lit] = true
				}
			}
		}
		return true
	})
	for _, fn := range f.functions() {
		if literals[fn.literal] || fn.literal == nil && names[fn.name[strings.LastIndexByte(fn.name, '.')+1:]] {
			f.insert(fn.body.Lbrace+1, " defer %s.Uncaught(%q);", alias, fn.name)
		}
	}
}

// exits puts a look at the code into calls that end the program.
func (f *sourceFile) exits() {
	later := map[*ast.CallExpr]bool{} // their arguments have their values long before
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			later[n.Call] = true
		case *ast.DeferStmt:
			later[n.Call] = true
		case *ast.CallExpr:
			if len(n.Args) > 0 && !later[n] {
				f.exit(n)
			}
		}
		return true
	})
}

func (f *sourceFile) exit(call *ast.CallExpr) {
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	of, ok := s.X.(*ast.Ident)
	if !ok {
		return
	}
	last := call.Args[len(call.Args)-1]
	var how string
	switch f.importPath(of.Name) + "." + s.Sel.Name {
	case "os.Exit", "syscall.Exit":
		how = "Exit"
	case "log.Fatal", "log.Fatalln":
		how = "Fatal"
	case "log.Fatalf":
		if how = "Fatal"; len(call.Args) == 1 {
			how = "FatalText"
		}
	default:
		return
	}
	if call.Ellipsis.IsValid() {
		how = "FatalList"
	}
	f.insert(last.Pos(), "%s.%s(", alias, how)
	f.insert(last.End(), ")")
}

// importPath is the path of the package that a name is of, in this file.
func (f *sourceFile) importPath(name string) string {
	for _, i := range f.syntax.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err == nil && (i.Name != nil && i.Name.Name == name || i.Name == nil && path == name) {
			return path
		}
	}
	return ""
}

// isLeftAlone says that a file is left as it is.
func (f *sourceFile) isLeftAlone() bool { return usesC(f.syntax) }

// watchTests lets the test framework note which test has failed.
func (w *weaver) watchTests() error {
	name := filepath.Join(w.root, "src", "testing", "testing.go")
	text, err := os.ReadFile(name)
	fset := token.NewFileSet()
	var syntax *ast.File
	if err == nil {
		syntax, err = parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	}
	if err != nil {
		w.remark("which tests fail is not noted: the test framework cannot be read: %v", err)
		return nil
	}
	f := &sourceFile{weaver: w, pkg: &packages.Package{Name: "testing", Fset: fset}, syntax: syntax, name: name, text: text}
	found := 0
	for _, fn := range f.functions() {
		if fn.recv == nil || len(fn.recv.List[0].Names) != 1 || len(fn.typ.Params.List) > 1 {
			continue
		}
		switch of := fn.recv.List[0].Names[0].Name; fn.name {
		case "testing.(*common).Fail":
			f.insert(fn.body.Lbrace+1, " %s.TestFailed(%s.name);", alias, of)
			found++
		case "testing.(*common).log":
			f.insert(fn.body.Lbrace+1, " %s.TestSays(%s.name, %s);", alias, of, fn.typ.Params.List[0].Names[0].Name)
			found++
		}
	}
	if found == 2 {
		return w.keep(name, f.editedSource())
	}
	w.remark("which tests fail is not noted: the test framework is not as it is known")
	return nil
}
