package weave

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// lines puts a look at the variables in front of each statement of a function, for one
// of its calls.
func (f *sourceFile) lines(fn *function) error {
	l := f.Spec.Lines
	when, err := f.condition(l.Condition, fn.body.Lbrace+1)
	if err != nil {
		return err
	}
	v := follower{f, fn, fn}
	asked := 0
	names, list := v.results()
	if len(l.Expressions) > 0 {
		asked, names, list = 1, "", ""
	}
	f.insert(fn.body.Lbrace+1, " aidb_lines := %s.Follow(%d, %d, %s); defer aidb_lines.End([]string{%s}%s); ", alias, l.Call, asked, when, names, list)
	inspect(fn, v.visit)
	for _, inner := range fn.deferredLiterals() {
		if !f.isWanted(inner) {
			inspect(inner, (&follower{f, inner, fn}).visit)
		}
	}
	return nil
}

// deferredLiterals are the literals that a function defers: they run as a part of it.
func (fn *function) deferredLiterals() (list []*function) {
	inspect(fn, func(n ast.Node) {
		if d, ok := n.(*ast.DeferStmt); ok {
			for _, inner := range fn.within {
				if inner.literal == ast.Unparen(d.Call.Fun) {
					list = append(list, inner)
				}
			}
		}
	})
	return list
}

// follower puts the looks into one function.
type follower struct {
	*sourceFile
	fn *function
	of *function // that is followed: itself, or the one that it is deferred in
}

func (v *follower) visit(n ast.Node) {
	list := statementsOf(n)
	for _, s := range list {
		v.insert(s.Pos(), "%s", v.look("At", v.site(s.Pos(), v.fn), s.Pos(), s, nil))
	}
	for _, s := range list {
		if d, ok := s.(*ast.DeferStmt); ok && !isLiteral(d.Call.Fun) {
			v.insert(d.End(), "; defer aidb_lines.Leaving()")
		}
	}
	if n := len(list); n > 0 && v.goesOn(list[n-1]) {
		v.insert(list[n-1].End(), "; %s", v.look("At", `""`, list[n-1].End(), list[n-1], nil))
	}
	switch n := n.(type) {
	case *ast.IfStmt:
		if other, is := n.Else.(*ast.IfStmt); is { // a block around it has room for the look
			v.insert(other.Pos(), "{ %s", v.look("At", v.site(other.Pos(), v.fn), other.Pos(), other, nil))
			v.insert(other.End(), " }")
		}
	case *ast.ForStmt:
		v.lookAtLoopHead(n, n.Body)
		if n.Cond != nil {
			v.insert(n.End(), "; %s", v.look("Over", v.site(n.Pos(), v.fn), n.End(), n, n))
		}
	case *ast.RangeStmt:
		v.lookAtLoopHead(n, n.Body)
	}
}

// lookAtLoopHead puts a look for the head of a loop at the beginning of its body.
func (v *follower) lookAtLoopHead(loop ast.Stmt, body *ast.BlockStmt) {
	at := body.Lbrace + 1
	v.insert(at, " %s", v.look("Again", v.site(loop.Pos(), v.fn), at, body, loop))
}

// isLiteral says that a deferred call is one of a literal, whose lines are of the function, too.
func isLiteral(fun ast.Expr) bool {
	_, is := ast.Unparen(fun).(*ast.FuncLit)
	return is
}

// goesOn says that a statement is none that a function with a result may end in.
func (v *follower) goesOn(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.AssignStmt, *ast.IncDecStmt, *ast.DeclStmt, *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt:
		return true
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		return !ok || !v.isPanic(call)
	}
	return false
}

func (v *follower) isPanic(call *ast.CallExpr) bool {
	id, is := ast.Unparen(call.Fun).(*ast.Ident)
	return is && id.Name == "panic" && v.typeOf(id).IsBuiltin()
}

// look is source of one. Head is a loop whose own variables are not read.
func (v *follower) look(how, site string, at token.Pos, in ast.Node, head ast.Stmt) string {
	names, list := v.variables(at, in, head)
	if len(v.Spec.Lines.Expressions) > 0 {
		names, list = v.expressions(at, head)
	}
	return fmt.Sprintf("if aidb_lines.On() { aidb_lines.%s(%s, []string{%s}%s) }; ", how, site, names, list)
}

// variables are those of the function that are in scope at a place.
func (v *follower) variables(at token.Pos, in ast.Node, head ast.Stmt) (names, list string) {
	var all []*types.Var
	whole := v.pkg.TypesInfo.Scopes[v.of.typ]
	for scope := whole.Innermost(in.Pos()); scope != nil; scope = scope.Parent() {
		for _, name := range scope.Names() {
			o, is := scope.Lookup(name).(*types.Var)
			if is && name != "_" && o.Pos() < at &&
				!slices.ContainsFunc(all, func(other *types.Var) bool { return other.Name() == name }) {
				all = append(all, o)
			}
		}
		if scope == whole {
			break
		}
	}
	slices.SortFunc(all, func(a, b *types.Var) int { return int(a.Pos() - b.Pos()) })
	return v.keys(all, head)
}

// isOfHead says that the head of a loop declares a variable, or gives it a value from round to round.
func (v *follower) isOfHead(o types.Object, head ast.Stmt) bool {
	if o.Pos() >= head.Pos() && o.Pos() < head.End() {
		return true
	}
	is := false
	for _, e := range writtenByHead(head) {
		ast.Inspect(e, func(n ast.Node) bool {
			id, named := n.(*ast.Ident)
			is = is || named && v.object(id) == o
			return !is
		})
	}
	return is
}

// writtenByHead are the expressions to which the head of a loop writes from round to round.
func writtenByHead(loop ast.Stmt) (list []ast.Expr) {
	switch s := loop.(type) {
	case *ast.RangeStmt:
		for _, e := range []ast.Expr{s.Key, s.Value} {
			if e != nil {
				list = append(list, e)
			}
		}
	case *ast.ForStmt:
		switch post := s.Post.(type) {
		case *ast.IncDecStmt:
			list = append(list, post.X)
		case *ast.AssignStmt:
			list = post.Lhs
		}
	}
	return list
}

// keys are source of names, each with what tells it from others that are called so,
// and of pointers; none to what belongs to the head of a loop.
func (v *follower) keys(all []*types.Var, head ast.Stmt) (names, list string) {
	var n []string
	for _, o := range all {
		n = append(n, fmt.Sprintf("%q", fmt.Sprintf("%s@%d", o.Name(), v.offset(o.Pos()))))
		if head != nil && v.isOfHead(o, head) {
			list += ", " + alias + `.Gap("")`
			continue
		}
		list += ", &" + o.Name()
	}
	return strings.Join(n, ", "), list
}

// results are the results that have names.
func (v *follower) results() (names, list string) {
	if v.fn.typ.Results == nil {
		return "", ""
	}
	var all []*types.Var
	for _, name := range fields(v.fn.typ.Results, nil) {
		if o, ok := v.pkg.TypesInfo.Scopes[v.fn.typ].Lookup(name).(*types.Var); ok {
			all = append(all, o)
		}
	}
	return v.keys(all, nil)
}

// expressions are those of the spec, as far as they have a value at a place.
func (v *follower) expressions(at token.Pos, head ast.Stmt) (names, list string) {
	var n []string
	for _, text := range v.Spec.Lines.Expressions {
		n = append(n, fmt.Sprintf("%q", text))
		o, err := v.check(text, "expressions", at, false)
		switch {
		case err != nil:
			o = fmt.Sprintf("%s.Gap(%q)", alias, "not in scope there")
		case head != nil && v.usesLoopVariable(text, at, head):
			o = alias + `.Gap("")`
		}
		if err == nil && !slices.Contains(v.known, text) {
			v.known = append(v.known, text)
		}
		list += ", " + o
	}
	return strings.Join(n, ", "), list
}

// usesLoopVariable says that an expression has a variable of a loop's head in it.
func (v *follower) usesLoopVariable(text string, at token.Pos, head ast.Stmt) (is bool) {
	scope := v.pkg.TypesInfo.Scopes[v.of.typ].Innermost(at)
	for _, name := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" .()[]+-*/%&|!<>=,", r) }) {
		if _, o := scope.LookupParent(name, at); o != nil && v.isOfHead(o, head) {
			is = true
		}
	}
	return is
}
