package judge

import (
	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/exprsyntax"
)

// Letting is what a guard does with what stands behind it.
type Letting int

// What it does: it kept it from being evaluated, that is not known, it let it be.
const (
	Kept Letting = iota
	Unknown
	Let
)

// Lets says what a guard does that came to a value, as the debugger writes it; empty: it is not
// known.
func Lets(syntax adapters.FailureSyntax, g exprsyntax.Guard, value string) Letting {
	if value == "" {
		return Unknown
	}
	if g.Wants == exprsyntax.Nothing {
		return letting(syntax.None.MatchString(value))
	}
	switch {
	case value == "true", value == "True", syntax.True.MatchString(value):
		return letting(g.Wants == exprsyntax.Holds)
	case value == "false", value == "False", syntax.False.MatchString(value):
		return letting(g.Wants == exprsyntax.Fails)
	}
	return Unknown
}

func letting(let bool) Letting {
	if let {
		return Let
	}
	return Kept
}
