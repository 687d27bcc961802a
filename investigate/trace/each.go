package trace

import (
	"slices"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/text/pattern"
)

// eachOf finds each(TYPE) in an expression.
var eachOf = pattern.New(`\b` + recording.Each + `\(\s*([\pL_$][\pL\pN_$.:]*)\s*\)`)

// ForEach says that a condition is about each instance of a type.
func ForEach(condition string) bool { return eachOf.MatchString(condition) }

// setEach takes each(TYPE) out of the expression for a moment, as recorders want it:
// the type by itself, and its name for the instance that is judged.
func (q Question) setEach(first *recording.First) error {
	var types []string
	plain := func(text string) string {
		for _, m := range eachOf.FindAllStringSubmatch(text, -1) {
			if !slices.Contains(types, m[1]) {
				types = append(types, m[1])
			}
		}
		return eachOf.ReplaceAllString(text, recording.Each)
	}
	first.Condition = plain(first.Condition)
	if len(types) == 0 {
		return nil
	}
	first.Expressions = slices.Clone(first.Expressions)
	for i, text := range first.Expressions {
		first.Expressions[i] = plain(text)
	}
	wrong := func(field, format string, args ...any) *fault.Error {
		return fault.New(fault.InvalidParam, format, args...).WithField(field)
	}
	switch {
	case len(types) > 1:
		return wrong("condition", "a condition is about each instance of one type, and not of %s", strings.Join(types, " and ")).
			WithHint("compare with what an instance refers to, or with variables; or ask twice")
	case q.Against != nil:
		return wrong("against", "the instances of two runs are not told apart, so their values have no order in which they could be compared").
			WithHint("give an expression over the variables of the scope, which has one value at a time")
	case returned.MatchString(first.Condition):
		return wrong("condition", "a condition is about what a function returned, or about each instance of a type, and not about both").
			WithHint("ask with each(%s) alone: it is judged where calls of the scope end, too", types[0])
	}
	first.Each = types[0]
	return nil
}
