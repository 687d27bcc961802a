package judge

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/exprsyntax"
	"aidb-mcp/internal/text/pattern"
)

// Part is a part of the failed statement with what it had for a value there.
type Part struct {
	exprsyntax.Part
	Value   string
	Count   int    // of its elements, where that is known
	Counted bool   // Count is
	Missing string // why it has no value; empty where it has one
	Bad     bool   // it is the culprit
	Unsure  bool   // it stands behind something that may have left it out
}

// wrapped matches the message of a failure that only tells of another, which happened
// elsewhere.
var wrapped = pattern.New(`^[a-z]\w*(?:\.\w+)+(?:Exception|Error)\b`)

// KindOf is what the words of a failure say was wrong.
func KindOf(stop Stop) adapters.FailureKind {
	c := stop.Comparison
	switch {
	case stop.Verdict() == TestFailure, c.Left != "" && !c.Guards && stop.isUnmet():
		return adapters.Unmet
	case wrapped.MatchString(stop.Message):
		return adapters.OtherFailure
	}
	text := stop.Type + ": " + stop.Message
	for _, k := range stop.Syntax.Kinds {
		if k.Words.MatchString(text) {
			return k.Kind
		}
	}
	if stop.demandsValue() {
		return adapters.NothingThere
	}
	if c.Guards || c.Left != "" { // what is asserted may itself have failed, which the words would say
		return adapters.Unmet
	}
	return adapters.OtherFailure
}

// IsNone says that a value is written as one that is nothing.
func (s Stop) IsNone(value string) bool {
	return s.Syntax.None.MatchString(strings.TrimSpace(value))
}

var zero = pattern.New(`^[-+]?0+(?:\.0*)?(?:[eE]\d+)?n?$`)

// Culprit is the index of the part that was bad first, -1 where the evidence does not
// show one, and what is wrong with it beyond its value.
func Culprit(stop Stop, parts []Part) (at int, why string) {
	kind, c := KindOf(stop), stop.Comparison
	if c.There != "" && (kind == adapters.Unmet || kind == adapters.OtherFailure) {
		return findNothingThere(stop, parts), "it differs from " + c.Nothing + " all the same"
	}
	switch kind {
	case adapters.NothingThere:
		return findNothing(stop, parts)
	case adapters.BadIndex:
		if at, why := findOutOfRange(parts); at >= 0 {
			return at, why
		}
		return findOnlyIndex(stop, parts)
	case adapters.MissingKey:
		return findMissingKey(stop, parts)
	case adapters.DividedByZero:
		return first(parts, func(p Part) bool { return p.Use == exprsyntax.Divides && zero.MatchString(p.Value) }), ""
	case adapters.Unmet:
		return findUnexpected(stop, parts), ""
	}
	return findBadArgument(stop, parts)
}

// untrue are values of a condition that does not hold.
var untrue = pattern.New(`^(?:false|False|0)$`)

// findUnexpected finds the value that came out where another was expected: the side
// that is known to be the actual one, or what was asserted and is not so.
func findUnexpected(stop Stop, parts []Part) int {
	c := stop.Comparison
	if whole := c.Whole(); whole != "" {
		asserted := negated.ReplaceAllString(whole, "")
		if c.Guards && (c.Given || asserted == whole) || !c.Guards && asserted != whole { // that it holds is what was not wanted
			return -1
		}
		return first(parts, func(p Part) bool {
			return isSameExpression(p.Text, asserted) && (untrue.MatchString(p.Value) || stop.IsNone(p.Value) || p.Calls && !c.Guards)
		})
	}
	actual := c.Actual()
	return first(parts, func(p Part) bool {
		if p.Missing != "" && c.Guards { // what is thrown there need not be about it
			return false
		}
		return actual != "" && isSameExpression(p.Text, actual) && (p.Missing != "" || !stop.isOpaque(p.Value))
	})
}

// findNothingThere finds what was taken to be there, and is another nothing than the one that it
// was held against.
func findNothingThere(stop Stop, parts []Part) int {
	return first(parts, func(p Part) bool {
		return p.Missing == "" && isSameExpression(p.Text, stop.Comparison.There) && stop.IsNone(p.Value)
	})
}

func first(parts []Part, is func(Part) bool) int {
	for i, p := range parts {
		if is(p) {
			return i
		}
	}
	return -1
}

// findNothing finds the part that was nothing: of several the one that the message
// names, else the first of which something was wanted. Where none has such a value, it
// must have been the result of the only call of which something was taken.
func findNothing(stop Stop, parts []Part) (int, string) {
	opened := func(p Part) bool {
		return p.Use == exprsyntax.Opened || p.Use == exprsyntax.Indexed || p.Use == exprsyntax.Called
	}
	if stop.isUnwrapping() {
		at := findUnwrapped(stop, parts)
		if at < 0 || stop.IsNone(parts[at].Value) {
			return at, ""
		}
		return at, stop.Syntax.Unwraps.Held(strings.TrimPrefix(stop.Message, stop.Type+": "), stop.Statement)
	}
	if names := groups(stop.Syntax.NullResult, stop.Message); len(names) > 0 {
		if at := first(parts, func(p Part) bool { return p.Calls && callOf(p.Text) == names[0] }); at >= 0 {
			return at, "it returned null"
		}
	}
	named := map[string]bool{}
	for _, name := range groups(stop.Syntax.Wanted, stop.Message) {
		named[name] = name != ""
	}
	isNamed := func(p Part) bool {
		if named[p.Text] {
			return true
		}
		for _, other := range parts {
			rest, follows := strings.CutPrefix(other.Text, p.Text)
			if follows && named[strings.TrimLeft(rest, ".?->")] {
				return true
			}
		}
		return takesMember(stop.Statement, p.Text, named)
	}
	if at := first(parts, func(p Part) bool { return opened(p) && stop.IsNone(p.Value) && isNamed(p) }); at >= 0 {
		return at, ""
	}
	if at := first(parts, func(p Part) bool { return opened(p) && stop.IsNone(p.Value) }); at >= 0 {
		return at, ""
	}
	if at := first(parts, func(p Part) bool { return stop.IsNone(p.Value) }); at >= 0 && !anyCall(parts) {
		return at, ""
	}
	if at := onlyNamed(parts, isNamed); at >= 0 {
		return at, "nothing else of the statement is asked for what the failure names"
	}
	calls := 0
	for _, p := range parts {
		if p.Calls && opened(p) {
			calls++
		}
	}
	if calls == 1 {
		return first(parts, func(p Part) bool { return p.Calls && opened(p) }), "nothing else of the statement can have been nothing"
	}
	return -1, ""
}

// onlyNamed is the call whose result is asked for the member that the message names, where that
// is done nowhere else; -1.
func onlyNamed(parts []Part, isNamed func(Part) bool) int {
	at := first(parts, func(p Part) bool { return p.Calls && p.Missing != "" && isNamed(p) })
	if at < 0 || slices.ContainsFunc(parts[at+1:], isNamed) || slices.ContainsFunc(parts[:at], isNamed) {
		return -1
	}
	return at
}

// takesMember says whether a statement takes one of the named members of a part, as
// m[5].split('.') does.
func takesMember(statement, part string, named map[string]bool) bool {
	for rest := statement; part != ""; {
		at := strings.Index(rest, part)
		if at < 0 {
			return false
		}
		isWhole := at == 0 || !isWordRune(rune(rest[at-1])) && rest[at-1] != '.'
		if rest = rest[at+len(part):]; !isWhole {
			continue
		}
		member := strings.TrimLeft(rest, ".?")
		if end := strings.IndexFunc(member, func(c rune) bool { return !isWordRune(c) }); end >= 0 {
			member = member[:end]
		}
		if strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "?.") {
			if named[member] {
				return true
			}
		}
	}
	return false
}

// groups are what a pattern finds in a text; none where it does not.
func groups(of *pattern.Pattern, text string) []string {
	m := of.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	return m[1:]
}

// isUnwrapping says that a value was to be taken out of what had none in it.
func (s Stop) isUnwrapping() bool {
	u := s.Syntax.Unwraps
	return u != nil && (u.Fails.MatchString(s.Message) || s.demandsValue())
}

// demandsValue says that the statement which failed takes a value out of what may hold none,
// and has words of its own for the case that there is none.
func (s Stop) demandsValue() bool {
	u := s.Syntax.Unwraps
	return u != nil && s.Verdict() == Panic && u.Demands.MatchString(s.Statement)
}

// findUnwrapped finds the part that was empty when something was taken out of it: the
// only one of those that are not known to hold something. -1 where several may be.
func findUnwrapped(stop Stop, parts []Part) int {
	found, unwraps := -1, stop.Syntax.Unwraps
	for i, p := range parts {
		takes := slices.ContainsFunc(parts, func(o Part) bool {
			rest, follows := strings.CutPrefix(o.Text, p.Text)
			return follows && unwraps.Takes.MatchString(rest)
		})
		if !takes {
			continue
		}
		value, whole := p.Value, unwraps.Hands.ReplaceAllString(p.Text, "")
		if at := first(parts, func(o Part) bool { return o.Text == whole }); at >= 0 && value == "" {
			value = parts[at].Value
			if stop.IsNone(value) {
				i = at
			}
			if unwraps.Empties.MatchString(p.Text) { // what was in it is not in it any more
				value = ""
			}
		}
		switch {
		case stop.IsNone(value):
			return i
		case value != "":
		case found >= 0:
			return -1
		default:
			found = i
		}
	}
	return found
}

// callOf is the name of the function that an expression ends in a call of.
func callOf(text string) string {
	open := strings.LastIndexByte(text, '(')
	for depth, i := 0, len(text)-1; i >= 0; i-- {
		switch text[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 {
				open, i = i, 0
			}
		}
	}
	if open < 0 || !strings.HasSuffix(text, ")") {
		return ""
	}
	name := text[:open]
	return name[strings.LastIndexAny(name, ".:>! ")+1:]
}

func anyCall(parts []Part) bool {
	return first(parts, func(p Part) bool { return p.Calls && p.Use != exprsyntax.Plain }) >= 0
}

// findOutOfRange finds the index that its list does not have.
func findOutOfRange(parts []Part) (int, string) {
	for _, held := range parts {
		if held = withSize(held); held.Use != exprsyntax.Indexed || !held.Counted {
			continue
		}
		most := held.Count - 1
		for bound := range strings.SplitSeq(held.Index, "..") {
			index, at := valueOf(parts, strings.TrimSpace(strings.TrimPrefix(bound, "=")))
			n, isNumber := integer(index)
			if bound != held.Index {
				most = held.Count // the bounds of a piece
			}
			if !isNumber || n >= 0 && n <= most {
				continue
			}
			if at < 0 {
				at = first(parts, func(p Part) bool { return p.Text == held.Text })
			}
			return at, held.Text + " has " + countText(held.Count, held.Value)
		}
	}
	return -1, ""
}

// places are the literal numbers that are an index.
var places = pattern.New(`^-?\d+$`)

// findOnlyIndex finds the index that was out of range where the statement takes one
// element only and no value shows it: as the message tells it, or as the call whose
// result it is.
func findOnlyIndex(stop Stop, parts []Part) (int, string) {
	isIndexed := func(p Part) bool { return p.Use == exprsyntax.Indexed }
	at := first(parts, isIndexed)
	if at < 0 || first(parts[at+1:], isIndexed) >= 0 {
		return -1, ""
	}
	held := parts[at]
	if index, length := stop.outOfRange(); index != "" {
		n, _ := integer(length)
		if held.Counted && held.Count != n {
			return -1, "" // another list, which is an element of this one
		}
		if of := first(parts, func(p Part) bool { return p.Text == held.Index }); of >= 0 {
			if at = of; parts[of].Value != "" && parts[of].Value != index {
				return -1, ""
			}
		}
		return at, "index " + index + ", and " + held.Text + " has " + countText(n, held.Value)
	}
	if !held.Calls || !places.MatchString(held.Index) || !strings.Contains(stop.Message, "index out of range") {
		return -1, ""
	}
	return at, "it has no element " + held.Index
}

// outOfRange is the index that its message says a list does not have, and the list's length.
func (s Stop) outOfRange() (index, length string) {
	words := s.Syntax.OutOfRange
	if m := words.FindStringSubmatch(s.Message); m != nil {
		return m[words.SubexpIndex("index")], m[words.SubexpIndex("length")]
	}
	return "", ""
}

// withSize counts the characters of a text, where the debugger counts no elements.
func withSize(p Part) Part {
	if text, err := strconv.Unquote(p.Value); err == nil && !p.Counted {
		p.Count, p.Counted = utf8.RuneCountInString(text), true
	}
	return p
}

// findMissingKey finds the key that its table does not have: that which the message names,
// else that of the only table.
func findMissingKey(stop Stop, parts []Part) (int, string) {
	tables, found, in := 0, -1, ""
	for i, held := range parts {
		if held.Use != exprsyntax.Indexed {
			continue
		}
		key, at := valueOf(parts, held.Index)
		if m := texts.FindStringSubmatch(key); at < 0 && m != nil && strings.Contains(stop.Message, cmp.Or(m[1], m[2])) {
			return i, "it has no key " + key
		}
		if at < 0 {
			continue
		}
		tables++
		if bare := strings.Trim(key, `"'`); bare != "" && strings.Contains(stop.Message, bare) {
			return at, "it is no key of " + held.Text
		}
		found, in = at, held.Text
	}
	if tables == 1 {
		return found, "it is no key of " + in
	}
	return -1, ""
}

// texts match a text that stands in the code, and what is between its quotes.
var texts = pattern.New(`^(?:"([^"]+)"|'([^']+)')$`)

// valueOf is the value of an expression among the parts, or of a literal.
func valueOf(parts []Part, text string) (string, int) {
	at := first(parts, func(p Part) bool { return p.Text == text && p.Missing == "" })
	if at < 0 {
		return text, -1
	}
	return parts[at].Value, at
}

func integer(text string) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil
}

func countText(n int, of string) string {
	what := "element"
	if strings.HasPrefix(of, `"`) {
		what = "character"
	}
	switch n {
	case 0:
		return "no " + what + "s"
	case 1:
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
