package weave

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// A function of which the compiler may put the body where it is called, as it is short, loses that by
// what counts its calls: that would cost each of them more than the whole function does. What counts is put
// into a copy of it, which is called in its place until the function is left alone.
const (
	// copied is what the name of a copy begins with. The recorder tells of none.
	copied = "aidb_copy_"
	// mostNodes of the body of a function make it a short one.
	mostNodes = 80
)

// copy makes the copy of a function. The edits from one on are what counts.
func (f *sourceFile) copy(fn *function, from int) {
	edits := append(slices.Clone(f.edits[from:]), edit{at: f.offset(fn.decl.Name.Pos()), text: copied})
	f.edits = f.edits[:from]
	begin := f.pkg.Fset.PositionFor(fn.typ.Func, false)
	text := f.edited(edits, begin.Offset, f.offset(fn.decl.End()))
	f.edits = append(f.edits, edit{at: len(f.text), text: fmt.Sprintf("\n/*line :%d:%d*/%s\n", begin.Line, begin.Column, text)})

	call := copied + fn.decl.Name.Name + "(" + strings.Join(fields(fn.typ.Params, nil), ", ")
	if isVariadic(fn.typ) {
		call += "..."
	}
	if call += ")"; fn.recv != nil {
		call = fn.recv.List[0].Names[0].Name + "." + call
	}
	if fn.typ.Results == nil {
		call += "; return"
	} else {
		call = "return " + call
	}
	f.insert(fn.body.Lbrace+1, " if !%s.IsAlone(%d) { %s };", alias, len(f.counted), call)
}

func isVariadic(t *ast.FuncType) bool {
	n := len(t.Params.List)
	if n == 0 {
		return false
	}
	_, is := t.Params.List[n-1].Type.(*ast.Ellipsis)
	return is
}

// isShort says that a function is a short one, and that it and a copy of it do the same, wherever
// they are called from.
func (f *sourceFile) isShort(fn *function) bool {
	if fn.decl == nil || fn.typ.TypeParams != nil || !isNamed(fn.typ.Params) || fn.recv != nil && !isNamed(fn.recv) {
		return false
	}
	begin, end := f.offset(fn.body.Lbrace), f.offset(fn.body.Rbrace)
	if slices.ContainsFunc(f.edits, func(e edit) bool { return e.at > begin && e.at <= end }) { // a goroutine begins in it, or it ends the program
		return false
	}
	nodes, same := 0, true
	ast.Inspect(fn.body, func(n ast.Node) bool {
		nodes++
		same = same && !isOfItsFrame(n)
		return same && nodes <= mostNodes
	})
	return same && nodes <= mostNodes
}

// isNamed says that all of a list have names.
func isNamed(list *ast.FieldList) bool {
	for _, field := range list.List {
		if len(field.Names) == 0 || slices.ContainsFunc(field.Names, func(id *ast.Ident) bool { return id.Name == "_" }) {
			return false
		}
	}
	return true
}

// isOfItsFrame says that the compiler would keep a function with this in it where it is, or that it
// asks in which frame it stands.
func isOfItsFrame(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit, *ast.DeferStmt, *ast.GoStmt, *ast.SelectStmt, *ast.ForStmt, *ast.RangeStmt, *ast.LabeledStmt:
		return true
	case *ast.BranchStmt:
		return n.Tok == token.GOTO
	case *ast.Ident:
		return n.Name == "recover" || n.Name == "runtime"
	case *ast.SelectorExpr:
		return n.Sel.Name == "Helper"
	}
	return false
}
