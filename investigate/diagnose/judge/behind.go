package judge

import (
	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/exprsyntax"
)

// GuardEffect is what a guard does with what stands behind it.
type GuardEffect int

// What it does: it has kept it from being evaluated, that is not known, it has let it be.
const (
	Skipped GuardEffect = iota
	Unknown
	Evaluated
)

// EffectOf says what a guard does that came to a value, as the debugger writes it; empty: it is not
// known.
func EffectOf(syntax adapters.FailureSyntax, g exprsyntax.Guard, value string) GuardEffect {
	if value == "" {
		return Unknown
	}
	if g.Wants == exprsyntax.Nothing {
		return guardEffect(syntax.None.MatchString(value))
	}
	switch {
	case value == "true", value == "True", syntax.True.MatchString(value):
		return guardEffect(g.Wants == exprsyntax.Holds)
	case value == "false", value == "False", syntax.False.MatchString(value):
		return guardEffect(g.Wants == exprsyntax.Fails)
	}
	return Unknown
}

func guardEffect(evaluated bool) GuardEffect {
	if evaluated {
		return Evaluated
	}
	return Skipped
}
