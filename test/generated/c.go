package generated

import "strings"

var plainC = &dialect{
	Name: "c", File: func(p string) string { return p + ".c" },
	Folds:     true,
	features:  features{Shadow: true, Own: true, Counts: true, Alias: true, Ternary: true, Bare: true, Steps: true, Ends: true, Short: true, Inline: true},
	Addresses: true,
	Pointers:  true,
	Watched:   true,
	Open:      " {", Close: "}", Other: "} else {", ElsIf: "} else if ({v})",
	Lined: "if ({v}) {s}", Cases: [3]string{"case {v}: {", "default: {", "}"}, Leave: "break;", Until: "do {",
	Start:    func(p string) map[string]any { return map[string]any{"target": p + ".c"} },
	Declared: map[Type]string{Bool: "bool {n} = {v};", Array: "int {n}[] = {v};", Object: "Box *{n} = {v};", Row: "Box *{n}[] = {v};"},
	Texts: map[Kind]string{
		Until: "} while ({v});", Switch: "switch ({v}) {",
		Declare: "int {n} = {v};", Assign: "{a} = {v};", Augment: "{a} {op}= {v};", Do: "{v};", If: "if ({v})",
		Range: "for (int {n} = 0; {n} < {a}; {n}++)", While: "while ({v})", Break: "break{l};", Continue: "continue{l};",
		Return: "return {v};", Print: "printf(\"%d\\n\", {v});", Assert: "if ({a} != {v}) {\n    return 1;\n}",
	},
	Stmt: func(w *writer, s *Stmt) string {
		if s.Kind == Declare && s.Var.Type == Array {
			if u, is := s.Value.(Use); is {
				return "int *" + s.Var.Name + " = " + u.Var.Name + ";"
			}
		}
		return ""
	},
	Expr: func(w *writer, e Expr) string {
		switch e := e.(type) {
		case Field:
			return w.expr(e.Object) + "->" + e.Name
		case Call:
			if e.Self != nil {
				return e.Func.Name + "(" + w.list(append([]Expr{e.Self}, e.Args...)) + ")"
			}
		case Elements:
			return "{" + w.list(e.Values) + "}"
		case Holds:
			return "{" + w.list(e.Values) + "}"
		case New:
			return "new_box(" + w.list(e.Args) + ")"
		}
		return ""
	},
	Head: func(w *writer, f *Func) string {
		params := w.params(f, map[Type]string{Int: "int %s", Array: "int *%s", Object: "Box *%s"})
		switch {
		case f.Of != nil && f == f.Of.New:
			return "Box *new_box(" + params + ")"
		case f.Of != nil:
			return "int " + f.Name + "(Box *box, " + params + ")"
		case len(f.Params) == 0:
			params = "void"
		}
		return "int " + f.Name + "(" + params + ")"
	},
	Begin: func(w *writer, f *Func) {
		if f.Of != nil && f == f.Of.New {
			w.add("Box *box = malloc(sizeof *box);")
		}
	},
	Before: func(w *writer, p *Program) {
		w.lines = append(w.lines, strings.Split("#include <stdbool.h>\n#include <stdio.h>\n#include <stdlib.h>\n\ntypedef struct {\n    int low;\n    int high;\n} Box;\n", "\n")...)
		w.constructor(p.Class, "return box;")
		for _, f := range p.Class.Methods {
			w.function(f)
			w.add("")
		}
	},
}
