package weave

import (
	"errors"
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
func (f *sourceFile) hits(probe int, all []*function) error {
	v := f.Spec.Values[probe]
	if f.Spec.Writes != nil && f.Spec.Writes.File == v.File && sameFile(v.File, f.name) {
		f.found[probe] = f.found[probe] || f.pkg.TypesInfo != nil
	}
	if !sameFile(v.File, f.name) {
		return nil
	}
	at, fn := f.stopAt(v.Line, all)
	if f.found[probe] = fn != nil; fn == nil {
		return nil
	}
	switch line := f.line(at); {
	case line == v.Line:
	case f.isCase(fn, v.Line):
		f.unnoted("line %d is a case, which is not noted where it is compared: what is noted is that the run comes to line %d", v.Line, line)
	default:
		f.remark("nothing can be noted in front of line %d: it is done in front of line %d", v.Line, line)
	}
	when, err := f.condition(v.Condition, at)
	if err != nil {
		return err
	}
	places := 0
	if v.Places {
		places = 1
	}
	var list strings.Builder
	for _, e := range v.Expressions {
		o, err := f.check(e, "expressions", at, false)
		if err != nil {
			return err
		}
		list.WriteString(", " + o)
	}
	site := strings.TrimSuffix(f.site(at, fn), `"`)
	if probe > 0 {
		site += fmt.Sprintf(`,\"p\":%d`, probe)
	}
	eachElseIf(fn, func(s *ast.IfStmt) {
		if s.Pos() == at { // a block around it has room for the look
			f.insert(at, "{ ")
			f.insert(s.End(), " }")
		}
	})
	f.insert(at, "%s.Hit(%s\", %d, %s%s); ", alias, site, places, when, list.String())
	return nil
}

// condition is source of a function that says whether a condition holds at a place, or
// of nil where there is none.
func (f *sourceFile) condition(text string, at token.Pos) (string, error) {
	if text == "" {
		return "nil", nil
	}
	if _, err := f.check(text, "condition", at, true); err != nil {
		return "", err
	}
	return fmt.Sprintf("func() bool { return bool(%s) }", text), nil
}

func sameFile(a, b string) bool {
	if a == b {
		return true
	}
	if filepath.Base(a) != filepath.Base(b) {
		return false
	}
	realA, errA := filepath.EvalSymlinks(a)
	realB, errB := filepath.EvalSymlinks(b)
	return errA == nil && errB == nil && realA == realB
}

// stopAt is where a program would stop for a line: at the statement that the line is a
// part of, else at the next that begins within the same function, else at its end.
func (f *sourceFile) stopAt(line int, all []*function) (at token.Pos, in *function) {
	var fn *function
	for _, one := range all { // literals come after what they are in
		if f.line(one.pos) <= line && line <= f.line(one.body.Rbrace) {
			fn = one
		}
	}
	if fn == nil {
		return token.NoPos, nil
	}
	var part, next ast.Stmt
	consider := func(s ast.Stmt) {
		from := f.line(s.Pos())
		if from <= line && line <= f.line(head(s)) && (part == nil || from >= f.line(part.Pos()) && from < line || from == line && f.line(part.Pos()) < line) {
			part = s
		}
		if from >= line && (next == nil || from < f.line(next.Pos())) {
			next = s
		}
	}
	eachStatement(fn, consider)
	eachElseIf(fn, func(s *ast.IfStmt) { consider(s) })
	switch {
	case part != nil:
		return part.Pos(), fn
	case next != nil:
		return next.Pos(), fn
	case f.line(fn.body.Rbrace) == line && fn.typ.Results == nil:
		return fn.body.Rbrace, fn
	}
	return token.NoPos, nil
}

// isCase says that a line has what a switch or a select chooses by.
func (f *sourceFile) isCase(fn *function, line int) (is bool) {
	inspect(fn, func(n ast.Node) {
		switch c := n.(type) {
		case *ast.CaseClause:
			is = is || f.line(c.Case) <= line && line <= f.line(c.Colon)
		case *ast.CommClause:
			is = is || f.line(c.Case) <= line && line <= f.line(c.Colon)
		}
	})
	return is
}

// unnoted lets the run say that a part of it is not noted.
func (f *sourceFile) unnoted(format string, args ...any) {
	f.edits = append(f.edits, edit{at: len(f.text), text: fmt.Sprintf("\nfunc init() { %s.Unnoted(%q) }\n", alias, fmt.Sprintf(format, args...))})
}

// eachElseIf visits the ifs of a function that stand behind an else: they are in no list.
func eachElseIf(fn *function, visit func(*ast.IfStmt)) {
	inspect(fn, func(n ast.Node) {
		if s, is := n.(*ast.IfStmt); is {
			if other, is := s.Else.(*ast.IfStmt); is {
				visit(other)
			}
		}
	})
}

// head is where a statement ends, or where its block begins.
func head(s ast.Stmt) token.Pos {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return s.Lbrace
	case *ast.IfStmt:
		return s.Body.Lbrace
	case *ast.ForStmt:
		return s.Body.Lbrace
	case *ast.RangeStmt:
		return s.Body.Lbrace
	case *ast.SwitchStmt:
		return s.Body.Lbrace
	case *ast.TypeSwitchStmt:
		return s.Body.Lbrace
	case *ast.SelectStmt:
		return s.Body.Lbrace
	case *ast.LabeledStmt:
		return head(s.Stmt)
	}
	return s.End()
}

// check is source of the look at an expression at a place, or says why it has no value
// there.
func (f *sourceFile) check(text, field string, at token.Pos, truth bool) (operand string, err error) {
	operand, _, err = f.checkPure(text, field, at, truth)
	return operand, err
}

// checkPure is check, and says whether looking at the expression does no more than that.
func (f *sourceFile) checkPure(text, field string, at token.Pos, truth bool) (operand string, pure bool, err error) {
	expr, err := parser.ParseExpr(text)
	if err != nil {
		return "", false, fault.New(fault.InvalidParam, "%s is no expression of Go: %w", text, err).WithField(field).
			WithHint("write it as the program's source would at that place")
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	if err := types.CheckExpr(f.pkg.Fset, f.pkg.Types, at, expr, info); err != nil {
		reason := err.Error()
		var e types.Error
		if errors.As(err, &e) {
			reason = e.Msg
		}
		return "", false, fault.New(fault.InvalidParam, "%s has no value at %s: %s", text, f.shortPlace(at), reason).WithField(field).
			WithHint("name what is declared before that line")
	}
	tv := info.Types[expr]
	if _, several := tv.Type.(*types.Tuple); several || !tv.IsValue() || tv.IsVoid() {
		return "", false, fault.New(fault.InvalidParam, "%s is no single value", text).WithField(field).WithHint("give an expression that has one")
	}
	if truth {
		if b, ok := tv.Type.Underlying().(*types.Basic); !ok || b.Info()&types.IsBoolean == 0 {
			return "", false, fault.New(fault.InvalidParam, "%s is no condition: it is a %s", text, tv.Type).WithField(field).WithHint("compare it with something")
		}
	}
	if err := f.effects(expr, info, text, field); err != nil {
		return "", false, err
	}
	r := reader{info, types.ExprString}
	if !r.pure(expr) {
		return r.lookAtValue(expr), false, nil
	}
	return r.operand(expr), true, nil
}

func (f *sourceFile) shortPlace(at token.Pos) string {
	return fmt.Sprintf("%s:%d", filepath.Base(f.name), f.line(at))
}

// effects refuses what would take from the program. That an expression calls something
// is said by whoever has asked.
func (f *sourceFile) effects(expr ast.Expr, info *types.Info, text, field string) (err error) {
	ast.Inspect(expr, func(n ast.Node) bool {
		switch e := n.(type) {
		case *ast.UnaryExpr:
			if e.Op == token.ARROW {
				err = fault.New(fault.InvalidParam, "%s would take from the channel what the program waits for", text).WithField(field).
					WithHint("len(%s) says how many values wait there", types.ExprString(e.X))
			}
		case *ast.CallExpr:
			tv := info.Types[e.Fun]
			switch id, _ := ast.Unparen(e.Fun).(*ast.Ident); {
			case tv.IsType():
			case tv.IsBuiltin() && id != nil && strings.Contains(" close panic delete clear copy print println recover ", " "+id.Name+" "):
				err = fault.New(fault.InvalidParam, "%s would change the program: it calls %s", text, id.Name).WithField(field).WithHint("give an expression that only reads")
			}
		case *ast.FuncLit:
			err = fault.New(fault.InvalidParam, "%s holds a function of its own", text).WithField(field).WithHint("give an expression that only reads")
		}
		return err == nil
	})
	return err
}
