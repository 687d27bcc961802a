package handlers

import (
	"strings"
	"unicode/utf8"

	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/session/output"
)

// variable shows one value with the children that were fetched.
func (w show) variable(v session.Variable) responses.Variable {
	value := v.Untyped()
	out := responses.Variable{
		Name: v.Name, Value: value, Type: responses.Shorten(v.Type, longestType),
		Ref: v.Ref, Count: v.Count, Text: v.Text,
	}
	out.Open = v.Cut > 0 && v.Length == 0
	if v.Text || strings.HasPrefix(value, `"`) {
		out.Length = v.Length
	} else if !out.Open {
		out.Whole = max(0, v.Cut-(len(v.Value)-len(value)))
	}
	if v.Characters {
		out.Unit = "characters"
	}
	if whole, ok := w.open(v); ok {
		out.Rest = func(shown string) (responses.Call, int) { return whole, length(shown, v.Characters) }
	}
	if len(v.Children) > 0 {
		out.Children = w.children(v)
		if out.Children.Total >= v.Count {
			out.Count = 0 // all are there, or omitted says how many are not
		}
	}
	return out
}

// longestType is how much is shown of a type, in bytes: those of closures and
// containers of containers run to pages.
const longestType = 160

// length is how much of a text a shown piece of it holds.
func length(shown string, characters bool) int {
	n := textBytes(shown)
	if characters {
		n -= len(shown) - utf8.RuneCountInString(shown) // quotes and escapes are bytes of their own
	}
	if strings.HasPrefix(shown, "'") {
		n--
	}
	return n
}

func (w show) children(v session.Variable) *responses.Variables {
	items := w.variables(v.Children)
	return responses.NewVariables(items, responses.Page{
		What: "children of " + v.Name, Total: max(v.ChildTotal, v.Count),
		More: func(start int) responses.Call {
			call, _ := w.open(v)
			return call.With("start", start)
		},
	})
}

// open is the call that looks into a value: by its expression, which survives a
// resume, else by reference.
func (w show) open(v session.Variable) (responses.Call, bool) {
	switch {
	case v.Path != "":
		return w.call("inspect", "target", "expression", "expression", v.Path), true
	case v.Ref != 0:
		return w.call("inspect", "target", "object", "ref", v.Ref), true
	}
	return responses.Call{}, false
}

func (w show) variables(list []session.Variable) []responses.Variable {
	items := make([]responses.Variable, len(list))
	for i, v := range list {
		items[i] = w.variable(v)
	}
	return items
}

// locals shows a page of the local variables of a frame; nil when there are none.
func (w show) locals(list []session.Variable, start, total, frame int) *responses.Variables {
	if len(list) == 0 {
		return nil
	}
	return responses.NewVariables(w.variables(list), responses.Page{
		What: string(session.Locals), Start: start, Total: total,
		More: func(next int) responses.Call {
			return w.call("inspect", "target", string(session.Locals), "start", next).With("frame", frame)
		},
	})
}

// output shows the tail of what the program printed; nil when there is nothing.
func (w show) output(o session.Output) *responses.Output {
	out := &responses.Output{
		Stdout: stream(o.Stdout),
		Stderr: stream(o.Stderr),
		Log:    stream(o.Log),
	}
	if out.Empty() {
		return nil
	}
	out.Stdout.Earlier = w.earlier("stdout", &out.Stdout)
	out.Stderr.Earlier = w.earlier("stderr", &out.Stderr)
	out.Log.Earlier = w.earlier("log", &out.Log)
	return out
}

func stream(t output.Tail) responses.Stream {
	return responses.Stream{Text: t.Text, Cut: t.Cut, Lost: t.Lost, Partial: t.Partial}
}

// earlierLines is how many lines before the tail one call fetches.
const earlierLines = 100

// earlier is the call that shows the lines just before the tail of a stream.
func (w show) earlier(name string, shown *responses.Stream) func() (responses.Call, bool) {
	return func() (responses.Call, bool) {
		total := w.s.ReadOutput(name, output.Page{}).Total
		end := max(0, total-shown.Lines())
		from := max(0, end-earlierLines)
		return w.call("inspect", "target", "output", "expression", name, "start", from, "count", end-from), end > from
	}
}
