package judge

import (
	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/exprsyntax"
)

// GuardEffect is what a guard does with what stands behind it.
type GuardEffect int

// What it does: it kept it from being evaluated, that is not known, it let it be.
const (
	Kept GuardEffect = iota
	Unknown
	Let
)

// Lets says what a guard does that came to a value, as the debugger writes it; empty: it is not
// known.
func Lets(syntax adapters.FailureSyntax, g exprsyntax.Guard, value string) GuardEffect {
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

func guardEffect(let bool) GuardEffect {
	if let {
		return Let
	}
	return Kept
}
