package generated

import "strings"

var python = &dialect{
	Name: "python", File: func(p string) string { return p + ".py" },
	features: features{Flat: true, Exceptions: true, Always: true, Closures: true, Alias: true, Lists: true, Maps: true, Texts: true, Ternary: true, Swap: true, Ordered: true, Steps: true, Inline: true, Defaults: true, Mapped: true},
	Aliases:  true,
	Open:     ":", Other: "else:", ElsIf: "elif {v}", Catch: "except ValueError as error:", Finally: "finally:", Wrap: true,
	Lined: "if {v}: {s}", Cases: [3]string{"case {v}:", "case _:", ""},
	Start: func(p string) map[string]any { return map[string]any{"target": p + ".py"} },
	Texts: map[Kind]string{
		Switch: "match {v}:", Declare: "{n} = {v}", Assign: "{a} = {v}", Augment: "{a} {op}= {v}", Swap: "{a}, {b} = {b}, {a}",
		Push: "{a}.append({v})", Pop: "{a}.pop()", Sort: "{a}.sort()", Do: "{v}", If: "if {v}",
		Range: "for {n} in range({a})", Each: "for {n} in {a}", While: "while {v}", Break: "break{l}", Continue: "continue{l}",
		Return: "return {v}", Raise: "raise ValueError({v})", Try: "try:", Print: "print({v})", Assert: "assert {a} == {v}",
	},
	Signs: map[string]string{"&&": "and", "||": "or", "!": "not "},
	Expr: func(w *writer, e Expr) string {
		switch e := e.(type) {
		case Lit:
			switch e.Value {
			case true:
				return "True"
			case false:
				return "False"
			}
		case Use:
			if e.Var == w.program.Class.This {
				return "self"
			}
		case Not:
			return "(not " + w.sub(e.E) + ")"
		case Pick:
			return w.sub(e.Then) + " if " + w.sub(e.If) + " else " + w.sub(e.Else)
		case Len:
			return "len(" + w.expr(e.List) + ")"
		case Entries:
			return "{" + w.entries(e.Keys, e.Values, "%q: %s") + "}"
		case Step:
			return "(" + e.Var.Name + " := " + e.Var.Name + " " + e.Sign + " " + w.expr(Lit{e.By}) + ")"
		case Mapped:
			return "[" + w.outer(e.Value) + " for x in " + w.expr(e.List) + "]"
		case Holds:
			if e.Type == Shelf {
				return "{" + w.entries(e.Keys, e.Values, "%q: %s") + "}"
			}
		case New:
			return e.Class.Name + "(" + w.list(e.Args) + ")"
		}
		return ""
	},
	Head: func(w *writer, f *Func) string {
		name, params := f.Name, w.params(f, nil)
		if f.Of != nil {
			params = strings.TrimSuffix("self, "+params, ", ")
			if f == f.Of.New {
				name = "__init__"
			}
		}
		return "def " + name + "(" + params + ")"
	},
	Begin: func(w *writer, f *Func) {
		for _, v := range f.Changes {
			w.add("nonlocal %s", v.Name)
		}
	},
	Before: func(w *writer, p *Program) {
		w.members(p, "class Box:", "")
	},
	After: func(w *writer, _ *Program) { w.add("main()") },
}
