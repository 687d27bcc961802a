package session

import (
	"testing"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/text/exprsyntax"
)

// What may have been an attribute was no call where its place is known, however it is written; what
// is one for certain has run, wherever its result lies.
func TestDidNothing(t *testing.T) {
	for _, c := range []struct {
		value   recording.Value
		effect  error
		nothing bool
	}{
		{recording.Value{Text: "3", Place: "o1.total"}, exprsyntax.ErrMayCall, true},
		{recording.Value{Text: "3"}, exprsyntax.ErrMayCall, false},
		{recording.Value{Text: "3", Place: "o1.total"}, exprsyntax.ErrCalls, false},
		{recording.Value{Text: "3", Place: "o1.total"}, exprsyntax.ErrStatement, false},
		{recording.Value{Error: "no method total"}, exprsyntax.ErrCalls, true},
	} {
		spec := recording.Spec{Values: []recording.Values{{Expressions: []string{"x"}}}}
		log := recording.Log{Events: []recording.Event{{Kind: recording.Hit, Values: []recording.Value{c.value}}}}
		if got := didNothing(spec, log, "x", c.effect); got != c.nothing {
			t.Errorf("%+v, %v: did nothing is %v", c.value, c.effect, got)
		}
	}
}
