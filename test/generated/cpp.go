package generated

import "strings"

var cpp = &dialect{
	Name: "cpp", File: func(p string) string { return p + ".cpp" },
	Folds:     true,
	features:  features{Shadow: true, Own: true, Counts: true, Exceptions: true, Closures: true, Alias: true, Lists: true, Maps: true, Texts: true, Ternary: true, Swap: true, Steps: true, Ends: true, Short: true, Inline: true, Defaults: true},
	Addresses: true,
	Pointers:  true,
	Watched:   true,
	Open:      " {", Close: "}", Other: "} else {", ElsIf: "} else if ({v})", Catch: "} catch (const std::invalid_argument &error) {",
	Lined: "if ({v}) {s}", Cases: [3]string{"case {v}: {", "default: {", "}"}, Leave: "break;", Until: "do {",
	Start: func(p string) map[string]any { return map[string]any{"target": p + ".cpp"} },
	Declared: map[Type]string{
		Bool: "bool {n} = {v};", Text: "std::string {n} = {v};", Array: "std::vector<int> {n} = {v};", List: "std::vector<int> {n} = {v};",
		Map: "std::map<std::string, int> {n} = {v};", Object: "Box *{n} = {v};", Row: "std::vector<Box *> {n} = {v};", Shelf: "std::map<std::string, Box *> {n} = {v};",
	},
	Texts: map[Kind]string{
		Until: "} while ({v});", Switch: "switch ({v}) {",
		Declare: "int {n} = {v};", Assign: "{a} = {v};", Augment: "{a} {op}= {v};", Swap: "std::swap({a}, {b});",
		Push: "{a}.push_back({v});", Pop: "{a}.pop_back();", Sort: "std::sort({a}.begin(), {a}.end());", Do: "{v};", If: "if ({v})",
		Range: "for (int {n} = 0; {n} < {a}; {n}++)", Each: "for (int {n} : {a})", While: "while ({v})", Break: "break{l};", Continue: "continue{l};",
		Return: "return {v};", Raise: "throw std::invalid_argument({v});", Try: "try {", Print: "std::cout << {v} << std::endl;",
		Assert: "if ({a} != {v}) {\n    return 1;\n}",
	},
	Stmt: func(w *writer, s *Stmt) string {
		if s.Kind == Declare && s.Var.Type == Array {
			if u, is := s.Value.(Use); is {
				return "std::vector<int> &" + s.Var.Name + " = " + u.Var.Name + ";"
			}
		}
		if s.Kind == Print {
			return "std::cout << (" + w.outer(s.Value) + ") << std::endl;"
		}
		return ""
	},
	Expr: func(w *writer, e Expr) string {
		switch e := e.(type) {
		case Field:
			return w.expr(e.Object) + "->" + e.Name
		case Use:
			if e.Var == w.program.Class.This {
				return "this"
			}
		case Call:
			if e.Self != nil {
				return w.expr(e.Self) + "->" + e.Func.Name + "(" + w.list(e.Args) + ")"
			}
		case Len:
			return "(int)" + w.expr(e.List) + ".size()"
		case Elements:
			return "{" + w.list(e.Values) + "}"
		case Entries:
			return "{" + w.entries(e.Keys, e.Values, "{%q, %s}") + "}"
		case Holds:
			if e.Type == Shelf {
				return "{" + w.entries(e.Keys, e.Values, "{%q, %s}") + "}"
			}
			return "{" + w.list(e.Values) + "}"
		case New:
			return "new Box(" + w.list(e.Args) + ")"
		}
		return ""
	},
	Head: func(w *writer, f *Func) string {
		params := "(" + w.params(f, map[Type]string{Int: "int %s", Array: "std::vector<int> &%s", Object: "Box *%s"}) + ")"
		switch {
		case f.Closure:
			return "auto " + f.Name + " = [&]" + params
		case f.Of != nil && f == f.Of.New:
			return "Box" + params
		}
		return "int " + f.Name + params
	},
	Behind: func(w *writer, f *Func) {
		if f.Closure {
			w.lines[len(w.lines)-1] += ";"
		}
	},
	Before: func(w *writer, p *Program) {
		w.lines = append(w.lines, strings.Split("#include <algorithm>\n#include <iostream>\n#include <map>\n#include <stdexcept>\n#include <string>\n#include <vector>\n\nstruct Box {\n    int low;\n    int high;\n", "\n")...)
		w.members(p, "", "};")
	},
}
