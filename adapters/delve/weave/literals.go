package weave

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// mostParts bounds the fields of a literal that are noted.
const mostParts = 20

// literal is an object that a statement makes in a place of its own: &T{x: 3}, or {x: 3} in a []*T.
type literal struct {
	of       *ast.CompositeLit
	from, to token.Pos
	typeName string // as the source has it
	prefix   string // what the source leaves out in front of it
	in       ast.Stmt
	direct   bool // it is what the statement assigns or gives back, which is looked into by itself
}

// literalsOf are those of a function.
func literalsOf(f *sourceFile, fn *function) (list []literal) {
	var around []ast.Stmt
	direct := map[ast.Expr]bool{}
	mark := func(all []ast.Expr) {
		for _, e := range all {
			direct[ast.Unparen(e)] = true
		}
	}
	inspect(fn, func(n ast.Node) {
		for len(around) > 0 && n.Pos() >= around[len(around)-1].End() {
			around = around[:len(around)-1]
		}
		if s, is := n.(ast.Stmt); is {
			around = append(around, s)
		}
		switch n := n.(type) {
		case *ast.AssignStmt:
			mark(n.Rhs)
		case *ast.ReturnStmt:
			mark(n.Results)
		case *ast.ValueSpec:
			mark(n.Values)
		case *ast.UnaryExpr:
			if of, is := ast.Unparen(n.X).(*ast.CompositeLit); is && n.Op == token.AND && of.Type != nil {
				list = append(list, literal{of, n.Pos(), n.End(), f.source(of.Type), "", around[len(around)-1], direct[n]})
			}
		case *ast.CompositeLit:
			for _, of := range shortened(n) {
				name := f.source(elementOf(n).X)
				list = append(list, literal{of, of.Pos(), of.End(), name, "&" + name, around[len(around)-1], false})
			}
		}
	})
	return list
}

// elementOf is the type of the elements of a literal, where they are pointers; nil where they are not.
func elementOf(n *ast.CompositeLit) *ast.StarExpr {
	var of ast.Expr
	switch t := n.Type.(type) {
	case *ast.ArrayType:
		of = t.Elt
	case *ast.MapType:
		of = t.Value
	}
	star, _ := of.(*ast.StarExpr)
	return star
}

// shortened are the elements of such a literal that leave their type out.
func shortened(n *ast.CompositeLit) (list []*ast.CompositeLit) {
	if elementOf(n) == nil {
		return nil
	}
	for _, e := range n.Elts {
		if pair, is := e.(*ast.KeyValueExpr); is {
			e = pair.Value
		}
		if of, is := e.(*ast.CompositeLit); is && of.Type == nil {
			list = append(list, of)
		}
	}
	return list
}

// parts are the fields that a literal is noted to write first: those that the spec is about, or those
// that it names.
func (f *sourceFile) parts(l literal) (paths []string) {
	t := f.pkg.TypesInfo.TypeOf(l.of)
	if p, is := t.Underlying().(*types.Pointer); is {
		t = p.Elem()
	}
	if f.Spec.Writes.All {
		if !l.direct {
			paths = f.namedParts(l.of, t, "")
		}
		return paths[:min(len(paths), mostParts)]
	}
	for w := range f.ways(t, way{}, 0) {
		if !w.isClosed {
			paths = append(paths, w.path)
		}
	}
	return paths
}

// namedParts are the fields that a literal of a struct names, those of structs within it among them.
func (f *sourceFile) namedParts(of *ast.CompositeLit, t types.Type, behind string) (paths []string) {
	fields, is := t.Underlying().(*types.Struct)
	if !is {
		return nil
	}
	for i, e := range of.Elts {
		name := fields.Field(min(i, fields.NumFields()-1)).Name()
		if pair, is := e.(*ast.KeyValueExpr); is {
			name, e = pair.Key.(*ast.Ident).Name, pair.Value
		}
		path := behind + "." + name
		inner, is := e.(*ast.CompositeLit)
		if is {
			paths = append(paths, f.namedParts(inner, f.pkg.TypesInfo.TypeOf(inner), path)...)
		}
		if name != "_" {
			paths = append(paths, path)
		}
	}
	return paths
}

// makes says whether a function makes an object of which a field is what the spec is about.
func (f *sourceFile) makes(fn *function) bool {
	for _, l := range literalsOf(f, fn) {
		if len(f.parts(l)) > 0 {
			return true
		}
	}
	return false
}

// literals notes of the objects that the statements of a function make what their fields hold first.
func (f *sourceFile) literals(fn *function) {
	for _, l := range literalsOf(f, fn) {
		paths := f.parts(l)
		if len(paths) == 0 {
			continue
		}
		for i, p := range paths {
			paths[i] = "&aidb_made" + p
		}
		f.insert(l.from, "aidb_frame.Made(%s, func(aidb_any interface{}) []interface{} { aidb_made := aidb_any.(*%s); return []interface{}{%s} }, %s",
			f.site(l.in.Pos(), fn), l.typeName, strings.Join(paths, ", "), l.prefix)
		f.insert(l.to, "%s", fmt.Sprintf(").(*%s)", l.typeName))
	}
}

// begun are the fields that the spec is about in variables that a statement declares as literals of structs.
func (f *sourceFile) begun(s *ast.AssignStmt) (list []target) {
	if f.Spec.Writes.All || s.Tok != token.DEFINE || len(s.Lhs) != len(s.Rhs) {
		return nil
	}
	for i, e := range s.Lhs {
		id, name := e.(*ast.Ident)
		if _, is := ast.Unparen(s.Rhs[i]).(*ast.CompositeLit); !is || !name || f.pkg.TypesInfo.Defs[id] == nil || id.Name == "_" {
			continue
		}
		for w := range f.ways(f.pkg.TypesInfo.TypeOf(id), way{}, 0) {
			list = append(list, target{expr: e, part: w, new: true})
		}
	}
	return list
}
