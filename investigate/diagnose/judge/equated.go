package judge

import (
	"regexp"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/pattern"
)

// opposite is the comparison that holds where another does not.
var opposite = map[string]string{
	"==": "!=", "!=": "==", "===": "!==", "!==": "===", "is": "is not", "is not": "is",
	"<": ">=", ">=": "<", ">": "<=", "<=": ">", "in": "not in", "not in": "in",
}

// guarding are the operands of the condition in front of a statement: those that it
// compares by an operator, or hands to a call that compares them. How is what a name in it
// was given right in front of it.
func guarding(syntax adapters.FailureSyntax, condition, how string) Operands {
	o := Compared(condition)
	if denied := negated.FindString(o.Left); denied != "" && !joins(o.Left) {
		if inner, whole := denying(condition, denied); whole {
			o = Compared(inner)
			if o, _ = equated(syntax, o); o.Right == "" || opposite[o.Operator] == "" {
				return Compared(condition)
			}
			o.Operator = opposite[o.Operator]
			return o
		}
	}
	if call := givenBy(o.Left, how); call != "" {
		if told, asks := equated(syntax, Operands{Left: call, Right: o.Right, Operator: o.Operator}); asks {
			return told
		}
	}
	o, _ = equated(syntax, o)
	return o
}

// denying is what a condition denies as a whole, which begins with a negation.
func denying(text, denied string) (inner string, whole bool) {
	text = strings.TrimSpace(oneLine(text))
	inner = strings.TrimSpace(text[len(denied):])
	if strings.HasPrefix(inner, "(") && closing(inner, 0) == len(inner)-1 {
		return strings.TrimSpace(inner[1 : len(inner)-1]), true
	}
	// Where the negation is a word it reaches over a comparison; where it is a sign it does not.
	return inner, strings.HasPrefix(denied, "not") || Compared(inner).Operator == ""
}

// givenBy is the call whose result a name was given in a piece of source that does no
// more; empty where it is another.
func givenBy(name, how string) string {
	if name == "" || words.FindString(name) != name {
		return ""
	}
	given := regexp.MustCompile(`^(?:[\w:<>&*]+\s+){0,2}[&*]?` + regexp.QuoteMeta(name) + `\s*(?::\s*\w+\s*)?:?=\s*([^=].*)$`)
	m := given.FindStringSubmatch(strings.TrimSpace(oneLine(how)))
	if m == nil {
		return ""
	}
	return strings.TrimRight(m[1], "; ")
}

// equated are the operands of a condition that asks by a call whether two values are
// equal: equal(a, b), a.equal(b), compare(a, b) == 0.
func equated(syntax adapters.FailureSyntax, o Operands) (compared Operands, asks bool) {
	if left, right, ok := handed(syntax.Equates, o.Left, false); ok && o.Right == "" {
		return Operands{Left: left, Right: right, Operator: "=="}, true
	}
	if left, right, ok := handed(syntax.Likens, o.Left, true); ok && o.Right == "" {
		return Operands{Left: left, Right: right, Operator: "=="}, true
	}
	left, right, ok := handed(syntax.Compares, o.Left, true)
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

// handed are the two values that a call is given which compares them: as its first
// arguments, or one as what it is a member of. Options may follow where they say how.
func handed(calls *pattern.Pattern, text string, options bool) (left, right string, ok bool) {
	open := -1
	eachOutside(text, func(i int) {
		if text[i] == '(' {
			open = i
		}
	})
	if calls == nil || open < 0 || joins(text) || closing(text, open) != len(text)-1 || !calls.MatchString(text[:open]) {
		return "", "", false
	}
	list, dot := separate(text[open+1:len(text)-1], ","), strings.LastIndexByte(text[:open], '.')
	switch {
	case len(list) == 2 || len(list) > 2 && options:
		return list[0], list[1], true
	case len(list) == 1 && list[0] != "" && dot > 0 && strings.IndexByte("!-+(", text[0]) < 0:
		return text[:dot], list[0], true
	}
	return "", "", false
}
