package generated

import "strings"

var java = &dialect{
	Name: "java", File: func(p string) string { return p + ".java" },
	Folds:    true,
	features: features{Counts: true, Exceptions: true, Always: true, Alias: true, Lists: true, Maps: true, Texts: true, Ternary: true, Ordered: true, Labels: true, Steps: true, Ends: true, Short: true, Inline: true, Mapped: true},
	Aliases:  true,
	Open:     " {", Close: "}", Other: "} else {", ElsIf: "} else if ({v})", Catch: "} catch (IllegalArgumentException error) {", Finally: "} finally {",
	Lined: "if ({v}) {s}", Cases: [3]string{"case {v} -> {", "default -> {", "}"}, Label: "{l}: ", Until: "do {",
	Start: func(p string) map[string]any { return map[string]any{"target": p + ".java"} },
	Declared: map[Type]string{
		Bool: "boolean {n} = {v};", Text: "String {n} = {v};", Array: "int[] {n} = {v};", List: "List<Integer> {n} = {v};",
		Map: "Map<String, Integer> {n} = {v};", Object: "Box {n} = {v};", Row: "Box[] {n} = {v};", Shelf: "Map<String, Box> {n} = {v};",
	},
	Texts: map[Kind]string{
		Until: "} while ({v});", Switch: "switch ({v}) {",
		Declare: "int {n} = {v};", Assign: "{a} = {v};", Augment: "{a} {op}= {v};",
		Push: "{a}.add({v});", Pop: "{a}.remove({a}.size() - 1);", Sort: "Collections.sort({a});", Do: "{v};", If: "if ({v})",
		Range: "for (int {n} = 0; {n} < {a}; {n}++)", Each: "for (int {n} : {a})", While: "while ({v})", Break: "break{l};", Continue: "continue{l};",
		Return: "return {v};", Raise: "throw new IllegalArgumentException({v});", Try: "try {", Print: "System.out.println({v});",
		Assert: "if ({a} != {v}) {\n    throw new IllegalStateException(\"not so\");\n}",
	},
	Stmt: func(w *writer, s *Stmt) string {
		value := func() string { return w.outer(s.Value) }
		if o, is := s.Value.(Op); is && s.Kind == Augment {
			value = func() string { return w.sub(o) }
		}
		text := ""
		switch s.Kind {
		case Assign:
			text = value()
		case Augment:
			text = w.expr(s.Target) + " " + s.Op + " " + value()
		case Do:
			if _, is := s.Value.(Op); is {
				return "Math.abs(" + value() + ");"
			}
			return ""
		default:
			return ""
		}
		switch e := s.Target.(type) {
		case At:
			if e.List.kind() == List {
				return w.expr(e.List) + ".set(" + w.outer(e.Index) + ", " + text + ");"
			}
		case Item:
			return w.expr(e.Map) + ".put(\"" + e.Key + "\", " + text + ");"
		}
		return ""
	},
	Expr: func(w *writer, e Expr) string {
		switch e := e.(type) {
		case Use:
			if e.Var == w.program.Class.This {
				return "this"
			}
		case At:
			if e.List.kind() == List {
				return w.expr(e.List) + ".get(" + w.outer(e.Index) + ")"
			}
		case Item:
			return w.expr(e.Map) + ".get(\"" + e.Key + "\")"
		case Len:
			return w.expr(e.List) + ".length"
		case Elements:
			if e.Type == List {
				return "new ArrayList<>(List.of(" + w.list(e.Values) + "))"
			}
			return "{" + w.list(e.Values) + "}"
		case Entries:
			return "new HashMap<>(Map.of(" + w.entries(e.Keys, e.Values, "%q, %s") + "))"
		case Slot:
			if e.In.kind() == Shelf {
				return w.expr(e.In) + ".get(\"" + e.Key + "\")"
			}
		case Mapped:
			from := w.expr(e.List) + ".stream()"
			if e.List.kind() == Array {
				from = "Arrays.stream(" + w.expr(e.List) + ").boxed()"
			}
			return from + ".map(x -> " + w.outer(e.Value) + ").collect(Collectors.toList())"
		case Holds:
			if e.Type == Shelf {
				return "new HashMap<>(Map.of(" + w.entries(e.Keys, e.Values, "%q, %s") + "))"
			}
			return "{" + w.list(e.Values) + "}"
		case New:
			return "new Box(" + w.list(e.Args) + ")"
		}
		return ""
	},
	Head: func(w *writer, f *Func) string {
		params := "(" + w.params(f, map[Type]string{Int: "int %s", Array: "int[] %s", Object: "Box %s"}) + ")"
		switch {
		case f.Of != nil && f == f.Of.New:
			return "Box" + params
		case f.Of != nil:
			return "int " + f.Name + params
		case f == w.program.Main:
			return "public static void main(String[] args)"
		}
		return "static int " + f.Name + params
	},
	Before: func(w *writer, p *Program) {
		w.lines = append(w.lines, strings.Split("import java.util.*;\nimport java.util.stream.Collectors;\n\npublic class "+w.name+" {", "\n")...)
		w.indent++
		w.add("static class Box {")
		w.lines = append(w.lines, "        int low;", "        int high;", "")
		w.members(p, "", "}")
	},
	After: func(w *writer, _ *Program) {
		w.indent--
		w.add("}")
	},
}
