package judge

import (
	"regexp"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/exprsyntax"
)

// findBadArgument finds what a call of the statement was given that it could not take: what the
// message tells the value of, else the only thing that was given to what surely failed.
// What the statement itself raises says nothing of what it calls.
func findBadArgument(stop Stop, parts []Part) (int, string) {
	if stop.Statement == "" || stop.IsDeliberate() || stop.Comparison.Left != "" {
		return -1, ""
	}
	var given []int
	named := -1
	for i, p := range parts {
		callee := calleeOf(stop.Statement, p.Text)
		if callee == "" || stop.isMadeBy(callee) || p.Use != exprsyntax.Plain || p.Calls || p.Missing != "" || stop.isOpaque(p.Value) {
			continue
		}
		given = append(given, i)
		if containsValue(stop.Message, p.Value) {
			if named >= 0 {
				return -1, ""
			}
			named = i
		}
	}
	switch {
	case named >= 0:
		return named, calleeOf(stop.Statement, parts[named].Text) + " could not take it"
	case len(given) != 1:
		return -1, ""
	}
	callee := calleeOf(stop.Statement, parts[given[0]].Text)
	if namesCallee(stop.Message, callee) || namesCallee(stop.Qualified, callee) || stop.Library && strings.Count(stop.Statement, "(") == 1 && stop.isPlainFunction(parts, callee) {
		return given[0], callee + " could not take it"
	}
	return -1, ""
}

// isMadeBy says that what the statement calls makes the exception that was raised, and so has
// taken what it was given; or that it may be a macro, by its capitals, in which anything is raised.
func (s Stop) isMadeBy(callee string) bool {
	own := s.Type[strings.LastIndexFunc(s.Type, func(c rune) bool { return !isWordRune(c) })+1:]
	return callee == own || strings.HasSuffix(callee, "."+own) || strings.ToUpper(callee) == callee && strings.ToLower(callee) != callee
}

// calleeOf is what a statement calls with an expression as one of its arguments; empty
// where it is none.
func calleeOf(statement, argument string) string {
	at := regexp.MustCompile(`([\pL_$][\pL\pN_$.]*)\((?:[^()]*,)?\s*(?:\w+=)?` + regexp.QuoteMeta(argument) + `\s*[,)]`).FindStringSubmatch(statement)
	if at == nil {
		return ""
	}
	return at[1]
}

// containsValue says that a message has a value in it, which is not so short that it may be there
// by chance.
func containsValue(message, value string) bool {
	bare := strings.Trim(value, "\"'`")
	quoted := bare != value && (strings.Contains(message, "'"+bare+"'") || strings.Contains(message, `"`+bare+`"`) || strings.Contains(message, "`"+bare+"`"))
	return quoted || len(bare) > 3 && strings.Contains(message, bare)
}

// namesCallee says whether a message begins with words of the called function's name,
// or has it as a call.
func namesCallee(message, callee string) bool {
	first, last := callee, callee[strings.LastIndexByte(callee, '.')+1:]
	if dot := strings.IndexByte(callee, '.'); dot > 0 {
		first = callee[:dot]
	}
	module, _, _ := strings.Cut(message, ".")
	return strings.EqualFold(module, last) || strings.Contains(message, last+"()") || strings.HasPrefix(message, callee) || first != last && hasWord(message, first)
}

func hasWord(text, word string) bool {
	return slices.Contains(strings.FieldsFunc(text, func(c rune) bool { return !isWordRune(c) }), word)
}

// isPlainFunction says that a call is of a function, not of an object with a state of its own.
func (s Stop) isPlainFunction(parts []Part, callee string) bool {
	root, _, method := strings.Cut(callee, ".")
	at := first(parts, func(p Part) bool { return p.Text == root })
	return !method || at < 0 || parts[at].Missing != "" || s.isOpaque(parts[at].Value)
}

// isOpaque says that a value is none of the program's own: a module, a function.
func (s Stop) isOpaque(value string) bool { return IsOpaque(s.Syntax, value) }

// IsOpaque says that there is no value, or that it is a part of the program itself: a
// module, a function.
func IsOpaque(syntax adapters.FailureSyntax, value string) bool {
	return value == "" || syntax.Opaque.MatchString(value)
}
