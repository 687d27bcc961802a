package handlers

import (
	"testing"

	"aidb-mcp/internal/text/exprsyntax"
	"aidb-mcp/investigate/diagnose/judge"
)

// What is asked about next is a place: nothing writes to a length.
func TestPlaceIn(t *testing.T) {
	parts := []judge.Part{{Part: exprsyntax.Part{Text: "str"}}, {Part: exprsyntax.Part{Text: "len(str)"}, Bad: true}}
	for expression, want := range map[string]string{"len(str)": "str", "str": "str", "f(x)": "f(x)", "order.name": "order.name"} {
		if got := placeIn(expression, parts); got != want {
			t.Errorf("of %s: %s, want %s", expression, got, want)
		}
	}
}
