package weave

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"slices"
)

// wantedLoans are those of what a call is given in which something lies that the spec is
// about: all of it, or what it names.
func (f *sourceFile) wantedLoans(s ast.Stmt, call *ast.CallExpr, all []loan) (list []loan) {
	if f.Spec.Writes.All {
		return slices.DeleteFunc(all, func(l loan) bool { return l.holder })
	}
	for _, l := range all {
		if f.isTarget(s, call, l.expr) { // which its new value tells
			continue
		}
		if one, is := f.wantedPart(l); is {
			list = append(list, one)
		}
	}
	return list
}

// isTarget says that what a call is given is a target of the statement, which does nothing but call.
func (f *sourceFile) isTarget(s ast.Stmt, call *ast.CallExpr, given ast.Expr) bool {
	only, is := s.(*ast.ExprStmt)
	return is && only.X == ast.Expr(call) && f.changes(call) && given == call.Args[0] && len(f.targets(s)) > 0
}

// wantedPart is the part of something that is given away which the spec is about.
func (f *sourceFile) wantedPart(l loan) (loan, bool) {
	if l.reflects {
		l.through = true
		return l, true
	}
	if l.holder {
		return l, true
	}
	x := ast.Unparen(l.expr)
	if of, is := x.(*ast.UnaryExpr); is && of.Op == token.AND {
		return f.addressedPart(l, of.X)
	}
	t := f.typeOf(x).Type
	if t == nil {
		return l, false
	}
	if l.text == "&"+f.source(x) { // a method's own
		return f.addressedPart(l, x)
	}
	switch to := t.Underlying().(type) {
	case *types.Pointer:
		if path, is := f.leads(to.Elem(), 0); is {
			l.text = "&" + f.source(x) + path
			return l, true
		}
		l.through = f.aimed[types.TypeString(t, nil)]
		return l, l.through
	case *types.Slice, *types.Map:
		if f.isMeant(named{kind: "element"}) {
			return l, true
		}
		for part, is := x.(*ast.SliceExpr); is; part, is = x.(*ast.SliceExpr) {
			x = ast.Unparen(part.X)
		}
		if f.isMeant(f.nameOf(f.reader(), x)) && f.typeOf(x).Addressable() {
			l.holds = x
			return l, true
		}
	}
	return l, false
}

// addressedPart is that part of what the address is given of.
func (f *sourceFile) addressedPart(l loan, x ast.Expr) (loan, bool) {
	t, is := f.lookTarget(x)
	if is {
		l.text, l.through = "&"+f.source(t.expr), t.through
		switch {
		case t.through:
			l.text = f.source(t.expr)
		case isCollection(f.typeOf(t.expr).Type):
			l.holds = t.expr
		}
		return l, f.reader().pure(t.expr)
	}
	if has := f.typeOf(x).Type; has != nil {
		if path, is := f.leads(has, 0); is {
			l.text = "&" + f.source(x) + path
			return l, true
		}
	}
	return l, false
}

func isCollection(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	}
	return false
}

// innermost bounds how deep in a struct a field is sought.
const innermost = 4

// leads is the way from a struct to the first field in it that the spec is about.
func (f *sourceFile) leads(t types.Type, depth int) (path string, is bool) {
	for w := range f.ways(t, way{}, depth) {
		if !w.isClosed {
			return w.path, true
		}
	}
	return "", false
}

// way leads from a struct to a field in it.
type way struct {
	path     string // in the source
	index    []int  // of the fields on it
	isClosed bool   // another package's, of which it may not be written
}

// ways are those from a struct to the fields in it that the spec is about; behind is the way to it.
func (f *sourceFile) ways(t types.Type, behind way, depth int) iter.Seq[way] {
	return func(yield func(way) bool) {
		of, is := t.Underlying().(*types.Struct)
		if !is || depth == innermost {
			return
		}
		for i := range of.NumFields() {
			field := of.Field(i)
			w := way{behind.path + "." + field.Name(), append(slices.Clip(behind.index), i), behind.isClosed || !field.Exported() && field.Pkg() != f.pkg.Types}
			if f.isMeant(named{kind: "field", name: field.Name(), declared: f.declarationPlace(field)}) && !yield(w) {
				return
			}
			for inner := range f.ways(field.Type(), w, depth+1) {
				if !yield(inner) {
					return
				}
			}
		}
	}
}

// wholes are the fields that the spec is about in a struct that is written to as a whole.
func (f *sourceFile) wholes(e ast.Expr) (list []target) {
	t := f.typeOf(e)
	if f.Spec.Writes.All || t.Type == nil || !t.Addressable() || !f.reader().pure(e) {
		return nil
	}
	for w := range f.ways(t.Type, way{}, 0) {
		list = append(list, target{expr: e, part: w})
	}
	return list
}
