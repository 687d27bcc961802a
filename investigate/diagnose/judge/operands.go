package judge

import (
	"strings"

	"aidb-mcp/internal/text/exprsyntax"
	"aidb-mcp/internal/text/pattern"
)

// Operands are the two expressions that a statement compares.
type Operands struct {
	Left, Right string
	// Arguments are all of them, where the two are arguments of a call.
	Arguments []string
	// Operator is the comparison that stands between them; empty for arguments.
	Operator string
	// Worded says that the statement gives words of its own for the case that it fails.
	Worded bool
}

// Whole is all that a statement asserts or asks, where that compares nothing.
func (o Operands) Whole() string {
	if o.Right == "" {
		return o.Left
	}
	return ""
}

var (
	keyword   = pattern.New(`^assert\s+`)
	begins    = pattern.New(`^(?:(?:await|return)\s+)*([\w:.$]+(?:\(\)\.\w+)*!?)\s*\(`)
	commanded = pattern.New(`^(assert_\w+)[ \t]+([^\s(=].*)$`) // a call without brackets
	operators = pattern.New(`^(?:===|!==|==|!=|<=|>=|<|>|is not\b|is\b|not in\b|in\b|instanceof\b)`)
	negated   = pattern.New(`^(?:!|not\s+)\s*`)
)

// Asserted are the operands of an assertion: of the keyword, of a call with a comparison
// in it, of a call with both as arguments, or of a chain of calls, one of which has the
// one and the last the other.
// Condition says which of the call's arguments is a condition, from 1, beside which the
// others are words; 0: none is.
func Asserted(statement string, condition int) Operands {
	text := strings.TrimRight(strings.TrimSpace(exprsyntax.OneLine(statement)), "; ")
	if at := keyword.FindString(text); at != "" {
		list := splitOutside(text[len(at):], ",:")
		o := Compared(list[0])
		o.Worded = len(list) > 1
		return o
	}
	if m := commanded.FindStringSubmatch(text); m != nil {
		text = m[1] + "(" + m[2] + ")"
	}
	m := begins.FindStringSubmatch(text)
	if m == nil {
		return Operands{}
	}
	open := len(m[0]) - 1
	end := closingBracket(text, open)
	if end < 0 {
		return Operands{}
	}
	list := splitOutside(text[open+1:end], ",")
	rest := strings.TrimSpace(text[end+1:])
	switch {
	case strings.HasPrefix(rest, "."):
		return chainOperands(list, rest)
	case rest != "" && !strings.HasPrefix(rest, "<<"): // which adds words
		return Operands{}
	}
	if o := Compared(list[max(0, min(condition, len(list))-1)]); condition > 0 || o.Operator != "" || len(list) == 1 {
		o.Worded = len(list) > 1
		return o
	}
	return Operands{Left: list[0], Right: list[1], Arguments: list}
}

// chainOperands are the operands of a chain of calls: expect(x).not.toBe(y).
func chainOperands(list []string, rest string) Operands {
	open := strings.LastIndexByte(rest, '(')
	for open >= 0 && closingBracket(rest, open) != len(rest)-1 {
		open = strings.LastIndexByte(rest[:open], '(')
	}
	if open < 0 || len(list) != 1 {
		return Operands{}
	}
	last := splitOutside(rest[open+1:len(rest)-1], ",")
	left := strings.TrimPrefix(list[0], "await ")
	return Operands{Left: left, Right: last[0], Arguments: []string{left, last[0]}}
}

// Compared are the operands of a condition: of the one comparison in it, outside of
// brackets; of !a.equals(b) too. Of others Left is all of it.
func Compared(condition string) Operands {
	condition = unbracketed(strings.TrimSpace(exprsyntax.OneLine(condition)))
	at, operator := -1, ""
	forEachOutside(condition, func(i int) {
		found := operators.FindString(condition[i:])
		if found == "" || isWordRune(rune(found[0])) && i > 0 && isWordRune(rune(condition[i-1])) {
			return
		}
		if at >= 0 && i < at+len(operator) { // within the last
			return
		}
		if i > 0 && strings.IndexByte("-=<>&|!", condition[i-1]) >= 0 || strings.HasPrefix(condition[i:], "<<") || strings.HasPrefix(condition[i:], ">>") {
			return
		}
		if at >= 0 {
			operator += "…" // there are several
			return
		}
		at, operator = i, found
	})
	if at < 0 || strings.HasSuffix(operator, "…") || isJoined(condition) || conditional.MatchString(condition) {
		return Operands{Left: condition}
	}
	return Operands{Left: strings.TrimSpace(condition[:at]), Right: strings.TrimSpace(condition[at+len(operator):]), Operator: operator}
}

// unbracketed is a condition without the brackets around all of it.
func unbracketed(condition string) string {
	for strings.HasPrefix(condition, "(") && closingBracket(condition, 0) == len(condition)-1 {
		inner := strings.TrimSpace(condition[1 : len(condition)-1])
		if inner == "" || len(splitOutside(inner, ",")) > 1 {
			break
		}
		condition = inner
	}
	return condition
}

// Differs says that an operator holds where its operands are not the same.
func Differs(operator string) bool {
	return operator == "!=" || operator == "!==" || operator == "is not" || operator == ""
}

// isJoined says whether a condition consists of several.
func isJoined(condition string) (found bool) {
	forEachOutside(condition, func(i int) {
		rest := condition[i:]
		found = found || strings.HasPrefix(rest, "&&") || strings.HasPrefix(rest, "||") || joining.MatchString(rest) && (i == 0 || !isWordRune(rune(condition[i-1])))
	})
	return found
}

var (
	// conditional is a comparison of which the opposite holds, or that is made only sometimes.
	conditional = pattern.New(`^not\s|\s(?:if|unless)\s`)
	joining     = pattern.New(`^(?:and|or)\b`)
	asking      = pattern.New(`^(?:\}\s*)?(?:else\s+)?(?:el)?if\b\s*`)
)

// Guard is the condition under which a statement is run, where that begins with it or is
// the first one in its block; above are the lines in front of it, the nearest last.
func Guard(statement string, above []string) string {
	text := strings.TrimSpace(exprsyntax.OneLine(statement))
	if begins := asking.FindString(text); begins != "" {
		return ifCondition(text[len(begins):])
	}
	if len(above) == 0 {
		return ""
	}
	line := strings.TrimSpace(above[len(above)-1])
	begins := asking.FindString(line)
	if begins == "" || !strings.HasSuffix(line, "{") && !strings.HasSuffix(line, ":") && !strings.HasSuffix(line, ")") {
		return ""
	}
	return ifCondition(line[len(begins):])
}

// alters matches what within a statement that prints may change a value that is printed.
var alters = pattern.New(`\+\+|--|(?:^|[^=!<>])=(?:[^=]|$)|&`)

// beforePrinted leaves out the statements at the end of some lines that only print, and call
// nothing else: what held before them still does.
func beforePrinted(prints *pattern.Pattern, lines []string) []string {
	for prints != nil && len(lines) > 0 {
		n := 1
		text := strings.TrimSpace(lines[len(lines)-1])
		for n < min(longest, len(lines)) && bracketBalance(text) < 0 {
			n++
			text = strings.TrimSpace(lines[len(lines)-n]) + " " + text
		}
		bare := quoted.ReplaceAllString(text, "")
		calls := strings.HasSuffix(prints.FindString(text), "(")
		if text != "" && (!prints.MatchString(text) || bracketBalance(text) != 0 || alters.MatchString(bare) || strings.Count(bare, "(") > 0 && !calls || strings.Count(bare, "(") > 1) {
			break
		}
		lines = lines[:len(lines)-n]
	}
	return lines
}

// conditionBefore is what is run right in front of that condition: the statement within the if, else
// the line above it.
func conditionBefore(statement string, above []string) string {
	begins := exprsyntax.OneLine(statement)
	if !asking.MatchString(begins) {
		if len(above) == 0 {
			return ""
		}
		begins, above = strings.TrimSpace(above[len(above)-1]), above[:len(above)-1]
	}
	begins = begins[len(asking.FindString(begins)):]
	if parts := splitOutside(begins, ";"); !strings.HasPrefix(begins, "(") && len(parts) > 1 && strings.Contains(parts[1], "{") {
		return parts[0]
	}
	if len(above) == 0 {
		return ""
	}
	return strings.TrimSpace(above[len(above)-1])
}

// ifCondition is what stands between an if and what it runs.
func ifCondition(text string) string {
	if strings.HasPrefix(text, "(") {
		if end := closingBracket(text, 0); end > 0 && !operators.MatchString(strings.TrimSpace(text[end+1:])) {
			return strings.TrimSpace(text[1:end])
		}
	}
	end := len(text)
	forEachOutside(text, func(i int) {
		if end == len(text) && (text[i] == '{' || text[i] == ':' && !strings.HasPrefix(text[i:], ":=") && (i == 0 || text[i-1] != ':') && !strings.HasPrefix(text[i:], "::")) {
			end = i
		}
	})
	parts := splitOutside(text[:end], ";")
	return strings.TrimSpace(parts[len(parts)-1])
}

// closingBracket is where the bracket at an index is closed; -1 where it is not.
func closingBracket(text string, open int) int {
	depth := 0
	end := -1
	forEachSign(text[open:], func(i int, c byte) {
		switch {
		case end >= 0:
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			if depth--; depth == 0 {
				end = open + i
			}
		}
	})
	return end
}

// splitOutside cuts a text at the first kind of these signs that stands outside of brackets.
func splitOutside(text, signs string) []string {
	var list []string
	from := 0
	forEachOutside(text, func(i int) {
		if text[i] == signs[0] || len(signs) > 1 && strings.IndexByte(signs[1:], text[i]) >= 0 && i+1 < len(text) && text[i+1] == ' ' {
			list, from = append(list, strings.TrimSpace(text[from:i])), i+1
		}
	})
	return append(list, strings.TrimSpace(text[from:]))
}

// forEachOutside calls back for each sign outside of brackets and texts, an opening one
// counted in.
func forEachOutside(text string, at func(i int)) {
	depth := 0
	forEachSign(text, func(i int, c byte) {
		if strings.IndexByte(")]}", c) >= 0 {
			depth--
			return
		}
		if depth == 0 {
			at(i)
		}
		if strings.IndexByte("([{", c) >= 0 {
			depth++
		}
	})
}

// forEachSign calls back for each sign that is in no text.
func forEachSign(text string, at func(i int, c byte)) {
	var quote byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '`' || c == '\'' && strings.Count(text[i:], "'") > 1:
			quote = c
		default:
			at(i, c)
		}
	}
}

// Uncommented is a piece of source without the remarks at the ends of its lines.
func Uncommented(text, comment string) string {
	if comment == "" {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		end := len(line)
		forEachSign(line, func(at int, _ byte) {
			if end == len(line) && strings.HasPrefix(line[at:], comment) && (at == 0 || line[at-1] != ':') {
				end = at
			}
		})
		lines[i] = strings.TrimRight(line[:end], " \t")
	}
	return strings.Join(lines, "\n")
}

var (
	quoted   = pattern.New(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`)
	words    = pattern.New(`[\pL_$][\pL\pN_$]*`)
	numbers  = pattern.New(`\b\d[\w.]*`)
	constant = map[string]bool{"true": true, "false": true, "True": true, "False": true, "nil": true, "null": true, "None": true, "undefined": true, "nullptr": true, "NULL": true}
)

// IsConstant says that an expression is written out: nothing that runs can change it.
func IsConstant(expression string) bool {
	bare := numbers.ReplaceAllString(quoted.ReplaceAllString(expression, ""), "")
	for _, m := range words.FindAllStringSubmatch(bare, -1) {
		if !constant[m[0]] {
			return false
		}
	}
	return strings.TrimSpace(expression) != ""
}
