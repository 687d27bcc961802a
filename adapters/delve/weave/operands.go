package weave

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// reader is what is known of the expressions that are looked at: those of the file, or
// one that the user has written.
type reader struct {
	info   *types.Info
	source func(ast.Expr) string
}

func (f *sourceFile) reader() reader {
	return reader{f.pkg.TypesInfo, func(e ast.Expr) string { return f.source(e) }}
}

func (r reader) typeOf(e ast.Expr) types.TypeAndValue { return r.info.Types[e] }

// operand is source of what the recorder looks at: a pointer where the expression lies
// in a place, behind a function where getting it may panic.
func (r reader) operand(e ast.Expr) string {
	text := r.source(e)
	inner := ast.Unparen(e)
	if index, ok := inner.(*ast.IndexExpr); ok && r.isMap(index.X) {
		if !r.convertsKey(index.Index) {
			return r.lookAtValue(e)
		}
		m, key := r.source(index.X), r.source(index.Index)
		if t := r.typeOf(inner).Type; t != nil && types.IsInterface(t) {
			return fmt.Sprintf("%s.E(func() (interface{}, interface{}, interface{}) { aidb_value := %s; return %s, %s, %[1]s.Held{&aidb_value} })", alias, text, m, key)
		}
		return fmt.Sprintf("%s.E(func() (interface{}, interface{}, interface{}) { return %s, %s, %s })", alias, m, key, text)
	}
	if id, ok := inner.(*ast.Ident); ok {
		if _, variable := r.object(id).(*types.Var); variable {
			return "&" + id.Name
		}
	}
	if !r.typeOf(inner).Addressable() {
		return r.lookAtValue(e)
	}
	if r.steady(inner) {
		return "&" + text
	}
	return r.pointer(text)
}

func (r reader) pointer(text string) string {
	return fmt.Sprintf("%s.P(func() interface{} { return &%s })", alias, text)
}

// lookAtValue is source of the look at a value that lies in no place. That of an interface is
// copied, for which type of interface it is would be lost otherwise.
func (r reader) lookAtValue(e ast.Expr) string {
	if t := r.typeOf(e).Type; t != nil && types.IsInterface(t) {
		return fmt.Sprintf("%s.C(func() interface{} { aidb_value := %s; return &aidb_value })", alias, r.source(e))
	}
	return fmt.Sprintf("%s.V(func() interface{} { return %s })", alias, r.source(e))
}

func (r reader) object(id *ast.Ident) types.Object { return r.info.ObjectOf(id) }

func (r reader) isMap(e ast.Expr) bool {
	t := r.typeOf(e).Type
	if t == nil {
		return false
	}
	_, is := t.Underlying().(*types.Map)
	return is
}

// convertsKey: a constant key is of the type int once it is an interface, where it may
// not fit.
func (r reader) convertsKey(e ast.Expr) bool {
	v := r.typeOf(e).Value
	if v == nil || v.Kind() != constant.Int {
		return true
	}
	n, exact := constant.Int64Val(v)
	return exact && int64(int32(n)) == n
}

// steady says that taking the address of an expression cannot panic.
func (r reader) steady(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		sel := r.info.Selections[e]
		return sel == nil || !sel.Indirect() && r.steady(e.X)
	}
	return false
}

// pure says that an expression can be evaluated again and changes nothing.
func (r reader) pure(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.ParenExpr:
		return r.pure(e.X)
	case *ast.SelectorExpr:
		return r.pure(e.X)
	case *ast.StarExpr:
		return r.pure(e.X)
	case *ast.IndexExpr:
		return r.pure(e.X) && r.pure(e.Index)
	case *ast.UnaryExpr:
		return e.Op != token.AND && e.Op != token.ARROW && r.pure(e.X)
	case *ast.BinaryExpr:
		return r.pure(e.X) && r.pure(e.Y)
	case *ast.CallExpr:
		return len(e.Args) == 1 && (r.typeOf(e.Fun).IsType() || r.measures(e.Fun)) && r.pure(e.Args[0])
	}
	return false
}

// measures says that a call is one of len or cap.
func (r reader) measures(fun ast.Expr) bool {
	id, ok := ast.Unparen(fun).(*ast.Ident)
	return ok && r.typeOf(fun).IsBuiltin() && (id.Name == "len" || id.Name == "cap")
}

// variable says that an expression is a variable, a field of one or an element.
func (r reader) variable(e ast.Expr) bool {
	if !r.pure(e) {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := r.object(e).(*types.Var)
		return ok && r.info.Defs[e] == nil && !v.IsField() && e.Name != "_"
	case *ast.SelectorExpr:
		if sel := r.info.Selections[e]; sel != nil {
			return sel.Kind() == types.FieldVal && r.variable(e.X)
		}
		_, ok := r.object(e.Sel).(*types.Var)
		return ok
	case *ast.IndexExpr:
		tv := r.typeOf(e)
		return tv.IsValue() && r.variable(e.X)
	case *ast.StarExpr:
		return r.typeOf(e).IsValue() && r.variable(e.X)
	}
	return false
}

// reads are the operands of parts of a statement: variables, fields, elements.
type reads struct {
	reader
	of    ast.Node // what is declared in it has no value yet
	names []string
	list  []string
}

func (r *reads) add(e ast.Expr) {
	text := r.source(e)
	if slices.Contains(r.names, text) {
		return
	}
	r.names = append(r.names, text)
	r.list = append(r.list, r.operand(e))
}

// visit adds the operands of an expression or statement. Guarded is what need not be
// evaluated at all.
func (r *reads) visit(n ast.Node, guarded bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch e := n.(type) {
		case *ast.BlockStmt, *ast.FuncLit:
			return false
		case *ast.CompositeLit:
			for _, x := range e.Elts {
				if kv, ok := x.(*ast.KeyValueExpr); ok {
					x = kv.Value
				}
				r.visit(x, guarded)
			}
			return false
		case *ast.CallExpr:
			if s, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok {
				r.visit(s.X, guarded)
			}
			for _, a := range e.Args {
				r.visit(a, guarded)
			}
			return false
		case *ast.BinaryExpr:
			if e.Op == token.LAND || e.Op == token.LOR {
				r.visit(e.X, guarded)
				r.visit(e.Y, true)
				return false
			}
		case ast.Expr:
			if r.variable(e) {
				if !r.early(e) && (!guarded || !r.hasEntry(e)) {
					r.add(e)
				}
				return false
			}
		}
		return true
	})
}

// early says that a variable in an expression is declared by the statement itself.
func (r *reads) early(e ast.Expr) (is bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if o := r.object(id); o != nil && o.Pos() >= r.of.Pos() && o.Pos() < r.of.End() {
				is = true
			}
		}
		return !is
	})
	return is
}

// hasEntry: to read a map while another goroutine writes to it ends the program, and
// what stands before an && may be what keeps it from doing so.
func (r *reads) hasEntry(e ast.Expr) (is bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if index, ok := n.(*ast.IndexExpr); ok && r.isMap(index.X) {
			is = true
		}
		return !is
	})
	return is
}
