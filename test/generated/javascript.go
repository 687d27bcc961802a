package generated

var javascript = &dialect{
	Name: "javascript", File: func(p string) string { return p + ".js" },
	features: features{Shadow: true, Hoisted: true, Counts: true, Exceptions: true, Always: true, Closures: true, Alias: true, Lists: true, Maps: true, Texts: true, Ternary: true, Swap: true, Ordered: true, Labels: true, Steps: true, Ends: true, Short: true, Inline: true, Defaults: true, Mapped: true},
	Aliases:  true,
	Open:     " {", Close: "}", Other: "} else {", ElsIf: "} else if ({v})", Catch: "} catch (error) {", Finally: "} finally {",
	Lined: "if ({v}) {s}", Cases: [3]string{"case {v}: {", "default: {", "}"}, Label: "{l}: ", Leave: "break;", Until: "do {",
	Start: func(p string) map[string]any { return map[string]any{"target": p + ".js"} },
	Texts: map[Kind]string{
		Until: "} while ({v});", Switch: "switch ({v}) {",
		Declare: "let {n} = {v};", Assign: "{a} = {v};", Augment: "{a} {op}= {v};", Swap: "[{a}, {b}] = [{b}, {a}];",
		Push: "{a}.push({v});", Pop: "{a}.pop();", Sort: "{a}.sort((p, q) => p - q);", Do: "{v};", If: "if ({v})",
		Range: "for (let {n} = 0; {n} < {a}; {n}++)", Each: "for (const {n} of {a})", While: "while ({v})", Break: "break{l};", Continue: "continue{l};",
		Return: "return {v};", Raise: "throw new Error({v});", Try: "try {", Print: "console.log({v});",
		Assert: "if ({a} !== {v}) {\n    throw new Error(\"not so\");\n}",
	},
	Signs: map[string]string{"==": "===", "!=": "!=="},
	Expr: func(w *writer, e Expr) string {
		switch e := e.(type) {
		case Use:
			if e.Var == w.program.Class.This {
				return "this"
			}
		case Len:
			return w.expr(e.List) + ".length"
		case Entries:
			return "{ " + w.entries(e.Keys, e.Values, "%s: %s") + " }"
		case Mapped:
			return w.expr(e.List) + ".map((x) => " + w.outer(e.Value) + ")"
		case Holds:
			if e.Type == Shelf {
				return "{ " + w.entries(e.Keys, e.Values, "%s: %s") + " }"
			}
		case New:
			return "new Box(" + w.list(e.Args) + ")"
		}
		return ""
	},
	Head: func(w *writer, f *Func) string {
		params := "(" + w.params(f, nil) + ")"
		switch {
		case f.Closure:
			return "const " + f.Name + " = " + params + " =>"
		case f.Of != nil && f == f.Of.New:
			return "constructor" + params
		case f.Of != nil:
			return f.Name + params
		}
		return "function " + f.Name + params
	},
	Behind: func(w *writer, f *Func) {
		if f.Closure {
			w.lines[len(w.lines)-1] += ";"
		}
	},
	Before: func(w *writer, p *Program) {
		w.members(p, "class Box {", "}")
	},
	After: func(w *writer, _ *Program) { w.add("main();") },
}
