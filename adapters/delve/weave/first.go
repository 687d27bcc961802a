package weave

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording"
)

// judge is the condition of Spec.First as source.
type judge struct {
	free     []string // names that it begins with, and that must mean something
	compared []string // what its comparisons compare, in order
	ofResult bool     // it is about what the function returns
	judged   bool     // it has a value somewhere in the scope
	unknown  error    // which of its names means nothing at a place
	wrong    error    // why it has no value at a place where all of them mean something
}

// newJudge reads a condition.
func newJudge(condition string) (*judge, error) {
	expr, err := parser.ParseExpr(condition)
	if err != nil {
		return nil, fault.New(fault.InvalidParam, "%s is no expression of Go: %w", condition, err).WithField("condition").
			WithHint("write it as the program's source would")
	}
	j := &judge{}
	j.names(expr)
	j.compares(expr)
	return j, nil
}

// names finds the names with which the expression begins: of a.b[c] that are a and c.
func (j *judge) names(expr ast.Expr) {
	ast.Inspect(expr, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			j.names(n.X)
			return false
		case *ast.KeyValueExpr:
			j.names(n.Value)
			return false
		case *ast.Ident:
			if j.ofResult = j.ofResult || n.Name == recording.Result; !slices.Contains(j.free, n.Name) {
				j.free = append(j.free, n.Name)
			}
		}
		return true
	})
}

// compares finds the operands of what the condition is made of.
func (j *judge) compares(expr ast.Expr) {
	switch e := ast.Unparen(expr).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			j.compares(e.X)
			return
		}
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND, token.LOR, token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			j.compares(e.X)
			j.compares(e.Y)
			return
		}
	case *ast.BasicLit:
		return
	}
	if text := types.ExprString(expr); !slices.Contains(j.compared, text) {
		j.compared = append(j.compared, text)
	}
}

// judges puts the looks into the functions of the scope.
func (f *sourceFile) judges(all []*function) error {
	places := f.judgedPlaces(all)
	within := map[*function]bool{} // a function of the scope
	for _, fn := range all {
		wanted := within[fn] || f.isInScope(fn)
		f.matched = f.matched || wanted
		for _, inner := range fn.within {
			within[inner] = wanted
		}
		switch {
		case wanted:
			f.judgeCall(fn, nil)
		case len(places[fn]) > 0:
			f.matched = true
			f.judgeCall(fn, places[fn])
		}
	}
	return nil
}

// isInScope says that a function is in the scope: all are where there is none.
func (f *sourceFile) isInScope(fn *function) bool {
	return len(f.Spec.First.Scope) == 0 || f.isWanted(fn)
}

// judgedPlaces are the statements of the file that the scope names by their lines.
func (f *sourceFile) judgedPlaces(all []*function) map[*function][]token.Pos {
	places := map[*function][]token.Pos{}
	for _, at := range f.Spec.First.Scope {
		if file, line := recording.FileLine(at); line > 0 && sameFile(file, f.name) {
			if pos, fn := f.stopAt(line, all); fn != nil {
				places[fn] = append(places[fn], pos)
			}
		}
	}
	return places
}

// judgeCall puts the looks into a function: in front of each statement, or of those at some
// places only, and where the call ends.
func (f *sourceFile) judgeCall(fn *function, places []token.Pos) {
	v := judger{follower{f, fn, fn}, places}
	end := v.lookAtEnd()
	f.insert(fn.body.Lbrace+1, " aidb_first := %s.Judge(%s); _ = aidb_first; ", alias, f.site(fn.pos, fn))
	if end != "" {
		f.insert(fn.body.Lbrace+1, "defer %s; ", end)
	}
	inspect(fn, v.visit)
}

// judger puts the looks into one function.
type judger struct {
	follower
	places []token.Pos // empty: in front of all statements
}

func (v *judger) visit(n ast.Node) {
	list := statementsOf(n)
	for _, s := range list {
		v.insert(s.Pos(), "%s", v.lookBefore(s.Pos(), v.site(s.Pos(), v.fn), v.place(s.Pos())))
	}
	if n := len(list); n > 0 && v.goesOn(list[n-1]) && !v.narrow(list[n-1].End()) {
		if look := v.look(list[n-1].End(), ""); look != "" {
			v.insert(list[n-1].End(), "; %s", look)
		}
	}
	switch n := n.(type) {
	case *ast.ForStmt:
		v.insert(n.Body.Lbrace+1, " aidb_first.Ran(%s); ", v.site(n.Pos(), v.fn))
	case *ast.RangeStmt:
		v.insert(n.Body.Lbrace+1, " aidb_first.Ran(%s); ", v.site(n.Pos(), v.fn))
	}
}

// narrow says that only other places are looked at.
func (v *judger) narrow(at token.Pos) bool {
	return len(v.places) > 0 && !slices.Contains(v.places, at)
}

// lookBefore is source of what is done in front of a statement: the look, where the condition
// has a value there, and that the statement runs.
func (v *judger) lookBefore(pos token.Pos, site, at string) string {
	ran := fmt.Sprintf("aidb_first.Ran(%s); ", site)
	if v.narrow(pos) {
		return ran
	}
	return v.look(pos, at) + ran
}

func (v *judger) judgesResult() bool { return v.first.ofResult }

// look is source of a judgement at a place, in front of what is seen there; empty where the
// condition has no value.
func (v *judger) look(pos token.Pos, seen string) string {
	if v.judgesResult() {
		return ""
	}
	arguments, ok := v.arguments(pos)
	if !ok {
		return ""
	}
	return fmt.Sprintf("if %s.Judging(%d) { aidb_first.%s(%q, %s) }; ", alias, v.Spec.First.Limit, v.judgeName("Before"), seen, arguments)
}

// judgeName is the name of what judges, or of what notes the condition's value in its place.
func (v *judger) judgeName(judges string) string {
	if v.Spec.First.Changes {
		return judges + "Value"
	}
	return judges
}

// arguments are those of a judgement at a place: the condition, the names of what is looked
// at, how many of these are looked at each time, and they.
func (v *judger) arguments(pos token.Pos) (text string, ok bool) {
	scope := v.pkg.Types.Scope().Innermost(pos)
	for _, name := range v.first.free {
		if scope == nil {
			return "", false
		}
		if _, o := scope.LookupParent(name, pos); o == nil {
			v.first.unknown = fault.New(fault.InvalidParam, "%s means nothing in the scope", name).WithField("condition")
			return "", false
		}
	}
	condition, err := v.check(v.Spec.First.Condition, "condition", pos, !v.Spec.First.Changes)
	if err != nil {
		v.first.wrong = cmp.Or(v.first.wrong, err) // the first of its kind
		return "", false
	}
	if v.first.judged = true; v.Spec.First.Changes {
		names, list := v.askedNames(pos, []string{v.Spec.First.Condition}, []string{condition})
		return fmt.Sprintf("%q%s", names, list), true
	}
	names, list, kept := v.watchedOperands(pos)
	return fmt.Sprintf("func() bool { return bool(%s) }, %q, %d%s", v.Spec.First.Condition, names, kept, list), true
}

// watchedOperands are what the condition compares, first what can be looked at without doing more
// than that, and the expressions; the names as JSON.
func (v *judger) watchedOperands(pos token.Pos) (names []byte, list string, kept int) {
	all, looked := []string{}, []string{}
	var calls, called []string
	for _, text := range v.first.compared {
		o, pure, err := v.checkPure(text, "condition", pos, false)
		switch {
		case err != nil: // a type, a nil
		case pure:
			all, looked = append(all, text), append(looked, o)
		default:
			calls, called = append(calls, text), append(called, o)
		}
	}
	kept = len(looked)
	names, list = v.askedNames(pos, append(all, calls...), append(looked, called...))
	return names, list, kept
}

// askedNames are the names and the operands of a judgement with those of the expressions.
func (v *judger) askedNames(pos token.Pos, all, looked []string) (names []byte, list string) {
	for _, text := range v.Spec.First.Expressions {
		o, err := v.check(text, "expressions", pos, false)
		if err != nil {
			o = fmt.Sprintf("%s.Gap(%q)", alias, "not readable here")
		} else if !slices.Contains(v.known, text) {
			v.known = append(v.known, text)
		}
		all, looked = append(all, text), append(looked, o)
	}
	if len(looked) > 0 {
		list = ", " + strings.Join(looked, ", ")
	}
	names, _ = json.Marshal(all) // texts can be written
	return names, list
}

// lookAtEnd is source of the judgement where the call ends, which is deferred; empty where the
// condition has no value there.
func (v *judger) lookAtEnd() string {
	if len(v.places) > 0 {
		return ""
	}
	pos := v.fn.body.Lbrace + 1
	how, with := "End", ""
	if v.judgesResult() {
		how = "Returned"
		results := v.fn.typ.Results
		if results == nil {
			return ""
		}
		scope, name := v.pkg.TypesInfo.Scopes[v.fn.typ], v.sourceFile.results(results)[0]
		if own := scope.Lookup(recording.Result); own == nil {
			scope.Insert(types.NewVar(token.NoPos, v.pkg.Types, recording.Result, v.typeOf(results.List[0].Type).Type))
			with = fmt.Sprintf("%s := %s; _ = %[1]s; ", recording.Result, name)
		}
	}
	arguments, ok := v.arguments(pos)
	if !ok {
		return ""
	}
	return fmt.Sprintf("func() { if %s.Judging(%d) { %saidb_first.%s(%s) } }()", alias, v.Spec.First.Limit, with, v.judgeName(how), arguments)
}

// whyUnjudged is why the condition was judged nowhere. Where it is judged somewhere only, that
// is remarked.
func (w *weaver) whyUnjudged() error {
	if w.first == nil || !w.matched {
		return nil
	}
	if w.first.judged {
		if w.first.wrong != nil {
			w.remark("it is not judged wherever its names mean something: %v", w.first.wrong)
		}
		return nil
	}
	err := fault.New(fault.InvalidParam, "the condition has a value nowhere in the scope")
	if why := cmp.Or(w.first.wrong, w.first.unknown); why != nil {
		err = fault.New(fault.InvalidParam, "the condition has a value nowhere in the scope: %w", why)
	}
	return err.WithField("condition").
		WithHint("write it with names that a function of the scope has: its variables, its receiver, variables of its package")
}
