package weave

import (
	"go/ast"
	"go/parser"
	"go/types"
	"slices"

	"aidb-mcp/internal/fault"
)

// named is what an expression names where the user has written it: a variable, a
// field of a type, the elements of a type.
type named struct {
	kind     string
	name     string
	declared string // where a variable or a field is
	holder   string // type of what has the elements
}

// lookTarget is what has to be looked at of something that is written to: itself, what it is
// a part of, or what a pointer leads to that may be what the spec is about. Not ok: none
// of these is.
func (f *sourceFile) lookTarget(e ast.Expr) (t target, ok bool) {
	if f.Spec.Writes.All {
		return target{expr: e}, true
	}
	for x := ast.Unparen(e); ; {
		if f.isMeant(f.nameOf(f.reader(), x)) {
			return target{expr: x}, true
		}
		inner, pointer := f.around(x)
		if inner == nil {
			return target{}, false
		}
		if pointer {
			return target{expr: inner, through: true}, f.aimed[holderOf(f.reader(), inner)]
		}
		x = ast.Unparen(inner)
	}
}

// around is what an expression is a part of; a pointer leads to it.
func (f *sourceFile) around(x ast.Expr) (inner ast.Expr, pointer bool) {
	switch x := x.(type) {
	case *ast.StarExpr:
		return x.X, true
	case *ast.IndexExpr:
		inner = x.X
	case *ast.SliceExpr:
		inner = x.X
	case *ast.SelectorExpr:
		sel := f.pkg.TypesInfo.Selections[x]
		if sel == nil || sel.Kind() != types.FieldVal {
			return nil, false
		}
		inner = x.X
		if t := f.typeOf(inner).Type; sel.Indirect() && (t == nil || !isPointer(t)) {
			return nil, false // through a pointer that is embedded
		}
	default:
		return nil, false
	}
	t := f.typeOf(inner).Type
	return inner, t != nil && isPointer(t)
}

func isPointer(t types.Type) bool {
	_, is := t.Underlying().(*types.Pointer)
	return is
}

// isMeant says whether something that has a name is what the spec is about.
func (f *sourceFile) isMeant(got named) bool {
	if f.target != nil {
		return got == *f.target
	}
	expr, err := parser.ParseExpr(f.Spec.Writes.Expression)
	if err != nil {
		return false
	}
	bare := f.nameOf(reader{info: &types.Info{}}, expr)
	return got.kind == bare.kind && got.name == bare.name
}

// aim finds out what the spec for writes is about, as seen from where its expression
// stands, and which pointers may lead there.
func (w *weaver) aim(files []*sourceFile) error {
	spec := w.Spec.Writes
	if spec == nil || spec.All {
		return nil
	}
	for _, f := range files {
		if spec.Line > 0 && sameFile(spec.File, f.name) {
			f.resolve(spec.Expression, spec.Line)
		}
	}
	w.aimed = map[string]bool{}
	isSlice, isOpen := false, false
	for _, f := range files {
		for id, o := range f.pkg.TypesInfo.Defs {
			v, is := o.(*types.Var)
			if !is {
				continue
			}
			got := named{kind: "variable", name: id.Name, declared: f.declarationPlace(v)}
			if v.IsField() {
				got.kind = "field"
			}
			if f.isMeant(got) {
				w.aimed["*"+types.TypeString(v.Type(), nil)] = true
				if isSized(v.Type()) {
					w.size = f.pkg.TypesSizes.Sizeof(v.Type())
				} else {
					isOpen = true
				}
				_, is := v.Type().Underlying().(*types.Slice)
				isSlice = isSlice || is
			}
		}
	}
	if isSlice {
		w.remark("what is written to an element of %s by another name of the slice is not seen", spec.Expression)
	}
	if isOpen {
		w.remark("what a function that is not the program's own writes to %s by a pointer within what it is given is not seen: a type parameter decides how large it is", spec.Expression)
	}
	if w.target == nil && !occurs(files, root(spec.Expression)) {
		return fault.New(fault.InvalidParam, "nothing in the program's own packages is called %s", root(spec.Expression)).WithField("expression").
			WithHint("write it as the source would at the place from which it is asked")
	}
	return nil
}

// isSized says that a type has the same size wherever its code is used: no type parameter
// decides about it.
func isSized(t types.Type) bool {
	if _, is := types.Unalias(t).(*types.TypeParam); is {
		return false
	}
	switch of := t.Underlying().(type) {
	case *types.Array:
		return isSized(of.Elem())
	case *types.Struct:
		for field := range of.Fields() {
			if !isSized(field.Type()) {
				return false
			}
		}
	}
	return true
}

// root is the name that an expression begins with.
func root(text string) string {
	expr, err := parser.ParseExpr(text)
	name := ""
	if err == nil {
		ast.Inspect(expr, func(n ast.Node) bool {
			if id, is := n.(*ast.Ident); is && name == "" {
				name = id.Name
			}
			return name == ""
		})
	}
	return name
}

// occurs says that a name is one of the source's; so is none at all.
func occurs(files []*sourceFile, name string) bool {
	return name == "" || slices.ContainsFunc(files, func(f *sourceFile) bool {
		found := false
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			id, is := n.(*ast.Ident)
			found = found || is && id.Name == name
			return !found
		})
		return found
	})
}

// resolve keeps what an expression names at a line of the file, where it has a meaning
// there.
func (f *sourceFile) resolve(text string, line int) {
	at, fn := f.stopAt(line, f.functions())
	if file := f.pkg.Fset.File(f.syntax.Pos()); fn == nil && line <= file.LineCount() { // where a block ends names mean what they do in it
		at = file.LineStart(line)
	}
	expr, err := parser.ParseExpr(text)
	if !at.IsValid() || err != nil {
		return
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	if types.CheckExpr(f.pkg.Fset, f.pkg.Types, at, expr, info) != nil {
		f.remark("%s means nothing at %s: what is called so anywhere is told", text, f.shortPlace(at))
		return
	}
	if name := f.nameOf(reader{info, types.ExprString}, expr); name.declared != "" {
		f.target = &name
	}
}

// nameOf is what an expression names.
func (f *sourceFile) nameOf(r reader, e ast.Expr) named {
	declared := func(id *ast.Ident) string { return f.declarationPlace(r.object(id)) }
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

// declarationPlace is where something is.
func (f *sourceFile) declarationPlace(o types.Object) string {
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

func holderOf(r reader, e ast.Expr) string {
	if t := r.typeOf(e).Type; t != nil {
		return types.TypeString(t, nil)
	}
	return ""
}
