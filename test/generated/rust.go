package generated

import "strings"

var rust = &dialect{
	Name: "rust", File: func(p string) string { return p + ".rs" },
	Folds:     true,
	Shares:    true,
	features:  features{Shadow: true, Lists: true, Maps: true, Texts: true, Ternary: true, Swap: true, Bare: true, Labels: true, Inline: true, Mapped: true},
	Addresses: true,
	Pointers:  true,
	Watched:   true,
	Open:      " {", Close: "}", Other: "} else {", ElsIf: "} else if {v}",
	Lined: "if {v} { {s} }", Cases: [3]string{"{v} => {", "_ => {", "}"}, Label: "'{l}: ",
	Signs:    map[string]string{"label": "'"},
	Start:    func(p string) map[string]any { return map[string]any{"target": p + ".rs"} },
	Declared: map[Type]string{Int: "let mut {n}: i32 = {v};", Text: "let mut {n} = String::from({v});"},
	Texts: map[Kind]string{
		Switch: "match {v} {", Declare: "let mut {n} = {v};", Assign: "{a} = {v};", Augment: "{a} {op}= {v};", Swap: "({a}, {b}) = ({b}, {a});",
		Push: "{a}.push({v});", Pop: "{a}.pop();", Sort: "{a}.sort();", Do: "{v};", If: "if {v}",
		Range: "for {n} in 0..{a}", While: "while {v}", Break: "break{l};", Continue: "continue{l};",
		Return: "return {v};", Print: "println!(\"{}\", {v});", Assert: "assert_eq!({a}, {v});",
	},
	Stmt: func(w *writer, s *Stmt) string {
		if s.Kind == Push {
			return "let pushed = " + w.outer(s.Value) + "; " + w.expr(s.Target) + ".push(pushed);"
		}
		return ""
	},
	Expr: func(w *writer, e Expr) string {
		switch e := e.(type) {
		case Use:
			if e.Var == w.program.Class.This {
				return "self"
			}
		case At:
			if l, is := e.Index.(Lit); is {
				return w.expr(e.List) + "[" + w.expr(l) + "]"
			}
			return w.expr(e.List) + "[(" + w.outer(e.Index) + ") as usize]"
		case Item:
			if w.asks {
				return ""
			}
			return "*" + w.expr(e.Map) + ".get_mut(\"" + e.Key + "\").unwrap()"
		case Pick:
			return "if " + w.sub(e.If) + " { " + w.outer(e.Then) + " } else { " + w.outer(e.Else) + " }"
		case Call:
			var args []string
			for _, a := range e.Args {
				text := w.outer(a)
				if u, is := a.(Use); is && u.Var.Type != Int && w.fn == w.program.Main {
					text = "&mut " + text
				}
				args = append(args, text)
			}
			name := e.Func.Name
			if e.Self != nil {
				name = w.expr(e.Self) + "." + name
			}
			return name + "(" + strings.Join(args, ", ") + ")"
		case Elements:
			return "vec![" + w.list(e.Values) + "]"
		case Entries:
			return "HashMap::from([" + w.entries(e.Keys, e.Values, "(%q, %s)") + "])"
		case Slot:
			if e.In.kind() == Shelf && !w.asks {
				return w.expr(e.In) + ".get_mut(\"" + e.Key + "\").unwrap()"
			}
		case Mapped:
			return w.expr(e.List) + ".iter().map(|x| " + w.outer(e.Value) + ").collect::<Vec<i32>>()"
		case Holds:
			if e.Type == Shelf {
				return "HashMap::from([" + w.entries(e.Keys, e.Values, "(%q, %s)") + "])"
			}
			return "vec![" + w.list(e.Values) + "]"
		case New:
			return "Box::new(" + w.list(e.Args) + ")"
		}
		return ""
	},
	Head: func(w *writer, f *Func) string {
		params := w.params(f, map[Type]string{Int: "mut %s: i32", Array: "%s: &mut Vec<i32>", Object: "%s: &mut Box"})
		switch {
		case f.Of != nil && f == f.Of.New:
			return "fn new(" + params + ") -> Box"
		case f.Of != nil:
			return "fn " + f.Name + "(&mut self, " + params + ") -> i32"
		case f == w.program.Main:
			return "fn main()"
		}
		return "fn " + f.Name + "(" + params + ") -> i32"
	},
	Before: func(w *writer, p *Program) {
		w.lines = append(w.lines, strings.Split("#![allow(warnings)]\nuse std::collections::HashMap;\n\nstruct Box {\n    low: i32,\n    high: i32,\n}\n\nimpl Box {\n    fn new(low: i32, high: i32) -> Box {\n        Box { low, high }\n    }\n", "\n")...)
		w.indent++
		for _, f := range p.Class.Methods {
			w.function(f)
			w.add("")
		}
		w.indent--
		w.add("}")
		w.add("")
	},
}
