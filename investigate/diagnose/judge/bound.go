package judge

import (
	"strings"

	"aidb-mcp/internal/text/exprsyntax"
	"aidb-mcp/internal/text/pattern"
)

var (
	loops   = pattern.New(`\bfor\s*(?:await\s*)?\(?\s*([^;{}()]+?)\s+(?:of|in)\b`)
	ranges  = pattern.New(`\bfor\s*\(([^;()]+?)\s*:(?:[^:]|$)`)
	lambdas = pattern.New(`\blambda\s+([^:]*):`)
)

// Bound are the names that a statement itself gives to values: the variable of a loop, of
// a comprehension or of a nameless function. What the frame has under such a name is
// another one, or not there yet.
func Bound(statement string) map[string]bool {
	names := map[string]bool{}
	for _, words := range []*pattern.Pattern{loops, ranges, lambdas} {
		for _, m := range words.FindAllStringSubmatch(exprsyntax.OneLine(statement), -1) {
			for _, name := range strings.FieldsFunc(m[1], func(c rune) bool { return !isWordRune(c) }) {
				names[name] = true
			}
		}
	}
	return names
}

// Root is the name that an expression begins with.
func Root(expression string) string { return rootName(expression) }
