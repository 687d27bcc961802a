package weave

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// noteArguments notes what a statement changes by what it calls where nothing is noted: of the
// language itself, or of a package that is built as it is. What it gives to that is
// looked at before and after.
func (f *sourceFile) noteArguments(s ast.Stmt, fn *function) {
	calls := f.lends(s)
	if len(calls) == 0 {
		return
	}
	lend := fmt.Sprintf("aidb_frame.Lend(%s, %s); ", f.site(s.Pos(), fn), strings.Join(calls, ", "))
	const over = "aidb_frame.Given()"
	switch s := s.(type) {
	case *ast.ReturnStmt: // what is deferred last runs first: what others defer comes after it
		f.insert(s.Pos(), "%sdefer %s; ", lend, over)
	case *ast.DeferStmt:
		f.insert(s.Pos(), "defer %s; ", over)
		f.insert(s.End(), "; defer %s", strings.TrimSuffix(lend, "; "))
	case *ast.IfStmt:
		f.insert(s.Pos(), "%s", lend)
		f.insert(s.Body.Lbrace+1, " %s;", over)
		if other, is := s.Else.(*ast.BlockStmt); is {
			f.insert(other.Lbrace+1, " %s;", over)
		} else if s.Else == nil {
			f.insert(s.End(), "; %s", over)
		}
	case *ast.SwitchStmt:
		f.insert(s.Pos(), "%s", lend)
		f.lookInClauses(s, over)
	case *ast.RangeStmt:
		f.insert(s.Pos(), "%s", lend)
		f.insert(s.Body.Lbrace+1, " %s;", over)
		f.insert(s.End(), "; %s", over)
	case *ast.ForStmt: // each time that its condition is asked
		f.insert(s.Cond.Pos(), "aidb_frame.Lends(%s, %s) && (", f.site(s.Pos(), fn), strings.Join(calls, ", "))
		f.insert(s.Cond.End(), ")")
		f.insert(s.Body.Lbrace+1, " %s;", over)
		f.insert(s.End(), "; %s", over)
	default:
		f.insert(s.Pos(), "%s", lend)
		f.insert(s.End(), "; %s", over)
	}
}

// noteElseArguments does what noteArguments does for an if that another one leads to: a block around it has room for
// the notes.
func (f *sourceFile) noteElseArguments(s ast.Stmt, fn *function) {
	if other, is := s.(*ast.IfStmt); is && len(f.lends(other)) > 0 {
		f.insert(other.Pos(), "{ ")
		f.noteArguments(other, fn)
		f.insert(other.End(), " }")
	}
}

// lookInClauses looks again where the head of a switch is over.
func (f *sourceFile) lookInClauses(s *ast.SwitchStmt, over string) {
	other := false
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		other = other || c.List == nil
		f.insert(c.Colon+1, " %s;", over)
	}
	if !other { // with a default, something behind it could make a function end without a return
		f.insert(s.End(), "; %s", over)
	}
}

// callingParts are the parts of a statement in which it calls, its head where it has blocks.
// A panic calls nothing afterwards.
func (f *sourceFile) callingParts(s ast.Stmt) (parts []ast.Node) {
	add := func(n ast.Node, is bool) {
		if is {
			parts = append(parts, n)
		}
	}
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, is := s.X.(*ast.CallExpr)
		name := ""
		if is {
			name, _ = f.builtin(call.Fun)
		}
		add(s, name != "panic")
	case *ast.AssignStmt, *ast.DeclStmt, *ast.ReturnStmt, *ast.DeferStmt, *ast.SendStmt:
		add(s, true)
	case *ast.IfStmt:
		add(s.Init, s.Init != nil)
		add(s.Cond, true)
	case *ast.SwitchStmt:
		add(s.Init, s.Init != nil)
		add(s.Tag, s.Tag != nil)
	case *ast.RangeStmt:
		add(s.X, true)
	case *ast.ForStmt:
		if s.Cond != nil && isPlainBool(f.typeOf(s.Cond).Type) {
			add(s.Cond, true)
		}
	}
	return parts
}

// isPlainBool says that && gives what a condition gives.
func isPlainBool(t types.Type) bool {
	return t != nil && (types.Identical(t, types.Typ[types.Bool]) || types.Identical(t, types.Typ[types.UntypedBool]))
}

// lends are the operands that a statement gives away, as source of the recorder's.
func (f *sourceFile) lends(s ast.Stmt) (list []string) {
	of := reads{reader: f.reader(), of: s}
	_, loop := s.(*ast.ForStmt) // its condition sees what its head declares
	for _, part := range f.callingParts(s) {
		ast.Inspect(part, func(n ast.Node) bool {
			if _, literal := n.(*ast.FuncLit); literal {
				return false
			}
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			for _, o := range f.wantedLoans(s, call, f.loansOf(call)) {
				if f.extends(s, call) { // it is told by its own new value
					continue
				}
				if f.isRepeatable(o.expr) && (loop || !of.early(o.expr)) {
					if text := f.look(o); !slices.Contains(list, text) {
						list = append(list, text)
					}
				}
			}
			return true
		})
	}
	return list
}

// extends says that a statement appends to a whole slice and assigns the result to it.
func (f *sourceFile) extends(s ast.Stmt, call *ast.CallExpr) bool {
	a, is := s.(*ast.AssignStmt)
	if !is || len(a.Lhs) != 1 || a.Rhs[0] != ast.Expr(call) {
		return false
	}
	name, builtin := f.builtin(call.Fun)
	if !builtin || name != "append" || len(call.Args) == 0 {
		return false
	}
	_, part := ast.Unparen(call.Args[0]).(*ast.SliceExpr)
	return !part && f.source(a.Lhs[0]) == f.source(call.Args[0])
}

// loan is something that a call is given.
type loan struct {
	expr  ast.Expr
	text  string // source of what is looked at, where that is another
	known bool   // it is changed

	by      ast.Expr // the function, or what has the method, where that is known only as it runs
	holds   ast.Expr // the variable that the spec is about and in which the change is seen
	through bool     // it is noted only where it leads to what the spec is about

	reflects bool // what is written to is known only as it runs
	holder   bool // pointers in it may lead to what the spec is about
}

// look is source of what the recorder looks at.
func (f *sourceFile) look(l loan) string {
	text := cmp.Or(l.text, f.source(l.expr))
	if l.by != nil {
		text = fmt.Sprintf("%s.Unless(%s, %s)", alias, f.source(l.by), text)
	}
	how := "L"
	switch {
	case l.holder:
		return fmt.Sprintf("%s.N(func() (uintptr, interface{}) { return %d, %s })", alias, f.size, text)
	case l.holds != nil:
		return fmt.Sprintf("%s.W(func() (interface{}, interface{}) { return &%s, %s })", alias, f.source(l.holds), text)
	case l.reflects && l.through:
		how = "R"
	case l.through:
		how = "T"
	case l.known:
		how = "K"
	}
	return fmt.Sprintf("%s.%s(func() interface{} { return %s })", alias, how, text)
}

// loansOf is what a call is given that it may change, and in which nothing is noted.
func (f *sourceFile) loansOf(call *ast.CallExpr) []loan {
	if name, is := f.builtin(call.Fun); is {
		return f.builtinLoans(name, call)
	}
	of := f.callee(call.Fun)
	if of == nil {
		return f.unknownLoans(call)
	}
	if of.Pkg() == nil || f.isWoven(of.Pkg()) || changesNothing(of.Pkg().Path(), of.Name()) {
		return nil
	}
	if list := f.reflectLoans(call, of); list != nil {
		return list
	}
	signature, known := of.Signature(), mutates(of)
	var list []loan
	for i, arg := range call.Args {
		if f.callsBack(arg, parameter(signature, i)) {
			continue
		}
		if f.changeable(arg) {
			list = append(list, loan{expr: arg, text: f.appendTarget(of, arg, i), known: known && i == 0})
		}
		list = append(list, f.loansWithin(arg, nil)...)
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && signature.Recv() != nil {
		list = append(list, f.receiver(sel, signature.Recv().Type(), known)...)
	}
	return list
}

// reflectLoans is what a call of package reflect writes to, where that can be looked at: else
// it is looked for in what the value was made of.
func (f *sourceFile) reflectLoans(call *ast.CallExpr, of *types.Func) []loan {
	if of.Pkg().Path() != "reflect" {
		return nil
	}
	var to ast.Expr
	sel, method := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	switch {
	case of.Signature().Recv() == nil && of.Name() == "Copy":
		to = call.Args[0]
	case of.Signature().Recv() != nil && strings.HasPrefix(of.Name(), "Set") && method:
		to = sel.X
	}
	if to == nil || !f.isRepeatable(to) {
		return nil
	}
	return []loan{{expr: to, text: fmt.Sprintf("%s.Reflected(%s)", alias, f.source(to)), reflects: true}}
}

// unknownLoans is what a call is given whose function is known only as it runs: that of a
// variable, or a method of what an interface holds. Where it turns out to be one in which
// all is noted, nothing is looked at.
func (f *sourceFile) unknownLoans(call *ast.CallExpr) (list []loan) {
	fun := ast.Unparen(call.Fun)
	args := call.Args
	if sel, is := fun.(*ast.SelectorExpr); is {
		if of, method := f.object(sel.Sel).(*types.Func); method {
			if of.Pkg() == nil || changesNothing(of.Pkg().Path(), of.Name()) {
				return nil
			}
			fun = sel.X
			args = append([]ast.Expr{fun}, args...)
		}
	}
	has := f.typeOf(fun)
	if !has.IsValue() || !f.reader().pure(fun) {
		return nil
	}
	for i, arg := range args {
		if receiver := arg == fun && i == 0; receiver || f.changeable(arg) {
			list = append(list, loan{expr: arg, by: fun})
		}
		if i < len(call.Args) {
			list = append(list, f.loansWithin(call.Args[i], fun)...)
		}
	}
	return list
}

// builtinLoans is what a function of the language changes.
func (f *sourceFile) builtinLoans(name string, call *ast.CallExpr) []loan {
	if len(call.Args) == 0 {
		return nil
	}
	first := call.Args[0]
	switch name {
	case "delete", "clear", "copy":
		return []loan{{expr: first, known: true}}
	case "append": // over what lies behind a slice, which another may have as a part of its own
		if len(call.Args) > 1 && f.isRepeatable(first) {
			return []loan{{expr: first, text: f.behind(first, f.appendedCount(call))}}
		}
	}
	return nil
}

// appendedCount is source of how many places a call of append writes to, or of what has so many.
func (f *sourceFile) appendedCount(call *ast.CallExpr) string {
	if !call.Ellipsis.IsValid() {
		return fmt.Sprint(len(call.Args) - 1)
	}
	if more := call.Args[1]; f.isRepeatable(more) {
		return f.source(more)
	}
	return alias + ".Room" // it is known only when it was called
}

func (f *sourceFile) behind(slice ast.Expr, more string) string {
	return fmt.Sprintf("%s.Behind(%s, %s)", alias, f.source(slice), more)
}

// appendTarget is source of what a function of a package writes to that appends to its first
// argument; empty where it is the argument itself.
func (f *sourceFile) appendTarget(of *types.Func, arg ast.Expr, i int) string {
	if _, is := f.typeOf(arg).Type.Underlying().(*types.Slice); is && i == 0 && strings.HasPrefix(of.Name(), "Append") {
		return f.behind(arg, alias+".Room")
	}
	return ""
}

// receiver is what a method of a package changes that is called on it: the memory of its
// own.
func (f *sourceFile) receiver(sel *ast.SelectorExpr, t types.Type, known bool) []loan {
	_, pointer := t.(*types.Pointer)
	has := f.typeOf(sel.X)
	chosen := f.pkg.TypesInfo.Selections[sel]
	if !pointer || has.Type == nil || chosen == nil {
		return nil
	}
	if isPointer(has.Type) {
		return []loan{{expr: sel.X, known: known}}
	}
	if !has.Addressable() {
		return nil
	}
	return []loan{{expr: sel.X, text: "&" + f.source(sel.X), known: known}}
}

// builtin is the name of a function of the language.
func (f *sourceFile) builtin(fun ast.Expr) (string, bool) {
	id, ok := ast.Unparen(fun).(*ast.Ident)
	if !ok || !f.typeOf(id).IsBuiltin() {
		return "", false
	}
	return id.Name, true
}

// callee is the function that a call names; nil where that is known only as it runs.
func (f *sourceFile) callee(fun ast.Expr) *types.Func {
	switch e := ast.Unparen(fun).(type) {
	case *ast.IndexExpr:
		return f.callee(e.X)
	case *ast.IndexListExpr:
		return f.callee(e.X)
	case *ast.Ident:
		of, _ := f.object(e).(*types.Func)
		return of
	case *ast.SelectorExpr:
		of, _ := f.object(e.Sel).(*types.Func)
		if of == nil {
			return nil
		}
		if recv := of.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
			return nil
		}
		return of
	}
	return nil
}

// isWoven says that what is done in a package is noted there.
func (f *sourceFile) isWoven(pkg *types.Package) bool {
	return slices.ContainsFunc(f.units, func(own *packages.Package) bool {
		return own.PkgPath == pkg.Path() && (own.Module == nil || own.Module.Main)
	})
}

// changeable says that what an argument refers to can be changed by whoever gets it.
func (f *sourceFile) changeable(arg ast.Expr) bool {
	t := f.typeOf(arg).Type
	if t == nil || f.typeOf(arg).IsNil() {
		return false
	}
	if _, any := t.(*types.TypeParam); any { // what it is, is seen as it runs
		return true
	}
	switch t := t.Underlying().(type) {
	case *types.Map, *types.Slice, *types.Pointer:
		return true
	case *types.Interface:
		return t.NumMethods() == 0
	}
	return false
}

// callsBack says that a parameter takes what an argument is by its methods, and that
// these are woven: what they do is noted there.
func (f *sourceFile) callsBack(arg ast.Expr, parameter types.Type) bool {
	if parameter == nil {
		return false
	}
	methods, is := parameter.Underlying().(*types.Interface)
	if !is || methods.NumMethods() == 0 {
		return false
	}
	t := f.typeOf(arg).Type
	if p, is := t.(*types.Pointer); is {
		t = p.Elem()
	}
	named, is := t.(*types.Named)
	return is && named.Obj().Pkg() != nil && f.isWoven(named.Obj().Pkg())
}

func parameter(s *types.Signature, i int) types.Type {
	n := s.Params().Len()
	switch {
	case i < n && (!s.Variadic() || i != n-1):
		return s.Params().At(i).Type()
	case s.Variadic() && n > 0:
		if of, is := s.Params().At(n - 1).Type().(*types.Slice); is {
			return of.Elem()
		}
	}
	return nil
}

// isRepeatable says that an expression can be evaluated once more and changes nothing.
func (f *sourceFile) isRepeatable(e ast.Expr) bool {
	r := f.reader()
	switch e := ast.Unparen(e).(type) {
	case *ast.SliceExpr:
		for _, part := range []ast.Expr{e.Low, e.High, e.Max} {
			if part != nil && !r.pure(part) {
				return false
			}
		}
		return f.isRepeatable(e.X)
	case *ast.UnaryExpr:
		_, literal := ast.Unparen(e.X).(*ast.CompositeLit)
		return e.Op == token.AND && !literal && r.pure(e.X)
	}
	return r.pure(e)
}

// changesNothing says that a function changes nothing that it is given, or nothing that anybody
// asks about.
func changesNothing(path, name string) bool {
	switch path {
	case "log", "math", "path", "path/filepath", "unicode", "testing", "context":
		return true
	case "errors", "strconv", "log/slog", "time", "unicode/utf8":
		return name != "As" && name != "EncodeRune" && !strings.HasPrefix(name, "Append") && !strings.HasPrefix(name, "Unmarshal")
	case "os":
		return !strings.HasPrefix(name, "Read")
	case "sync/atomic":
		return strings.HasPrefix(name, "Load")
	case "fmt":
		return !strings.Contains(name, "scan") && !strings.HasPrefix(name, "F") && !strings.HasPrefix(name, "Scan")
	case "sync":
		return !slices.Contains(stores, name)
	}
	return false
}

// stores are the methods of sync.Map that change it, which its own memory does not show.
var stores = []string{"Store", "Delete", "Clear", "Swap", "LoadOrStore", "LoadAndDelete", "CompareAndSwap", "CompareAndDelete"}

// changing are the functions that change what they are given first.
var changing = map[string][]string{
	"slices": {"Sort", "Reverse", "Delete", "Insert", "Compact", "Replace"},
	"maps":   {"Copy", "DeleteFunc", "Insert"},
	"sort":   {"Ints", "Strings", "Float64s", "Slice", "Sort", "Stable"},
}

// mutates says that a function changes what it is given first, or called on.
func mutates(of *types.Func) bool {
	path, name := of.Pkg().Path(), of.Name()
	if path == "sync" {
		return slices.Contains(stores, name)
	}
	return slices.ContainsFunc(changing[path], func(begin string) bool {
		return strings.HasPrefix(name, begin) && !strings.HasPrefix(name, "SliceIsSorted")
	})
}
