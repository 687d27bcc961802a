package weave

import (
	"go/ast"
	"go/token"
	"go/types"
)

// deepest bounds how far pointers are looked for in what a call is given.
const deepest = 3

// loansWithin is what a call is given inside something else: what a literal is written of, such
// as []any{&a, &b}, and the variables in which pointers may be to what the spec is about.
// By is the function, where that is known only as it runs.
func (f *sourceFile) loansWithin(arg, by ast.Expr) (list []loan) {
	x := ast.Unparen(arg)
	if of, is := x.(*ast.UnaryExpr); is && of.Op == token.AND {
		x = ast.Unparen(of.X)
	}
	literal, is := x.(*ast.CompositeLit)
	if !is {
		if t := f.typeOf(arg).Type; t != nil && f.mayHold(t, 0) {
			list = append(list, loan{expr: arg, by: by, holder: true})
		}
		return list
	}
	for _, part := range literal.Elts {
		if pair, is := part.(*ast.KeyValueExpr); is {
			part = pair.Value
		}
		if f.changeable(part) {
			list = append(list, loan{expr: part, by: by})
		}
		list = append(list, f.loansWithin(part, by)...)
	}
	return list
}

// mayHold says that a value of a type may have a pointer in it that leads to what the
// spec is about, and that the recorder looks for it.
func (f *sourceFile) mayHold(t types.Type, depth int) bool {
	if depth > deepest || len(f.aimed) == 0 || f.size == 0 {
		return false
	}
	if of, is := types.Unalias(t).(*types.Named); is && (of.Obj().Pkg() == nil || !f.isWoven(of.Obj().Pkg())) {
		return false
	}
	switch of := t.Underlying().(type) {
	case *types.Interface:
		return of.NumMethods() == 0
	case *types.Pointer:
		return depth > 0 && f.aimed[types.TypeString(t, nil)] || f.mayHold(of.Elem(), depth+1)
	case *types.Slice:
		return f.mayHold(of.Elem(), depth+1)
	case *types.Array:
		return f.mayHold(of.Elem(), depth+1)
	case *types.Map:
		return f.mayHold(of.Elem(), depth+1)
	case *types.Struct:
		for field := range of.Fields() {
			if f.mayHold(field.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}
