package weave

import (
	"go/ast"
	"go/parser"
	"go/types"
)

// named is what an expression names where the user has written it: a variable, a
// field of a type, the elements of a type.
type named struct {
	kind     string
	name     string
	declared string // where a variable or a field is
	holder   string // type of what has the elements
}

// asked says whether a target is one that the wish is about.
func (f *sourceFile) asked(e ast.Expr) bool {
	if f.Wish.Writes.All {
		return true
	}
	got := f.naming(f.reader(), e)
	want := f.target
	if want == nil {
		expr, err := parser.ParseExpr(f.Wish.Writes.Expression)
		if err != nil {
			return false
		}
		bare := f.naming(reader{info: &types.Info{}}, expr)
		return got.kind == bare.kind && got.name == bare.name
	}
	return got == *want
}

// naming is what an expression names.
func (f *sourceFile) naming(r reader, e ast.Expr) named {
	declared := func(id *ast.Ident) string {
		o := r.object(id)
		if v, ok := o.(*types.Var); ok {
			o = v.Origin()
		}
		if o == nil {
			return ""
		}
		p := f.pkg.Fset.PositionFor(o.Pos(), false)
		p.Offset, p.Column = 0, 0 // export data has no exact ones
		return p.String()
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return named{kind: "variable", name: e.Name, declared: declared(e)}
	case *ast.SelectorExpr:
		if o := r.info.Uses[e.Sel]; o != nil && r.info.Selections[e] == nil {
			return named{kind: "variable", name: e.Sel.Name, declared: declared(e.Sel)}
		}
		return named{kind: "field", name: e.Sel.Name, declared: declared(e.Sel)}
	case *ast.IndexExpr:
		return named{kind: "element", holder: holderOf(r, e.X)}
	case *ast.StarExpr:
		return named{kind: "pointer", holder: holderOf(r, e.X)}
	}
	return named{}
}

func holderOf(r reader, e ast.Expr) string {
	if t := r.typed(e).Type; t != nil {
		return types.TypeString(t, nil)
	}
	return ""
}

// lastName is the name that an expression ends in; empty for elements.
func lastName(expression string) string {
	expr, err := parser.ParseExpr(expression)
	if err != nil {
		return ""
	}
	switch e := ast.Unparen(expr).(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}
