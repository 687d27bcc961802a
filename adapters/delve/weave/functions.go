package weave

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strconv"
	"strings"
)

// weave puts in what the wish asks for in this file.
func (f *sourceFile) weave() error {
	for i := range f.wish.Values {
		if err := f.hits(i); err != nil {
			return err
		}
	}
	if f.wish.Writes != nil && f.wish.Writes.All {
		f.globals()
	}
	for _, d := range f.syntax.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		noted := f.wanted(fn)
		writes := f.wish.Writes != nil && (f.wish.Writes.All || f.writesIn(fn.Body))
		if !noted && !writes {
			continue
		}
		f.matched = f.matched || noted
		f.frame(fn, noted || f.wish.Writes != nil && f.wish.Writes.All)
		if writes {
			f.statements(fn.Body)
		}
		f.returns(fn.Body)
	}
	return nil
}

// function is the name of a function as stacks have it: "main.(*T).Get".
func (f *sourceFile) function(fn *ast.FuncDecl) string {
	name := f.pkg.Name + "." + fn.Name.Name
	if fn.Recv != nil && len(fn.Recv.List) == 1 {
		receiver := types.ExprString(fn.Recv.List[0].Type)
		receiver, _, _ = strings.Cut(receiver, "[")
		if strings.HasPrefix(receiver, "*") {
			receiver = "(" + receiver + ")"
		}
		name = f.pkg.Name + "." + receiver + "." + fn.Name.Name
	}
	return name
}

// wanted says whether the calls of a function are to be noted.
func (f *sourceFile) wanted(fn *ast.FuncDecl) bool {
	if f.wish.Calls == nil {
		return false
	}
	name := f.function(fn)
	plain := strings.NewReplacer("(*", "", ")", "").Replace(name)
	for _, want := range f.wish.Calls.Names {
		want = strings.TrimSpace(want)
		switch {
		case strings.Contains(strings.ReplaceAll(want, "(*", "("), "*"):
			for _, n := range []string{name, plain, fn.Name.Name, f.pkg.PkgPath + strings.TrimPrefix(plain, f.pkg.Name)} {
				if ok, _ := path.Match(want, n); ok {
					return true
				}
			}
		case strings.HasSuffix(want, ".go"):
			if f.name == want || strings.HasSuffix(f.name, "/"+want) {
				return true
			}
		case want == f.pkg.PkgPath, want == f.pkg.Name && want != "":
			return true
		case want == name, strings.HasSuffix("."+plain, "."+strings.NewReplacer("(*", "", ")", "").Replace(want)),
			f.pkg.PkgPath+strings.TrimPrefix(name, f.pkg.Name) == want:
			return true
		}
	}
	return false
}

// frame puts the beginning and the end of a call into a function.
func (f *sourceFile) frame(fn *ast.FuncDecl, noted bool) {
	var arguments, results []string
	if fn.Recv != nil {
		arguments = f.named(fn.Recv, arguments)
	}
	arguments = f.named(fn.Type.Params, arguments)
	if fn.Type.Results != nil {
		results = f.results(fn.Type.Results)
	}
	f.put(fn.Body.Lbrace+1, " aidb_frame := %s.Enter(%t, %q, %q%s); defer func() { aidb_frame.Leave(%s) }();",
		folder, noted, f.at(fn.Pos()), f.function(fn), listed(arguments), strings.TrimPrefix(listed(results), ", "))
}

func listed(list []string) string {
	var all strings.Builder
	for _, name := range list {
		all.WriteString(", " + looked(name, name, "&"+name, ""))
	}
	return all.String()
}

// looked is the source of an O; place and base may be empty.
func looked(name, value, place, base string) string {
	o := fmt.Sprintf("%s.O{Name: %s, Value: func() interface{} { return %s }", folder, strconv.Quote(name), value)
	if place != "" {
		o += fmt.Sprintf(", Place: func() interface{} { return %s }", place)
	}
	if base != "" {
		o += fmt.Sprintf(", Base: func() interface{} { return %s }", base)
	}
	return o + "}"
}

func (f *sourceFile) named(list *ast.FieldList, to []string) []string {
	for _, field := range list.List {
		for _, name := range field.Names {
			if name.Name != "_" {
				to = append(to, name.Name)
			}
		}
	}
	return to
}

// results gives names to results that have none.
func (f *sourceFile) results(list *ast.FieldList) []string {
	var names []string
	n := 0
	for _, field := range list.List {
		if len(field.Names) == 0 {
			name := fmt.Sprintf("aidb_result%d", n)
			n++
			names = append(names, name)
			if list.Opening.IsValid() {
				f.put(field.Type.Pos(), "%s ", name)
			} else {
				f.put(field.Type.Pos(), "(%s ", name)
				f.put(field.Type.End(), ")")
			}
			continue
		}
		for _, id := range field.Names {
			name := id.Name
			if name == "_" {
				name = fmt.Sprintf("aidb_result%d", n)
				n++
				f.edits = append(f.edits, edit{at: f.offset(id.Pos()), cut: 1, text: name})
			}
			names = append(names, name)
		}
	}
	return names
}

// returns notes the line of each return statement of a function, not of those that
// are written inside of it.
func (f *sourceFile) returns(body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		if _, inner := n.(*ast.FuncLit); inner {
			return false
		}
		for _, s := range statementsOf(n) {
			if r, ok := s.(*ast.ReturnStmt); ok {
				f.put(r.Pos(), "aidb_frame.Return(%q); ", f.at(r.Pos()))
			}
		}
		return true
	})
}

// statementsOf are the statements of a list of them.
func statementsOf(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// globals notes what the variables of the package begin with that this file declares.
func (f *sourceFile) globals() {
	var all strings.Builder
	for _, d := range f.syntax.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.VAR {
			continue
		}
		for _, spec := range decl.Specs {
			for _, id := range spec.(*ast.ValueSpec).Names {
				if id.Name != "_" {
					fmt.Fprintf(&all, "%s.Global(%q, %q, %s); ", folder, f.at(id.Pos()), f.pkg.Name+"."+id.Name, looked(id.Name, id.Name, "&"+id.Name, ""))
				}
			}
		}
	}
	if all.Len() > 0 {
		f.put(f.syntax.End(), "; func init() { %s}", all.String())
	}
}
