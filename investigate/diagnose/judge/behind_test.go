package judge

import (
	"testing"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/exprsyntax"
	"aidb-mcp/internal/text/pattern"
)

func TestLets(t *testing.T) {
	syntax := adapters.FailureSyntax{None: pattern.New(`^nil$`), False: pattern.New(`^0$`), True: pattern.New(`^[1-9]$`)}
	for _, c := range []struct {
		wants exprsyntax.Outcome
		value string
		want  GuardEffect
	}{
		{exprsyntax.Holds, "True", Evaluated}, {exprsyntax.Holds, "false", Skipped}, {exprsyntax.Holds, "0", Skipped}, {exprsyntax.Holds, "3", Evaluated},
		{exprsyntax.Fails, "0", Evaluated}, {exprsyntax.Fails, "true", Skipped}, {exprsyntax.Nothing, "nil", Evaluated}, {exprsyntax.Nothing, "0", Skipped},
		{exprsyntax.Holds, "", Unknown}, {exprsyntax.Fails, "Box()", Unknown}, {exprsyntax.Nothing, "", Unknown},
	} {
		if got := EffectOf(syntax, exprsyntax.Guard{Wants: c.wants}, c.value); got != c.want {
			t.Errorf("%v of %q: %v, want %v", c.wants, c.value, got, c.want)
		}
	}
}
