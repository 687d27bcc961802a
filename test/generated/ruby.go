package generated

var ruby = &dialect{
	Name: "ruby", File: func(p string) string { return p + ".rb" },
	features: features{Unique: true, Exceptions: true, Always: true, Closures: true, Alias: true, Lists: true, Maps: true, Texts: true, Ternary: true, Swap: true, Ordered: true, Steps: true, Ends: true, Inline: true, Defaults: true, Mapped: true},
	Aliases:  true,
	Given:    true,
	Close:    "end", Other: "else", ElsIf: "elsif {v}", Catch: "rescue ArgumentError", Finally: "ensure",
	Lined: "{s} if {v}", Cases: [3]string{"when {v}", "else", ""}, Until: "begin", Outdent: true,
	Start: func(p string) map[string]any { return map[string]any{"target": p + ".rb"} },
	Texts: map[Kind]string{
		Until: "end while {v}", Switch: "case {v}", Declare: "{n} = {v}", Assign: "{a} = {v}", Augment: "{a} {op}= {v}", Swap: "{a}, {b} = {b}, {a}",
		Push: "{a}.push({v})", Pop: "{a}.pop", Sort: "{a}.sort!", Do: "{v}", If: "if {v}",
		Range: "{a}.times do |{n}|", Each: "{a}.each do |{n}|", While: "while {v}", Break: "break", Continue: "next",
		Return: "return {v}", Raise: "raise ArgumentError, {v}", Try: "begin", Print: "puts({v})", Assert: "raise \"not so\" if {a} != {v}",
	},
	Expr: func(w *writer, e Expr) string {
		switch e := e.(type) {
		case Field:
			if u, is := e.Object.(Use); is && u.Var == w.program.Class.This {
				return "@" + e.Name
			}
		case Use:
			if e.Var == w.program.Class.This {
				return "self"
			}
		case Call:
			if e.Func.Closure {
				return e.Func.Name + ".call(" + w.list(e.Args) + ")"
			}
		case Len:
			return w.expr(e.List) + ".length"
		case Entries:
			return "{ " + w.entries(e.Keys, e.Values, "%q => %s") + " }"
		case Mapped:
			return w.expr(e.List) + ".map { |x| " + w.outer(e.Value) + " }"
		case Holds:
			if e.Type == Shelf {
				return "{ " + w.entries(e.Keys, e.Values, "%q => %s") + " }"
			}
		case New:
			return "Box.new(" + w.list(e.Args) + ")"
		}
		return ""
	},
	Head: func(w *writer, f *Func) string {
		params := w.params(f, nil)
		switch {
		case f.Closure:
			return f.Name + " = lambda do |" + params + "|"
		case f.Of != nil && f == f.Of.New:
			return "def initialize(" + params + ")"
		case len(f.Params) == 0:
			return "def " + f.Name
		}
		return "def " + f.Name + "(" + params + ")"
	},
	Before: func(w *writer, p *Program) {
		w.add("class Box")
		w.lines = append(w.lines, "    attr_accessor :low, :high", "")
		w.members(p, "", "end")
	},
	After: func(w *writer, _ *Program) { w.add("main") },
}
