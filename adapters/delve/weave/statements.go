package weave

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"aidb-mcp/internal/recording"
)

// target is something that a statement writes to.
type target struct {
	expr  ast.Expr
	new   bool // it is declared by the statement
	moved bool // the statement also writes to what says where it lies

	through bool // it is a pointer, and what that leads to is written to
	part    way  // from it to the field that the spec is about, where all around that is written to
}

// writesIn says whether a function writes to what the spec names.
func (f *sourceFile) writesIn(fn *function) bool {
	found := f.returnsValues(fn) || f.makes(fn)
	inspect(fn, func(n ast.Node) {
		found = found || len(f.targets(n)) > 0
	})
	eachStatement(fn, func(s ast.Stmt) { found = found || len(f.lends(s)) > 0 })
	return found
}

// targets are what a statement writes to that the spec is about.
func (f *sourceFile) targets(n ast.Node) []target {
	var list []target
	add := func(isNew bool, exprs ...ast.Expr) {
		for _, e := range exprs {
			if id, ok := e.(*ast.Ident); e == nil || ok && id.Name == "_" {
				continue
			}
			if !isNew {
				list = append(list, f.wholes(e)...)
			}
			t, ok := f.lookTarget(e)
			if !ok || !f.reader().pure(t.expr) {
				continue
			}
			t.new = isNew && t.expr == e
			list = append(list, t)
		}
	}
	switch s := n.(type) {
	case *ast.AssignStmt:
		for _, e := range s.Lhs {
			id, ok := e.(*ast.Ident)
			add(ok && s.Tok == token.DEFINE && f.pkg.TypesInfo.Defs[id] != nil, e)
		}
		f.mark(list, s.Lhs)
		list = append(list, f.begun(s)...)
	case *ast.IncDecStmt:
		add(false, s.X)
	case *ast.RangeStmt:
		add(s.Tok == token.DEFINE, s.Key, s.Value)
		f.mark(list, []ast.Expr{s.Key, s.Value})
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); ok && !f.Spec.Writes.All && f.changes(call) {
			add(false, call.Args[0])
		}
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

// changes says that a call is one that changes what its first argument holds.
func (f *sourceFile) changes(call *ast.CallExpr) bool {
	if len(call.Args) == 0 {
		return false
	}
	if name, is := f.builtin(call.Fun); is {
		return name == "delete" || name == "clear" || name == "copy"
	}
	of := f.callee(call.Fun)
	return of != nil && of.Pkg() != nil && of.Signature().Recv() == nil && mutates(of)
}

// mark finds the targets that lie elsewhere after the statement than before, because
// it writes to a variable that they are reached by.
func (f *sourceFile) mark(list []target, all []ast.Expr) {
	for i, t := range list {
		if isIdent(t.expr) || t.through {
			continue
		}
		ast.Inspect(t.expr, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && slices.ContainsFunc(all, func(e ast.Expr) bool {
				other, ok := e.(*ast.Ident)
				return ok && f.object(other) != nil && f.object(other) == f.object(id)
			}) {
				list[i].moved = true
			}
			return true
		})
	}
}

func isIdent(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.Ident)
	return ok
}

// statements puts the notes of what is read and written around the statements of a
// function.
func (f *sourceFile) statements(fn *function) {
	inspect(fn, func(n ast.Node) {
		for _, s := range statementsOf(n) {
			f.statement(s, fn)
		}
		switch s := n.(type) {
		case *ast.RangeStmt:
			f.noteAfter(s.Body.Lbrace+1, s, fn, f.targets(s), " ")
		case *ast.ForStmt:
			f.loop(s, fn)
		case *ast.IfStmt:
			f.header(s.Init, s.Cond, fn)
			f.noteElseArguments(s.Else, fn)
		case *ast.SwitchStmt:
			f.clauses(s, s.Body, f.targets(s.Init), fn)
		case *ast.TypeSwitchStmt:
			f.clauses(s, s.Body, f.targets(s.Init), fn)
			f.guard(s, fn)
		case *ast.CommClause:
			if s.Comm != nil {
				f.noteAfter(s.Colon+1, s.Comm, fn, f.targets(s.Comm), " ")
			}
		}
	})
}

// loop notes what the head of a loop writes to: at the beginning of each round, and
// when it is over what is not of the loop itself.
func (f *sourceFile) loop(s *ast.ForStmt, fn *function) {
	list := f.targets(s.Init)
	for _, t := range f.targets(s.Post) {
		if !slices.ContainsFunc(list, func(o target) bool { return f.source(o.expr) == f.source(t.expr) }) {
			list = append(list, t)
		}
	}
	f.noteAfter(s.Body.Lbrace+1, s, fn, list, " ")
	if s.Cond != nil {
		f.noteAfter(s.End(), s, fn, slices.DeleteFunc(list, func(t target) bool { return !f.outlives(t.expr, s) }), "; ")
	}
}

// outlives says that what an expression names is not declared in a statement.
func (f *sourceFile) outlives(e ast.Expr, s ast.Stmt) bool {
	r := reads{reader: f.reader(), of: s}
	return !r.early(e)
}

// header notes what the beginning of an if writes to, where its condition begins.
func (f *sourceFile) header(init ast.Stmt, cond ast.Expr, fn *function) {
	list := f.operands(f.targets(init))
	if len(list) == 0 || !isPlainBool(f.typeOf(cond).Type) {
		return
	}
	f.insert(cond.Pos(), "aidb_frame.Noted(%s, %s) && (", f.site(init.Pos(), fn), strings.Join(list, ", "))
	f.insert(cond.End(), ")")
}

// clauses notes at the beginning of each what the beginning of a switch writes to.
func (f *sourceFile) clauses(s ast.Stmt, body *ast.BlockStmt, list []target, fn *function) {
	for _, c := range body.List {
		f.noteAfter(c.(*ast.CaseClause).Colon+1, s, fn, list, " ")
	}
}

// guard notes the variable of a type switch, which each clause has anew.
func (f *sourceFile) guard(s *ast.TypeSwitchStmt, fn *function) {
	assign, ok := s.Assign.(*ast.AssignStmt)
	if !ok || !f.Spec.Writes.All {
		return
	}
	name := assign.Lhs[0].(*ast.Ident).Name
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		f.insert(c.Colon+1, " aidb_frame.Wrote(%s, &%s);", f.site(s.Pos(), fn), name)
	}
}

// handsOnACall says that a statement puts somewhere, or gives back, what may be the
// result of a call, even if it reads nothing besides.
func handsOnACall(s ast.Stmt) (calls bool) {
	switch s := s.(type) {
	case *ast.AssignStmt, *ast.DeclStmt, *ast.ReturnStmt:
	case *ast.IfStmt:
		return s.Init != nil && handsOnACall(s.Init)
	case *ast.SwitchStmt:
		return s.Init != nil && handsOnACall(s.Init)
	default:
		return false
	}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			calls = true
		}
		return !calls
	})
	return calls
}

// callsFirst says that a statement calls a function before it writes, which may write to the same.
func (f *sourceFile) callsFirst(s ast.Stmt) (calls bool) {
	assign, is := s.(*ast.AssignStmt)
	for i := 0; is && i < len(assign.Rhs) && !calls; i++ {
		ast.Inspect(assign.Rhs[i], func(n ast.Node) bool {
			call, is := n.(*ast.CallExpr)
			if is && !f.pkg.TypesInfo.Types[call.Fun].IsType() && !f.pkg.TypesInfo.Types[call.Fun].IsBuiltin() {
				calls = true
			}
			_, literal := n.(*ast.FuncLit)
			return !calls && !literal
		})
	}
	return calls
}

// statement puts the notes around one.
func (f *sourceFile) statement(s ast.Stmt, fn *function) {
	if labelled, is := s.(*ast.LabeledStmt); is {
		switch labelled.Stmt.(type) { // a statement between a label and its loop would part them
		case *ast.AssignStmt, *ast.ExprStmt, *ast.IncDecStmt, *ast.ReturnStmt:
			f.statement(labelled.Stmt, fn)
		}
		return
	}
	if f.Spec.Writes.All {
		if r := f.reads(s); len(r.list) > 0 {
			f.insert(s.Pos(), "aidb_frame.Use(%s, %s); ", f.site(s.Pos(), fn, r.names...), strings.Join(r.list, ", "))
		} else if handsOnACall(s) {
			f.insert(s.Pos(), "aidb_frame.Use(%s); ", f.site(s.Pos(), fn))
		}
	}
	f.noteArguments(s, fn)
	var list []target
	switch s := s.(type) {
	case *ast.ReturnStmt:
		f.noteReturn(s, fn)
	case *ast.AssignStmt, *ast.IncDecStmt, *ast.DeclStmt, *ast.ExprStmt:
		list = f.targets(s)
	}
	moved := slices.ContainsFunc(list, func(t target) bool { return t.moved })
	if old := f.lookAtOld(list); len(old) > 0 && !moved {
		was := "Was"
		if f.callsFirst(s) {
			was = "WasAndCalls"
		}
		f.insert(s.Pos(), "aidb_frame.%s(%s); ", was, strings.Join(old, ", "))
		f.insert(s.End(), "; aidb_frame.Changed(%s, %s)", f.writeSite(s, fn), strings.Join(f.operands(list), ", "))
		return
	}
	if moved {
		list = f.save(s, fn, list)
	}
	f.noteAfter(s.End(), s, fn, list, "; ")
}

// lookAtOld is source of what targets hold before; nothing where all are new.
func (f *sourceFile) lookAtOld(list []target) []string {
	if !slices.ContainsFunc(list, func(t target) bool { return !t.new }) {
		return nil
	}
	var old []string
	for _, t := range list {
		if t.new {
			old = append(old, alias+`.Gap("")`)
		} else {
			old = append(old, f.operand(t))
		}
	}
	return old
}

// save notes where targets lie that lie elsewhere afterwards, and answers with the
// rest. Entries of maps cannot be kept so.
func (f *sourceFile) save(s ast.Stmt, fn *function, list []target) (rest []target) {
	var saved []string
	for _, t := range list {
		switch {
		case !t.moved:
			rest = append(rest, t)
		case f.typeOf(t.expr).Addressable():
			saved = append(saved, f.pointerTo(t))
		}
	}
	if len(saved) > 0 {
		f.insert(s.Pos(), "aidb_frame.Save(%s); ", strings.Join(saved, ", "))
		f.insert(s.End(), "; aidb_frame.Saved(%s)", f.writeSite(s, fn))
	}
	return rest
}

// noteAfter notes at a place of the source that targets have been written to.
func (f *sourceFile) noteAfter(at token.Pos, s ast.Stmt, fn *function, list []target, before string) {
	all := f.operands(list)
	if len(all) == 0 {
		return
	}
	text := fmt.Sprintf("%saidb_frame.Wrote(%s, %s)", before, f.writeSite(s, fn), strings.Join(all, ", "))
	if before == " " {
		text += ";"
	}
	f.insert(at, "%s", text)
}

// writeSite is the site of what a statement writes.
func (f *sourceFile) writeSite(s ast.Stmt, fn *function) string {
	at := site{At: f.place(s.Pos()), Function: fn.name}
	if assign, is := s.(*ast.AssignStmt); is && slices.ContainsFunc(assign.Rhs, f.appends) {
		at.Text = recording.Longer
	}
	return siteText(at)
}

// appends says that an expression is a call of append.
func (f *sourceFile) appends(e ast.Expr) bool {
	call, is := ast.Unparen(e).(*ast.CallExpr)
	if !is {
		return false
	}
	name, _ := f.builtin(call.Fun)
	return name == "append"
}

func (f *sourceFile) operands(list []target) (all []string) {
	for _, t := range list {
		all = append(all, f.operand(t))
	}
	return all
}

func (f *sourceFile) operand(t target) string {
	if t.through {
		return fmt.Sprintf("%s.T(func() interface{} { return %s })", alias, f.source(t.expr))
	}
	if t.part.path != "" {
		return f.pointerTo(t)
	}
	return f.reader().operand(t.expr)
}

// pointerTo is source of a pointer to a target.
func (f *sourceFile) pointerTo(t target) string {
	text := "(" + f.source(t.expr) + ")"
	if !t.part.isClosed {
		return f.reader().pointer(text + t.part.path)
	}
	index := ""
	for _, i := range t.part.index {
		index += fmt.Sprintf(", %d", i)
	}
	return fmt.Sprintf("%s.P(func() interface{} { return %[1]s.Field(&%s%s) })", alias, text, index)
}

// aims tells the recorder where the places are that the spec is about, whatever writes
// to them: the variables of the package, and what the function takes the address of.
func (f *sourceFile) aims(all []*function) {
	for _, fn := range all {
		eachStatement(fn, func(s ast.Stmt) {
			if _, labelled := s.(*ast.LabeledStmt); labelled {
				return
			}
			r := &reads{reader: f.reader(), of: s}
			ast.Inspect(s, func(n ast.Node) bool {
				switch e := n.(type) {
				case *ast.BlockStmt, *ast.FuncLit:
					return false
				case *ast.UnaryExpr:
					if e.Op == token.AND && f.isMeant(f.nameOf(f.reader(), ast.Unparen(e.X))) && r.pure(e.X) && !r.early(e.X) {
						f.insert(s.Pos(), "%s.Aim(%s); ", alias, r.operand(e.X))
					}
				}
				return true
			})
		})
	}
	f.eachGlobal(func(id *ast.Ident) string {
		if !f.isMeant(f.nameOf(f.reader(), id)) {
			return ""
		}
		return fmt.Sprintf("%s.Aim(&%s); ", alias, id.Name)
	})
}

// reads are the operands of a statement, of its head where it has blocks.
func (f *sourceFile) reads(s ast.Stmt) *reads {
	r := &reads{reader: f.reader(), of: s}
	visit := func(nodes ...ast.Node) {
		for _, n := range nodes {
			r.visit(n, false)
		}
	}
	switch s := s.(type) {
	case *ast.AssignStmt:
		for _, e := range s.Rhs {
			visit(e)
		}
		if s.Tok != token.ASSIGN && s.Tok != token.DEFINE && r.variable(s.Lhs[0]) {
			r.add(s.Lhs[0])
		}
	case *ast.IncDecStmt, *ast.ExprStmt, *ast.ReturnStmt, *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt, *ast.DeclStmt:
		visit(s)
	case *ast.RangeStmt:
		visit(s.X)
	case *ast.ForStmt:
		r.head(s.Init, s.Cond)
	case *ast.IfStmt:
		r.head(s.Init, s.Cond)
	case *ast.SwitchStmt:
		r.head(s.Init, s.Tag)
	case *ast.TypeSwitchStmt:
		r.head(s.Init, nil)
		r.visit(s.Assign, false)
	}
	return r
}

// head adds the operands of the beginning and the condition of a statement.
func (r *reads) head(init ast.Stmt, cond ast.Expr) {
	if assign, ok := init.(*ast.AssignStmt); ok {
		for _, e := range assign.Rhs {
			r.visit(e, false)
		}
	} else if init != nil {
		r.visit(init, false)
	}
	if cond != nil {
		r.visit(cond, init != nil)
	}
}
