package judge

import (
	"regexp"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/exprsyntax"
	"aidb-mcp/internal/text/pattern"
)

// opposite is the comparison that holds where another does not.
var opposite = map[string]string{
	"==": "!=", "!=": "==", "===": "!==", "!==": "===", "is": "is not", "is not": "is",
	"<": ">=", ">=": "<", ">": "<=", "<=": ">", "in": "not in", "not in": "in",
}

// conditionOperands are the operands of the condition in front of a statement: those that it
// compares by an operator, or hands to a call that compares them. How is what a name in it
// was given right in front of it.
func conditionOperands(syntax adapters.FailureSyntax, condition, how string) Operands {
	o := Compared(condition)
	if denied := negated.FindString(o.Left); denied != "" && !isJoined(o.Left) {
		if inner, whole := deniedCondition(condition, denied); whole {
			o = Compared(inner)
			if o, _ = equalityOperands(syntax, o); o.Right == "" || opposite[o.Operator] == "" {
				return Compared(condition)
			}
			o.Operator = opposite[o.Operator]
			return o
		}
	}
	if call := assigningCall(o.Left, how); call != "" {
		if operands, asks := equalityOperands(syntax, Operands{Left: call, Right: o.Right, Operator: o.Operator}); asks {
			return operands
		}
	}
	o, _ = equalityOperands(syntax, o)
	return o
}

// deniedCondition is what a condition denies as a whole, which begins with a negation.
func deniedCondition(text, denied string) (inner string, whole bool) {
	text = strings.TrimSpace(exprsyntax.OneLine(text))
	inner = strings.TrimSpace(text[len(denied):])
	if strings.HasPrefix(inner, "(") && closingBracket(inner, 0) == len(inner)-1 {
		return strings.TrimSpace(inner[1 : len(inner)-1]), true
	}
	// Where the negation is a word it reaches over a comparison; where it is a sign it does not.
	return inner, strings.HasPrefix(denied, "not") || Compared(inner).Operator == ""
}

// assigningCall is the call whose result a name was given in a piece of source that does no
// more; empty where it is another.
func assigningCall(name, how string) string {
	if name == "" || words.FindString(name) != name {
		return ""
	}
	given := regexp.MustCompile(`^(?:[\w:<>&*]+\s+){0,2}[&*]?` + regexp.QuoteMeta(name) + `\s*(?::\s*\w+\s*)?:?=\s*([^=].*)$`)
	m := given.FindStringSubmatch(strings.TrimSpace(exprsyntax.OneLine(how)))
	if m == nil {
		return ""
	}
	return strings.TrimRight(m[1], "; ")
}

// equalityOperands are the operands of a condition that asks by a call whether two values are
// equal: equal(a, b), a.equal(b), compare(a, b) == 0.
func equalityOperands(syntax adapters.FailureSyntax, o Operands) (compared Operands, asks bool) {
	call, ok := callIn(o.Left)
	if !ok {
		return o, false
	}
	if left, right, ok := call.comparedValues(syntax.Equates, syntax.Likens, syntax.EqualTo); ok && o.Right == "" {
		return Operands{Left: left, Right: right, Operator: "=="}, true
	}
	left, right, ok := call.comparedValues(nil, syntax.Compares, syntax.ComparedTo)
	switch {
	case !ok:
	case o.Right == "":
		return Operands{Left: left, Right: right, Operator: "!="}, true
	case equalResults[o.Right] && (o.Operator == "!=" || o.Operator == "!=="):
		return Operands{Left: left, Right: right, Operator: "!="}, true
	case equalResults[o.Right] && (o.Operator == "==" || o.Operator == "==="):
		return Operands{Left: left, Right: right, Operator: "=="}, true
	}
	return o, false
}

// equalResults are what is found of two values between which there is no difference.
var equalResults = map[string]bool{"0": true, `""`: true, "''": true, "nil": true}

// called is a call, taken apart: what is called, and what it is given.
type called struct {
	function  string
	arguments []string
}

// callIn reads a text that is a call and nothing besides.
func callIn(text string) (c called, ok bool) {
	open := -1
	forEachOutside(text, func(i int) {
		if text[i] == '(' {
			open = i
		}
	})
	if open < 0 || isJoined(text) || closingBracket(text, open) != len(text)-1 {
		return called{}, false
	}
	return called{text[:open], splitOutside(text[open+1:len(text)-1], ",")}, true
}

// comparedValues are the two that a call compares: what it is given, where two take both and more
// may be told how; else what it is a member of, and the only thing that is given to member.
func (c called) comparedValues(two, more, member *pattern.Pattern) (left, right string, ok bool) {
	n, dot := len(c.arguments), strings.LastIndexByte(c.function, '.')
	is := func(one *pattern.Pattern) bool { return one.MatchString(c.function) }
	switch {
	case n == 2 && is(two), n >= 2 && is(more):
		return c.arguments[0], c.arguments[1], true
	case n == 1 && c.arguments[0] != "" && is(member) && dot > 0 && strings.IndexByte("!-+(", c.function[0]) < 0:
		return c.function[:dot], c.arguments[0], true
	}
	return "", "", false
}
