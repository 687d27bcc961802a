package weave

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"aidb-mcp/internal/fault"
)

// hits puts the look at the expressions of a probe in front of its line.
func (f *sourceFile) hits(probe int) error {
	v := f.wish.Values[probe]
	if !sameFile(v.File, f.name) {
		return nil
	}
	stmt, fn := f.statementAt(v.Line)
	if stmt == nil {
		return nil
	}
	for len(f.found) <= probe {
		f.found = append(f.found, false)
	}
	f.found[probe] = true
	if line := f.line(stmt.Pos()); line != v.Line {
		f.remarks = append(f.remarks, fmt.Sprintf("line %d has no statement: %d is the next that has", v.Line, line))
	}
	when := "nil"
	if v.Condition != "" {
		if err := f.check(v.Condition, "condition", stmt.Pos(), true); err != nil {
			return err
		}
		when = fmt.Sprintf("func() bool { return %s }", v.Condition)
	}
	var list strings.Builder
	for _, e := range v.Expressions {
		if err := f.check(e, "expressions", stmt.Pos(), false); err != nil {
			return err
		}
		where, base := f.placeOf(e, stmt.Pos(), v.Places)
		list.WriteString(", " + looked(e, e, where, base))
	}
	function := f.pkg.Name
	if fn != nil {
		function = f.function(fn)
	}
	f.put(stmt.Pos(), "%s.Hit(%d, %t, %q, %q, %s%s); ", folder, probe, v.Places, f.at(stmt.Pos()), function, when, list.String())
	return nil
}

func sameFile(a, b string) bool {
	if a == b {
		return true
	}
	realA, errA := filepath.EvalSymlinks(a)
	realB, errB := filepath.EvalSymlinks(b)
	return errA == nil && errB == nil && realA == realB
}

// statementAt is the statement of a list that begins on a line, or on the next that
// one begins on within the same function.
func (f *sourceFile) statementAt(line int) (found ast.Stmt, in *ast.FuncDecl) {
	for _, d := range f.syntax.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || f.line(fn.Pos()) > line || f.line(fn.End()) < line {
			continue
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			for _, s := range statementsOf(n) {
				at := f.line(s.Pos())
				if at >= line && (found == nil || at < f.line(found.Pos())) {
					found, in = s, fn
				}
			}
			return true
		})
	}
	return found, in
}

// check says why an expression has no value at a place of the source.
func (f *sourceFile) check(text, field string, at token.Pos, truth bool) error {
	expr, err := parser.ParseExpr(text)
	if err != nil {
		return fault.New(fault.InvalidParam, "%s is no expression of Go: %w", text, err).WithField(field).
			WithHint("write it as the program's source would at that place")
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	if err := types.CheckExpr(f.pkg.Fset, f.pkg.Types, at, expr, info); err != nil {
		reason := err.Error()
		if e, ok := err.(types.Error); ok {
			reason = e.Msg
		}
		return fault.New(fault.InvalidParam, "%s has no value at %s: %s", text, f.at(at), reason).WithField(field).
			WithHint("name what is declared before that line")
	}
	tv := info.Types[expr]
	if !tv.IsValue() {
		return fault.New(fault.InvalidParam, "%s is no value", text).WithField(field).WithHint("give an expression that has one")
	}
	if truth {
		if b, ok := tv.Type.Underlying().(*types.Basic); !ok || b.Info()&types.IsBoolean == 0 {
			return fault.New(fault.InvalidParam, "%s is no condition: it is a %s", text, tv.Type).WithField(field).WithHint("compare it with something")
		}
	}
	return nil
}

// placeOf is the source of the place that an expression names and of what holds
// that; empty when there is none.
func (f *sourceFile) placeOf(text string, at token.Pos, asked bool) (where, base string) {
	if !asked {
		return "", ""
	}
	expr, err := parser.ParseExpr(text)
	if err != nil {
		return "", ""
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	if types.CheckExpr(f.pkg.Fset, f.pkg.Types, at, expr, info) != nil {
		return "", ""
	}
	typed := func(e ast.Expr) types.TypeAndValue { return info.Types[e] }
	return place(expr, text, typed, types.ExprString), holder(expr, typed, types.ExprString)
}

// holder is the source of what holds the place of an expression.
func holder(expr ast.Expr, typed func(ast.Expr) types.TypeAndValue, source func(ast.Expr) string) string {
	var base ast.Expr
	switch e := ast.Unparen(expr).(type) {
	case *ast.SelectorExpr:
		base = e.X
	case *ast.IndexExpr:
		base = e.X
	case *ast.StarExpr:
		return source(e.X)
	}
	if base == nil || typed(base).Type == nil || !typed(base).IsValue() {
		return ""
	}
	switch typed(base).Type.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Slice:
		return source(base)
	}
	if typed(base).Addressable() {
		return "&" + source(base)
	}
	return ""
}

// place is the source of the place of an expression.
func place(expr ast.Expr, text string, typed func(ast.Expr) types.TypeAndValue, source func(ast.Expr) string) string {
	if index, ok := ast.Unparen(expr).(*ast.IndexExpr); ok {
		if t := typed(index.X).Type; t != nil {
			if _, isMap := t.Underlying().(*types.Map); isMap {
				return fmt.Sprintf("%s.Entry{Map: %s, Key: %s}", folder, source(index.X), source(index.Index))
			}
		}
	}
	if tv := typed(expr); tv.Addressable() || tv.Type == nil && isIdent(expr) { // a definition has no type of its own there
		return "&" + text
	}
	return ""
}

func isIdent(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.Ident)
	return ok
}
