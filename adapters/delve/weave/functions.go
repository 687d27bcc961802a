package weave

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

// function is a function of a file, or a function literal within one.
type function struct {
	name    string // as stacks have it: "main.(*T).Get", "main.main.func1"
	pos     token.Pos
	recv    *ast.FieldList
	typ     *ast.FuncType
	body    *ast.BlockStmt
	decl    *ast.FuncDecl // nil for a literal
	literal *ast.FuncLit
	within  []*function // literals, in order
}

// functions are those of the file that have a body and can be woven into, each
// before its literals.
func (f *sourceFile) functions() []*function {
	var list []*function
	loose := 0
	for _, d := range f.syntax.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil && !isRestricted(d) {
				fn := &function{name: f.stackName(d), pos: d.Pos(), recv: d.Recv, typ: d.Type, body: d.Body, decl: d}
				list = append(append(list, fn), literals(fn, d.Body, fn.name+".func")...)
			}
		case *ast.GenDecl:
			all := &function{name: f.pkg.Name + ".init"}
			list = append(list, literals(all, d, fmt.Sprintf("%s.glob.%d.func", f.pkg.Name, loose))...)
			loose += len(all.within)
		}
	}
	return list
}

// isRestricted says that the compiler allows such a function hardly anything.
func isRestricted(d *ast.FuncDecl) bool {
	if d.Doc == nil {
		return false
	}
	for _, c := range d.Doc.List {
		for _, directive := range []string{"//go:nosplit", "//go:systemstack", "//go:nowritebarrier", "//go:yeswritebarrier"} {
			if strings.HasPrefix(c.Text, directive) {
				return true
			}
		}
	}
	return false
}

// literals are the function literals in a part of a function, with those within them.
// They are named as the compiler names them.
func literals(of *function, in ast.Node, prefix string) (list []*function) {
	ast.Inspect(in, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if !ok {
			return true
		}
		fn := &function{name: prefix + strconv.Itoa(len(of.within)+1), pos: lit.Pos(), typ: lit.Type, body: lit.Body, literal: lit}
		of.within = append(of.within, fn)
		list = append(append(list, fn), literals(fn, lit.Body, fn.name+".")...)
		return false
	})
	return list
}

// stackName is the name of a function as stacks have it.
func (f *sourceFile) stackName(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) != 1 {
		return f.pkg.Name + "." + fn.Name.Name
	}
	receiver, _, _ := strings.Cut(types.ExprString(fn.Recv.List[0].Type), "[")
	if strings.HasPrefix(receiver, "*") {
		receiver = "(" + receiver + ")"
	}
	return f.pkg.Name + "." + receiver + "." + fn.Name.Name
}

var unstarred = strings.NewReplacer("(*", "", ")", "")

// isWanted says whether a spec names a function.
func (f *sourceFile) isWanted(fn *function) bool {
	names, _ := f.names()
	return f.isNamedBy(fn, names)
}

// isNamedBy says that some of these names name a function.
func (f *sourceFile) isNamedBy(fn *function, names []string) bool {
	return slices.ContainsFunc(names, func(want string) bool { return f.means(fn, want) })
}

// means says whether a function, its file or its package goes by a name of a spec.
func (f *sourceFile) means(fn *function, want string) bool {
	plain := unstarred.Replace(fn.name)
	full := f.pkg.PkgPath + strings.TrimPrefix(plain, f.pkg.Name)
	stacked := full[strings.LastIndexByte(f.pkg.PkgPath, '/')+1:] // as stacks have it: example.com/cron/v3, which is package cron, is v3 there
	last := plain[strings.LastIndexByte(plain, '.')+1:]
	want = strings.TrimSpace(want)
	bare := cutTypeArguments(unstarred.Replace(want))
	switch {
	case strings.Contains(bare, "*"):
		if strings.Contains(bare, ".") {
			last = strings.TrimPrefix(plain, f.pkg.Name+".") // a method with its type
		}
		for _, n := range []string{fn.name, plain, last, full, stacked} {
			if ok, _ := path.Match(bare, n); ok && (n != last || fn.literal == nil) {
				return true
			}
		}
		return false
	case strings.HasSuffix(want, ".go"):
		return f.name == want || strings.HasSuffix(f.name, "/"+strings.TrimPrefix(want, "./"))
	case want == f.pkg.PkgPath, want == f.pkg.Name && want != "":
		if f.Spec.Lines == nil { // these are of one function
			return true
		}
	}
	return bare == full || bare == stacked || fn.literal == nil && strings.HasSuffix("."+plain, "."+bare) || fn.literal != nil && plain == bare
}

// typeArguments are what stacks write behind a generic function or type: [...], [go.shape.int].
var typeArguments = pattern.New(`\[[^\[\]]*\]`)

// cutTypeArguments gives a name without its type arguments, which it does not have in the source.
func cutTypeArguments(name string) string {
	for {
		shorter := typeArguments.ReplaceAllString(name, "")
		if shorter == name {
			return name
		}
		name = shorter
	}
}

// weave puts in what the spec asks for in this file.
func (f *sourceFile) weave() error {
	all := f.functions()
	for i := range f.Spec.Values {
		if err := f.hits(i, all); err != nil {
			return err
		}
	}
	if f.Spec.First != nil {
		return f.judges(all)
	}
	writes := f.Spec.Writes
	if writes != nil && writes.All {
		f.globals()
	} else if writes != nil {
		f.aims(all)
	}
	for _, fn := range all {
		wanted := writes == nil && f.isWanted(fn)
		f.matched = f.matched || wanted
		switch {
		case wanted && f.Spec.Lines != nil:
			if err := f.lines(fn); err != nil {
				return err
			}
		case wanted && f.Spec.Calls.Thin != nil:
			f.count(fn)
		case wanted:
			arguments, results := f.signature(fn)
			f.insert(fn.body.Lbrace+1, " defer %s.Call(%s, %d%s)();", alias, f.site(fn.pos, fn, arguments...), len(arguments), pointers(append(arguments, results...)))
		case writes != nil && writes.All:
			f.frame(fn)
			f.literals(fn)
			f.statements(fn)
		case writes != nil && f.writesIn(fn):
			f.open(fn)
			f.literals(fn)
			f.statements(fn)
		}
	}
	return nil
}

// signature are the names of the arguments and results of a function.
func (f *sourceFile) signature(fn *function) (arguments, results []string) {
	if fn.recv != nil {
		arguments = fields(fn.recv, arguments)
	}
	arguments = fields(fn.typ.Params, arguments)
	if fn.typ.Results != nil {
		results = f.results(fn.typ.Results)
	}
	return arguments, results
}

// frame puts the beginning and the end of a call into a function.
func (f *sourceFile) frame(fn *function) {
	arguments, results := f.signature(fn)
	f.insert(fn.body.Lbrace+1, " aidb_frame := %s.Enter(%s%s); defer aidb_frame.Leave(%s);",
		alias, f.site(fn.pos, fn, arguments...), pointers(arguments), strings.TrimPrefix(pointers(results), ", "))
	eachStatement(fn, func(s ast.Stmt) {
		if r, ok := s.(*ast.ReturnStmt); ok {
			f.insert(r.Pos(), "aidb_frame.Return(%s); ", f.site(r.Pos(), fn))
		}
	})
}

// pointers is source of pointers to variables, each after a comma.
func pointers(names []string) string {
	var all strings.Builder
	for _, name := range names {
		all.WriteString(", &" + name)
	}
	return all.String()
}

func fields(list *ast.FieldList, to []string) []string {
	for _, field := range list.List {
		for _, name := range field.Names {
			if name.Name != "_" {
				to = append(to, name.Name)
			}
		}
	}
	return to
}

// results gives names to results that have none.
func (f *sourceFile) results(list *ast.FieldList) []string {
	var names []string
	for i, field := range list.List {
		name := fmt.Sprintf("aidb_result%d", i)
		if len(field.Names) == 0 {
			names = append(names, name)
			if list.Opening.IsValid() {
				f.insert(field.Type.Pos(), "%s ", name)
			} else {
				f.insert(field.Type.Pos(), "(%s ", name)
				f.insert(field.Type.End(), ")")
			}
			continue
		}
		for k, id := range field.Names {
			given := id.Name
			if given == "_" {
				given = fmt.Sprintf("%s_%d", name, k)
				f.edits = append(f.edits, edit{at: f.offset(id.Pos()), cut: 1, text: given})
			}
			names = append(names, given)
		}
	}
	return names
}

// eachStatement visits the statements of a function that stand in a list, but not
// those of literals within it.
func eachStatement(fn *function, visit func(ast.Stmt)) {
	inspect(fn, func(n ast.Node) {
		for _, s := range statementsOf(n) {
			visit(s)
		}
	})
}

// inspect visits the nodes of a function, but not those of literals within it.
func inspect(fn *function, visit func(ast.Node)) {
	ast.Inspect(fn.body, func(n ast.Node) bool {
		if _, inner := n.(*ast.FuncLit); inner || n == nil {
			return false
		}
		visit(n)
		return true
	})
}

// statementsOf are the statements of a list of them, each without its label where what is
// put in front of it may stand behind that, so that it runs after a goto, too.
func statementsOf(n ast.Node) []ast.Stmt {
	list := slices.Clone(listOf(n))
	for i, s := range list {
		for l, is := s.(*ast.LabeledStmt); is && !isHeldByLabel(l); l, is = s.(*ast.LabeledStmt) {
			s = l.Stmt
		}
		list[i] = s
	}
	return list
}

func listOf(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		for _, s := range n.List {
			switch s.(type) {
			case *ast.CaseClause, *ast.CommClause:
				return nil // of a switch or select, whose list it is
			}
		}
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// isHeldByLabel says that nothing may stand between a label and its statement: one that is
// left or gone on with by that name, or none at all.
func isHeldByLabel(l *ast.LabeledStmt) (held bool) {
	ast.Inspect(l.Stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.EmptyStmt:
			held = held || n == l.Stmt
		case *ast.BranchStmt:
			held = held || n.Tok != token.GOTO && n.Label != nil && n.Label.Name == l.Label.Name
		}
		return !held
	})
	return held
}

// globals notes what the variables of the package begin with that this file declares.
func (f *sourceFile) globals() {
	in := &function{}
	f.eachGlobal(func(id *ast.Ident) string {
		in.name = f.pkg.Name + "." + id.Name
		return fmt.Sprintf("%s.Global(%s, &%s); ", alias, f.site(id.Pos(), in, id.Name), id.Name)
	})
}

// eachGlobal puts statements for variables of the package, which this file declares,
// behind all else of it.
func (f *sourceFile) eachGlobal(statement func(*ast.Ident) string) {
	var all strings.Builder
	for _, d := range f.syntax.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.VAR {
			continue
		}
		for _, spec := range decl.Specs {
			for _, id := range spec.(*ast.ValueSpec).Names {
				if id.Name != "_" {
					all.WriteString(statement(id))
				}
			}
		}
	}
	if all.Len() > 0 {
		f.edits = append(f.edits, edit{at: len(f.text), text: "\nfunc init() { " + all.String() + "}\n"})
	}
}
