package native

import (
	"slices"
	"testing"

	"aidb-mcp/adapters/prepare"
)

func TestUnderDebugger(t *testing.T) {
	for _, c := range []struct {
		given string
		kind  debuggerKind
		want  string
	}{
		{"", codeLLDB, "detect_leaks=0"},
		{"", gdb, "detect_leaks=0:abort_on_error=1"},
		{"verbosity=1", gdb, "verbosity=1:detect_leaks=0:abort_on_error=1"},
		{"detect_leaks=1:abort_on_error=0", gdb, "detect_leaks=1:abort_on_error=0"},
	} {
		env := underDebugger([]string{"A=1", asanOptions + "=" + c.given}, c.kind)
		if got := prepare.Lookup(env, asanOptions); got != c.want || !slices.Contains(env, "A=1") {
			t.Errorf("%q under %s: %v", c.given, c.kind, env)
		}
	}
}
