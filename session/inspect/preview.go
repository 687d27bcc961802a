package inspect

import (
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/internal/text/pattern"
)

// How much of a field a preview shows, in bytes: of a plain value, and of one
// that holds others.
const (
	plainShown  = 60
	openedShown = 40
)

// Cramped says that a value is an object of which a preview shows less than the
// plain fields may say: it is cut, by the adapter or here, and the first fields
// take all of it.
func Cramped(x godap.Variable, limit int) bool {
	open := fields.FindStringIndex(x.Value)
	return open != nil && open[0] < limit/2 && x.VariablesReference != 0 && x.IndexedVariables == 0 &&
		(len(x.Value) > limit || strings.HasSuffix(x.Value, ", ...}"))
}

// fields matches where the fields of an object begin.
var fields = pattern.New(`\{\w+: ?`)

// Preview is a value of at most limit bytes made of its fields, with those first
// that are plain: they decide, and a list before them must not take their room.
// It ends with an ellipsis when fields are left out.
func Preview(x godap.Variable, children []godap.Variable, limit int) string {
	head, _, _ := strings.Cut(x.Value, "{")
	var b strings.Builder
	b.WriteString(head + "{")
	first, whole := true, true
	add := func(field godap.Variable, shown int) {
		text, cut := Cut(field.Value, shown)
		if cut > 0 {
			text += "…"
		}
		text = field.Name + ": " + text
		if !first {
			text = ", " + text
		}
		if b.Len()+len(text)+len(", …}") > limit {
			whole = false
			return
		}
		b.WriteString(text)
		first = false
	}
	for _, field := range children {
		if field.VariablesReference == 0 {
			add(field, plainShown)
		}
	}
	for _, field := range children {
		if field.VariablesReference != 0 {
			add(field, openedShown)
		}
	}
	if !whole {
		b.WriteString(", …")
	}
	return b.String() + "}"
}
