package generated

import "strings"

var golang = &dialect{
	Name: "go", File: func(p string) string { return p + "/main.go" },
	Folds:     true,
	features:  features{Shadow: true, Closures: true, Alias: true, Lists: true, Maps: true, Texts: true, Swap: true, Labels: true, Short: true},
	Files:     map[string]string{"go.mod": "module generated\n\ngo 1.24\n"},
	Addresses: true,
	Open:      " {", Close: "}", Other: "} else {", ElsIf: "} else if {v}",
	Cases: [3]string{"case {v}:", "default:", ""}, Label: "{l}:\n", Outdent: true,
	Start: func(p string) map[string]any { return map[string]any{"target": "./" + p} },
	Texts: map[Kind]string{
		Switch: "switch {v} {", Declare: "{n} := {v}", Assign: "{a} = {v}", Augment: "{a} {op}= {v}", Swap: "{a}, {b} = {b}, {a}",
		Push: "{a} = append({a}, {v})", Pop: "{a} = {a}[:len({a})-1]", Sort: "slices.Sort({a})", Do: "{v}", If: "if {v}",
		Range: "for {n} := range {a}", Each: "for _, {n} := range {a}", While: "for {v}", Break: "break{l}", Continue: "continue{l}",
		Return: "return {v}", Print: "fmt.Println({v})", Assert: "if {a} != {v} {\n    panic(\"not so\")\n}",
	},
	Expr: func(w *writer, e Expr) string {
		switch e := e.(type) {
		case Len:
			return "len(" + w.expr(e.List) + ")"
		case Elements:
			return "[]int{" + w.list(e.Values) + "}"
		case Entries:
			return "map[string]int{" + w.entries(e.Keys, e.Values, "%q: %s") + "}"
		case Holds:
			if e.Type == Shelf {
				return "map[string]*Box{" + w.entries(e.Keys, e.Values, "%q: %s") + "}"
			}
			return "[]*Box{" + w.list(e.Values) + "}"
		case New:
			return "newBox(" + w.list(e.Args) + ")"
		}
		return ""
	},
	Head: func(w *writer, f *Func) string {
		params := w.params(f, map[Type]string{Int: "%s int", Array: "%s []int", Object: "%s *Box"})
		switch {
		case f.Closure:
			return f.Name + " := func(" + params + ") int"
		case f.Of != nil && f == f.Of.New:
			return "func newBox(" + params + ") *Box"
		case f.Of != nil:
			return "func (box *Box) " + f.Name + "(" + params + ") int"
		case f == w.program.Main:
			return "func main()"
		}
		return "func " + f.Name + "(" + params + ") int"
	},
	Begin: func(w *writer, f *Func) {
		if f.Of != nil && f == f.Of.New {
			w.add("box := &Box{}")
		}
	},
	Behind: func(w *writer, f *Func) {
		if f.Closure {
			w.add("_ = bump")
		}
	},
	Before: func(w *writer, p *Program) {
		imports := "import \"fmt\"\n"
		if sorts(p) {
			imports = "import (\n\t\"fmt\"\n\t\"slices\"\n)\n"
		}
		w.lines = append(w.lines, strings.Split("package main\n\n"+imports+"\ntype Box struct{ low, high int }\n", "\n")...)
		w.constructor(p.Class, "return box")
		for _, f := range p.Class.Methods {
			w.function(f)
			w.add("")
		}
	},
	Each: unused,
}

func sorts(p *Program) bool {
	found := false
	for _, f := range p.functions() {
		each(f.Body, func(s *Stmt) { found = found || s.Kind == Sort })
	}
	return found
}

// constructor writes one that is a function, with a last line that answers the object.
func (w *writer) constructor(c *Class, last string) {
	w.add("%s", w.Head(w, c.New)+w.Open)
	c.New.Line = len(w.lines)
	w.indent++
	w.Begin(w, c.New)
	w.block(c.New.Body)
	w.add("%s", last)
	w.indent--
	w.close()
	w.add("")
}

// unused reads what is declared, which Go wants.
func unused(_ *writer, s *Stmt) []string {
	return []string{"_ = " + s.Var.Name}
}
