package jsdebug

import (
	"strings"
	"testing"

	godap "github.com/google/go-dap"
)

func TestTextUnits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		value, typ string
		n          int
		known      bool
	}{
		{`'grüße 🙂'`, "string", 8, true},
		{`'one\n"two"'`, "string", 0, true}, // its escapes are not counted
		{"`a'b\"\nc`", "string", 6, true},   // in marks of a template, which are no part of it
		{"`a'b\"\\`c`", "string", 0, true},
		{`'xxx…xxx'`, "string", 0, true}, // js-debug leaves out the middle
		{"'" + strings.Repeat("x", longestValue) + "'", "string", 0, true},
		{"12", "number", 0, false},
	} {
		if n, known := (*dialect)(nil).TextUnits(godap.Variable{Value: tt.value, Type: tt.typ}); n != tt.n || known != tt.known {
			t.Errorf("%.20s: %d, %v, want %d, %v", tt.value, n, known, tt.n, tt.known)
		}
	}
}
