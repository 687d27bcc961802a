package judge

import (
	"regexp"
	"slices"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

// origin is how the lines above a statement have made a value.
type origin int

const (
	unknown  origin = iota // they do not show it: a parameter, a field, a global
	given                  // written out, or taken from a table that a loop goes through
	resulted               // the result of a call
)

// madeOf finds the one side of a comparison that was made by a call where the other was
// given.
func madeOf(c Comparison, above []string) Comparison {
	if c.Right == "" {
		c.Given = originOf(negated.ReplaceAllString(c.Left, ""), above) == given
		return c
	}
	switch left, right := originOf(c.Left, above), originOf(c.Right, above); {
	case left == resulted && right == given:
		c.Made = c.Left
	case left == given && right == resulted:
		c.Made = c.Right
	}
	return c
}

var calls = pattern.New(`[\pL\pN_\])!]\(`)

// originOf is how an expression came to its value, by the nearest line above that gives
// one to the variable in it.
func originOf(expression string, above []string) origin {
	switch {
	case IsConstant(expression):
		return given
	case calls.MatchString(expression):
		return resulted
	}
	name := rootName(expression)
	if name == "" || strings.ContainsAny(expression, "+-*/% ") {
		return unknown
	}
	quotedName := regexp.QuoteMeta(name)
	assigned := regexp.MustCompile(`(?:^|[\s,(])` + quotedName + `(?:\s*,\s*\w+)*\s*(?::\s*[\w.<>\[\]]+\s*)?:?=\s*([^=].*)$`)
	looped := regexp.MustCompile(`^\s*for\b[\s(]*(?:const|let|var|auto|final|\w+)?[\s&]*[\[{(]?(?:\w+\s*,\s*)*` + quotedName + `(?:\s*,\s*\w+)*[\]})]?\s*(?::=\s*range\b|in\b|of\b|:\s)`)
	for _, line := range slices.Backward(above) {
		switch m := assigned.FindStringSubmatch(line); {
		case looped.MatchString(line):
			return given
		case m == nil:
		case calls.MatchString(m[1]):
			return resulted
		case IsConstant(strings.TrimRight(strings.TrimSpace(m[1]), "; {")):
			return given
		default:
			return unknown
		}
	}
	return unknown
}
