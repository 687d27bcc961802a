//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// taken is a lock that a function has surely taken where it stands at a line.
type taken struct {
	expr string
	read bool
	line int
}

// heldAt are the locks that the function around a line has taken before it and not given back, as far as
// its source leaves no doubt: taken by a statement of a block around the line, and given back by none
// that may have run since. What functions that it called took is not known.
func (s *source) heldAt(line int) []taken {
	if known, asked := s.held[line]; asked {
		return known
	}
	s.held[line] = s.findHeld(line)
	return s.held[line]
}

func (s *source) findHeld(line int) []taken {
	body := s.bodyAround(line)
	if body == nil || hasGoto(body) {
		return nil
	}
	held := s.within(body.List, line, nil)
	if s.returns(body, line) {
		held = slices.DeleteFunc(held, func(t taken) bool { return defersUnlock(body, t.expr) })
	}
	return held
}

// givenBack are the expressions of which the function around a line may have given a lock back before it.
func (s *source) givenBack(line int) []string {
	body := s.bodyAround(line)
	if body == nil {
		return nil
	}
	var exprs []string
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.DeferStmt:
			return s.line(body.Rbrace) == line
		case *ast.CallExpr:
			for _, method := range []string{"Unlock", "RUnlock"} {
				if of, is := lockCall(n, method); is && s.line(n.Pos()) <= line {
					exprs = append(exprs, of)
				}
			}
		}
		return true
	})
	return exprs
}

// returns says that a function with several deferred calls may run them at a line: one of them may have
// given back what it took.
func (s *source) returns(body *ast.BlockStmt, line int) bool {
	deferred, at := 0, line == s.line(body.Rbrace)
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			deferred++
		case *ast.ReturnStmt:
			at = at || s.line(n.Pos()) <= line && line <= s.line(n.End())
		}
		return true
	})
	return at && deferred > 1
}

// defersUnlock says that a function gives a lock back when it returns.
func defersUnlock(body *ast.BlockStmt, expr string) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if d, is := n.(*ast.DeferStmt); is {
			found = found || gives(d.Call, expr)
		}
		return !found
	})
	return found
}

// bodyAround is the body of the innermost function around a line; nil where several are in that line.
func (s *source) bodyAround(line int) *ast.BlockStmt {
	var body *ast.BlockStmt
	ast.Inspect(s.file, func(n ast.Node) bool {
		if n == nil || s.line(n.Pos()) > line || s.line(n.End()) < line {
			return false
		}
		switch f := n.(type) {
		case *ast.FuncDecl:
			body = f.Body
		case *ast.FuncLit:
			first, last := s.line(f.Body.Lbrace), s.line(f.Body.Rbrace)
			if first < line && line < last {
				body = f.Body
			} else if first == line && last == line {
				body = nil
				return false
			}
		}
		return true
	})
	return body
}

// within follows statements up to the one around a line, and into that.
func (s *source) within(list []ast.Stmt, line int, held []taken) []taken {
	at := -1
	for i, stmt := range list {
		first, last := s.line(stmt.Pos()), s.line(stmt.End())
		if first <= line && line <= last {
			if at >= 0 {
				return held // several in one line: which of them runs is not known
			}
			at = i
		}
	}
	for i, stmt := range list {
		if i == at || at < 0 && s.line(stmt.Pos()) > line {
			break
		}
		held = s.after(stmt, held)
	}
	if at < 0 {
		return held
	}
	return s.into(list[at], line, held)
}

// into follows the block of a statement in which a line is.
func (s *source) into(stmt ast.Stmt, line int, held []taken) []taken {
	in := func(b ast.Node) bool { return b != nil && s.line(b.Pos()) <= line && line <= s.line(b.End()) }
	switch n := stmt.(type) {
	case *ast.LabeledStmt:
		return s.into(n.Stmt, line, held)
	case *ast.BlockStmt:
		return s.within(n.List, line, held)
	case *ast.IfStmt:
		if expr, is := lockCall(n.Cond, "TryLock"); is && in(n.Body) && s.line(n.Body.Lbrace) < line {
			held = append(slices.Clone(held), taken{expr: expr, line: s.line(n.Pos())})
		}
		if in(n.Body) && s.line(n.Body.Lbrace) < line {
			return s.within(n.Body.List, line, held)
		}
		if n.Else != nil && in(n.Else) {
			return s.into(n.Else, line, held)
		}
	case *ast.ForStmt:
		return s.round(n.Body, line, held)
	case *ast.RangeStmt:
		return s.round(n.Body, line, held)
	case *ast.SwitchStmt:
		return s.clauses(n.Body, line, held)
	case *ast.TypeSwitchStmt:
		return s.clauses(n.Body, line, held)
	case *ast.SelectStmt:
		return s.clauses(n.Body, line, held)
	}
	return held
}

// round is a line in a loop, of which an earlier round may have given back what was taken before it.
func (s *source) round(body *ast.BlockStmt, line int, held []taken) []taken {
	held = slices.DeleteFunc(slices.Clone(held), func(t taken) bool { return gives(body, t.expr) })
	return s.within(body.List, line, held)
}

func (s *source) clauses(body *ast.BlockStmt, line int, held []taken) []taken {
	for _, c := range body.List {
		if s.line(c.Pos()) > line || line > s.line(c.End()) {
			continue
		}
		switch c := c.(type) {
		case *ast.CaseClause:
			return s.within(c.Body, line, held)
		case *ast.CommClause:
			return s.within(c.Body, line, held)
		}
	}
	return held
}

// after is what is held after a statement that has run.
func (s *source) after(stmt ast.Stmt, held []taken) []taken {
	switch n := stmt.(type) {
	case *ast.DeferStmt:
		return held
	case *ast.GoStmt: // one that takes the lock itself gives back its own
		return slices.DeleteFunc(slices.Clone(held), func(t taken) bool { return gives(n, t.expr) && !takes(n, t.expr) })
	case *ast.ExprStmt:
		if expr, is := lockCall(n.X, "Lock"); is {
			return append(slices.Clone(held), taken{expr: expr, line: s.line(n.Pos())})
		}
		if expr, is := lockCall(n.X, "RLock"); is {
			return append(slices.Clone(held), taken{expr: expr, read: true, line: s.line(n.Pos())})
		}
	case *ast.IfStmt:
		if not, is := n.Cond.(*ast.UnaryExpr); is && not.Op == token.NOT && n.Else == nil && leaves(n.Body) {
			if expr, is := lockCall(not.X, "TryLock"); is {
				return append(slices.Clone(held), taken{expr: expr, line: s.line(n.Pos())})
			}
		}
		if n.Else == nil && leaves(n.Body) {
			return held // where it went that way, it is not here
		}
	case *ast.AssignStmt:
		return slices.DeleteFunc(slices.Clone(held), func(t taken) bool { return assigns(n, t.expr) || gives(n, t.expr) })
	}
	return slices.DeleteFunc(slices.Clone(held), func(t taken) bool { return gives(stmt, t.expr) })
}

// leaves says that a block ends with a return or a panic.
func leaves(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	switch last := b.List[len(b.List)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.ExprStmt:
		call, is := last.X.(*ast.CallExpr)
		return is && types.ExprString(call.Fun) == "panic"
	}
	return false
}

// assigns says that a statement assigns to the first name of an expression, which then means another.
func assigns(n *ast.AssignStmt, expr string) bool {
	for _, left := range n.Lhs {
		text := types.ExprString(left)
		if text == expr || len(expr) > len(text) && expr[:len(text)] == text && (expr[len(text)] == '.' || expr[len(text)] == '[') {
			return true
		}
	}
	return false
}

// gives says that a part of the source may give a lock back: it calls Unlock or RUnlock of it, or takes
// what of several it means from an index. What only a deferred call does comes later.
func gives(n ast.Node, expr string) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.DeferStmt:
			return false
		case *ast.CallExpr:
			for _, method := range []string{"Unlock", "RUnlock"} {
				if of, is := lockCall(n, method); is && of == expr {
					found = true
				}
			}
		}
		return !found
	})
	return found
}

// takes says that a part of the source takes a lock.
func takes(n ast.Node, expr string) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if call, is := n.(*ast.CallExpr); is {
			for _, method := range []string{"Lock", "RLock"} {
				of, is := lockCall(call, method)
				found = found || is && of == expr
			}
		}
		return !found
	})
	return found
}

// lockCall reads "EXPR.method()".
func lockCall(e ast.Expr, method string) (expr string, is bool) {
	call, is := ast.Unparen(e).(*ast.CallExpr)
	if !is || len(call.Args) > 0 {
		return "", false
	}
	sel, is := call.Fun.(*ast.SelectorExpr)
	if !is || sel.Sel.Name != method {
		return "", false
	}
	return types.ExprString(sel.X), true
}

func hasGoto(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		branch, is := n.(*ast.BranchStmt)
		found = found || is && branch.Tok == token.GOTO
		return !found
	})
	return found
}
