package weave

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
)

// target is something that a statement writes to.
type target struct {
	expr ast.Expr
	new  bool // it is declared by the statement
}

// writesIn says whether a function writes to what the wish names.
func (f *sourceFile) writesIn(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		for _, t := range f.targets(n) {
			found = found || f.asked(t.expr)
		}
		return !found
	})
	return found
}

// asked says whether a target is one that the wish is about.
func (f *sourceFile) asked(e ast.Expr) bool {
	if f.wish.Writes.All {
		return true
	}
	want, err := parser.ParseExpr(f.wish.Writes.Expression)
	if err != nil {
		return false
	}
	switch want := ast.Unparen(want).(type) {
	case *ast.Ident:
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && id.Name == want.Name
	case *ast.SelectorExpr:
		s, ok := ast.Unparen(e).(*ast.SelectorExpr)
		return ok && s.Sel.Name == want.Sel.Name
	case *ast.IndexExpr:
		_, ok := ast.Unparen(e).(*ast.IndexExpr)
		return ok
	case *ast.StarExpr:
		_, ok := ast.Unparen(e).(*ast.StarExpr)
		return ok
	}
	return false
}

// targets are what a statement writes to.
func (f *sourceFile) targets(n ast.Node) []target {
	var list []target
	add := func(isNew bool, exprs ...ast.Expr) {
		for _, e := range exprs {
			if id, ok := e.(*ast.Ident); e == nil || ok && id.Name == "_" {
				continue
			}
			list = append(list, target{e, isNew})
		}
	}
	switch s := n.(type) {
	case *ast.AssignStmt:
		for _, e := range s.Lhs {
			id, ok := e.(*ast.Ident)
			add(ok && s.Tok == token.DEFINE && f.pkg.TypesInfo.Defs[id] != nil, e)
		}
	case *ast.IncDecStmt:
		add(false, s.X)
	case *ast.RangeStmt:
		add(s.Tok == token.DEFINE, s.Key, s.Value)
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok && d.Tok == token.VAR {
			for _, spec := range d.Specs {
				for _, id := range spec.(*ast.ValueSpec).Names {
					add(true, id)
				}
			}
		}
	}
	return list
}

// statements puts the notes of what is read and written around the statements of a
// function, those inside of closures too.
func (f *sourceFile) statements(body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		for _, s := range statementsOf(n) {
			f.statement(s)
		}
		switch s := n.(type) {
		case *ast.RangeStmt:
			f.after(s.Body.Lbrace+1, s.Pos(), f.targets(s), false, " ")
		case *ast.ForStmt:
			if s.Init != nil {
				f.after(s.Body.Lbrace+1, s.Pos(), f.targets(s.Init), false, " ")
			}
		case *ast.IfStmt:
			if s.Init != nil {
				f.after(s.Body.Lbrace+1, s.Pos(), f.targets(s.Init), false, " ")
				if block, ok := s.Else.(*ast.BlockStmt); ok {
					f.after(block.Lbrace+1, s.Pos(), f.targets(s.Init), false, " ")
				}
			}
		case *ast.CommClause:
			if s.Comm != nil {
				f.after(s.Colon+1, s.Comm.Pos(), f.targets(s.Comm), false, " ")
			}
		}
		return true
	})
}

// statement puts the notes around one.
func (f *sourceFile) statement(s ast.Stmt) {
	labelled := s
	for {
		l, ok := labelled.(*ast.LabeledStmt)
		if !ok {
			break
		}
		labelled = l.Stmt
	}
	if labelled != s {
		return // a statement between a label and its loop would part them
	}
	var list []target
	switch s.(type) {
	case *ast.AssignStmt, *ast.IncDecStmt, *ast.DeclStmt:
		for _, t := range f.targets(s) {
			if f.asked(t.expr) {
				list = append(list, t)
			}
		}
	}
	reads := "nil"
	if f.wish.Writes.All {
		if r := f.reads(s); len(r) > 0 {
			reads = fmt.Sprintf("[]%s.O{%s}", folder, strings.Join(r, ", "))
		}
	}
	var old []string
	known := true
	for _, t := range list {
		known = known && !t.new
	}
	if known {
		for _, t := range list {
			if pure(t.expr) {
				old = append(old, looked("", f.source(t.expr), "", ""))
			} else {
				known = false
			}
		}
	}
	if !known {
		old = nil
	}
	if reads != "nil" || len(old) > 0 {
		f.put(s.Pos(), "aidb_frame.Use(%q, %s%s); ", f.at(s.Pos()), reads, prefixed(old))
	}
	f.after(s.End(), s.Pos(), list, known && len(old) > 0, "; ")
}

func prefixed(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return ", " + strings.Join(list, ", ")
}

// after notes at a place of the source that targets have been written to.
func (f *sourceFile) after(at, statement token.Pos, list []target, known bool, before string) {
	var all []string
	for _, t := range list {
		if !f.asked(t.expr) || !pure(t.expr) {
			continue
		}
		all = append(all, f.placed(t.expr))
	}
	if len(all) == 0 {
		return
	}
	text := fmt.Sprintf("%saidb_frame.Wrote(%q, %t%s)", before, f.at(statement), known, prefixed(all))
	if before == " " {
		text += ";"
	}
	f.put(at, "%s", text)
}

// placed is the source of an O of an expression, with its place.
func (f *sourceFile) placed(e ast.Expr) string {
	source := func(e ast.Expr) string { return f.source(e) }
	return looked(f.source(e), f.source(e), place(e, f.source(e), f.typed, source), holder(e, f.typed, source))
}

// typed is the type of an expression of the file; a variable that is declared there
// can be pointed to.
func (f *sourceFile) typed(e ast.Expr) types.TypeAndValue {
	if tv, ok := f.pkg.TypesInfo.Types[e]; ok {
		return tv
	}
	return types.TypeAndValue{}
}

// pure says that an expression can be evaluated again and changes nothing.
func pure(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.ParenExpr:
		return pure(e.X)
	case *ast.SelectorExpr:
		return pure(e.X)
	case *ast.StarExpr:
		return pure(e.X)
	case *ast.IndexExpr:
		return pure(e.X) && pure(e.Index)
	case *ast.BinaryExpr:
		return pure(e.X) && pure(e.Y)
	}
	return false
}

// reads are the operands of a statement: variables, fields, elements.
func (f *sourceFile) reads(s ast.Stmt) []string {
	var list []string
	seen := map[string]bool{}
	var visit func(n ast.Node, written bool)
	add := func(e ast.Expr) {
		text := f.source(e)
		if !seen[text] {
			seen[text] = true
			list = append(list, f.placed(e))
		}
	}
	visit = func(n ast.Node, written bool) {
		ast.Inspect(n, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				_, block := n.(*ast.BlockStmt)
				return !block
			}
			switch e := e.(type) {
			case *ast.FuncLit, *ast.CompositeLit:
				if c, ok := e.(*ast.CompositeLit); ok {
					for _, x := range c.Elts {
						if kv, ok := x.(*ast.KeyValueExpr); ok {
							x = kv.Value
						}
						visit(x, false)
					}
				}
				return false
			case *ast.CallExpr:
				if s, ok := e.Fun.(*ast.SelectorExpr); ok && f.variable(s.X) {
					add(s.X)
				}
				for _, a := range e.Args {
					visit(a, false)
				}
				return false
			}
			if f.variable(e) {
				add(e)
				return false
			}
			return true
		})
	}
	switch s := s.(type) {
	case *ast.AssignStmt:
		for _, e := range s.Rhs {
			visit(e, false)
		}
		if s.Tok != token.ASSIGN && s.Tok != token.DEFINE && f.variable(s.Lhs[0]) {
			add(s.Lhs[0])
		}
	case *ast.IncDecStmt, *ast.ExprStmt, *ast.ReturnStmt, *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt, *ast.DeclStmt:
		visit(s, false)
	case *ast.RangeStmt:
		visit(s.X, false)
	case *ast.IfStmt:
		if s.Init != nil {
			return append(list, f.reads(s.Init)...)
		}
		visit(s.Cond, false)
	}
	return list
}

// variable says that an expression is a variable, a field of one or an element.
func (f *sourceFile) variable(e ast.Expr) bool {
	if !pure(e) {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := f.object(e).(*types.Var)
		return ok && f.pkg.TypesInfo.Defs[e] == nil && !v.IsField() && e.Name != "_"
	case *ast.SelectorExpr:
		if sel := f.pkg.TypesInfo.Selections[e]; sel != nil {
			return sel.Kind() == types.FieldVal && f.variable(e.X)
		}
		_, ok := f.object(e.Sel).(*types.Var)
		return ok
	case *ast.IndexExpr:
		tv := f.typed(e)
		return tv.IsValue() && f.variable(e.X) && !tv.IsType()
	case *ast.StarExpr:
		return f.typed(e).IsValue() && f.variable(e.X)
	}
	return false
}
