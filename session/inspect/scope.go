package inspect

import (
	"slices"
	"strings"

	godap "github.com/google/go-dap"
)

// ScopesOf tells which of our scopes an adapter's scope belongs to, by its hint
// first, then by the beginning of its name.
func ScopesOf(sc godap.Scope) []Scope {
	name := strings.ToLower(sc.Name)
	switch {
	case HoldsArguments(sc):
		return []Scope{Locals, Arguments}
	case sc.PresentationHint == "locals" || strings.HasPrefix(name, "local"):
		return []Scope{Locals}
	case sc.PresentationHint == "registers" || strings.Contains(name, "register"):
		return []Scope{Registers}
	case sc.PresentationHint == "globals" || strings.HasPrefix(name, "global") || strings.HasPrefix(name, "static"):
		return []Scope{Globals}
	case sc.Expensive:
		return nil
	}
	return []Scope{Locals} // block, closure, with, catch…
}

// Holds says that an adapter's scope belongs to one of ours.
func Holds(sc godap.Scope, kind Scope) bool { return slices.Contains(ScopesOf(sc), kind) }

// HoldsArguments says that a scope holds nothing but arguments.
func HoldsArguments(sc godap.Scope) bool {
	return sc.PresentationHint == "arguments" || strings.HasPrefix(strings.ToLower(sc.Name), "argument")
}

// ScopeWarnings passes on what adapters put into a scope's name: "Locals (warning: optimized function)".
func ScopeWarnings(scopes []godap.Scope) []string {
	for _, sc := range scopes {
		if _, warning, ok := strings.Cut(sc.Name, "(warning: "); ok {
			return []string{strings.TrimSuffix(warning, ")") + ": variables may be wrong or missing"}
		}
	}
	return nil
}

// argumentKind marks arguments in a variable's presentation hint.
const argumentKind = "argument"

// IsArgument says that a variable is marked as an argument.
func IsArgument(x godap.Variable) bool {
	h := x.PresentationHint
	return h != nil && (h.Kind == argumentKind || slices.Contains(h.Attributes, argumentKind))
}

// MarkArguments marks all of them as arguments.
func MarkArguments(vars []godap.Variable) {
	for i := range vars {
		vars[i].PresentationHint = &godap.VariablePresentationHint{Kind: argumentKind}
	}
}
