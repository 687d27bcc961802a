package exprsyntax

import (
	"slices"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

// What a statement consists of besides values: types, names that it declares, casts,
// functions whose bodies are evaluated elsewhere, the head of a function.

// typeWords are types, and what stands before one.
var typeWords = strings.Fields(`int long double float char bool boolean byte short unsigned signed auto void wchar_t const constexpr
	static final struct class enum union volatile typename var`)

// modifiers are those of them that are no type by themselves.
var modifiers = strings.Fields("const constexpr static final struct class enum union volatile typename")

// heading are words before brackets with a condition, none of which is called.
var heading = strings.Fields("if while for switch catch synchronized else do try match loop unsafe")

// soft are words that are names in all languages but a few, where an operator follows.
var soft = strings.Fields("from range with of match def fn var export ref move type go")

// callable are those of them that functions are called, too.
var callable = strings.Fields("of from")

// name says that a word of the list of those that are skipped is a name here: from + 1.
func (s *splitter) name() bool {
	if !slices.Contains(soft, s.tokens[s.at].text) {
		return false
	}
	if s.at+1 >= len(s.tokens) {
		return true
	}
	t := s.tokens[s.at+1]
	if t.is("(") {
		return s.calls(s.at) && !s.isAfterValue()
	}
	return t.closes() || t.kind == sign && slices.Contains([]string{"+", "-", "*", "/", "%", "..", ",", ";", "<", ">", "<=", ">=", "==", "!="}, t.text)
}

// calls says that such a word, where a value may stand, is the name of a function: of(1, 2).
func (s *splitter) calls(at int) bool {
	return !s.slices && !s.rust && slices.Contains(callable, s.tokens[at].text) && at+1 < len(s.tokens) && s.tokens[at+1].is("(")
}

// typeEnd is the token behind a type that begins at a token; none of it is a value.
func (s *splitter) typeEnd(at, end int) int {
	for at < end && s.tokens[at].kind == word && slices.Contains(typeWords, s.tokens[at].text) {
		at++
		whole := !slices.Contains(modifiers, s.tokens[at-1].text) && (at == end || !slices.Contains(typeWords, s.tokens[at].text))
		if whole || at < end && s.tokens[at].kind == sign {
			return s.skipDecoration(at, end)
		}
	}
	for at < end && s.tokens[at].kind == word {
		at++
		if at < end && s.tokens[at].is("<") {
			if at = s.angles(at, end); at < 0 {
				return end
			}
		}
		if at+1 >= end || !s.tokens[at].is("::") && (!s.tokens[at].is(".") || s.arrows) {
			break
		}
		at++
	}
	return s.skipDecoration(at, end)
}

// skipDecoration passes over what makes a type another: int *, int &, int[].
func (s *splitter) skipDecoration(at, end int) int {
	for at < end {
		t := s.tokens[at]
		switch {
		case t.is("*"), t.is("&"), t.is("&&"), t.is("**"), t.kind == word && t.text == "const":
			at++
		case t.is("[") && at+1 < end && s.tokens[at+1].is("]"):
			at += 2
		default:
			return at
		}
	}
	return at
}

// angles is the token behind <…> where that can be the arguments of a type; -1.
func (s *splitter) angles(at, end int) int {
	depth := 0
	for ; at < end; at++ {
		t := s.tokens[at]
		switch t.text {
		case "<":
			depth++
		case ">", ">>", ">>>":
			if depth -= len(t.text); depth <= 0 {
				return at + 1
			}
		case "::", ",", "*", "&", "?", "[", "]", ".", "(", ")":
		default:
			if t.kind == sign || t.kind == quotedText {
				return -1
			}
		}
	}
	return -1
}

// declares passes over a type and the name that it declares: std::string who = …
func (s *splitter) declares(end int) bool {
	t := s.tokens[s.at]
	if !s.typed || t.kind != word || s.at > 0 && !s.isAfterSeparator() || s.skips(t.text) && !slices.Contains(typeWords, t.text) {
		return false
	}
	at := s.typeEnd(s.at, end)
	if at == s.at || at >= end {
		return false
	}
	t = s.tokens[at]
	if t.is("[") && s.tokens[at-1].is("&") || t.is("[") && s.tokens[at-1].text == "auto" { // auto& [key, value]
		s.at = min(s.closingToken(at)+1, end)
		return true
	}
	if t.kind != word || s.skips(t.text) && !slices.Contains(soft, t.text) || slices.Contains(s.between, t.text) {
		return false
	}
	starred := s.tokens[at-1].kind == sign && !s.tokens[at-1].is(">") && !s.tokens[at-1].is("]")
	if at+1 < end {
		follows := s.tokens[at+1]
		known := follows.is("=") || follows.is(":") || follows.is("{") || follows.is(";")
		if starred && !known && !slices.Contains(typeWords, s.tokens[s.at].text) {
			return false
		}
		if follows.is("[") { // int a[3]
			at = min(s.closingToken(at+1), end-1)
		}
	}
	s.at = at + 1
	return true
}

// isAfterSeparator says that what comes may be a declaration.
func (s *splitter) isAfterSeparator() bool {
	t := s.tokens[s.at-1]
	if t.kind == word {
		return slices.Contains(typeWords, t.text)
	}
	return t.is("(") || t.is("{") || t.is("}") || t.is(";")
}

// cast passes over the type of one: (int) x.
func (s *splitter) cast(end int) bool {
	if !s.typed || !s.tokens[s.at].is("(") {
		return false
	}
	if s.at > 0 && s.tokens[s.at-1].kind == word && (slices.Contains(heading, s.tokens[s.at-1].text) || !s.skips(s.tokens[s.at-1].text)) {
		return false
	}
	closed := s.closingToken(s.at)
	if closed+1 >= end || s.typeEnd(s.at+1, closed) != closed {
		return false
	}
	next := s.tokens[closed+1]
	if next.kind == sign && !next.is("(") && !next.is("!") && !next.is("~") || next.kind == word && slices.Contains(s.between, next.text) {
		if last := s.tokens[closed-1]; !slices.Contains(typeWords, last.text) && !last.is("*") {
			return false
		}
	}
	s.at = closed + 1
	return true
}

// lambda passes over a function that is written here: x -> x.y, (a, b) => …,
// [&](int x) { … }, |x| x.y.
func (s *splitter) lambda(end int) bool {
	at := s.at
	t := s.tokens[at]
	switch {
	case (t.is("|") || t.is("||")) && s.rust && !s.isAfterValue():
		if t.is("|") {
			for at++; at < end && !s.tokens[at].is("|"); at++ {
			}
		}
	case t.is("[") && s.typed && s.arrows && !s.isAfterValue():
		at = s.closingToken(at) + 1
		if at >= end || !s.tokens[at].is("(") && !s.tokens[at].is("{") {
			return false
		}
		for at < end && !s.tokens[at].is("{") {
			at++
		}
		s.at = min(s.closingToken(min(at, end))+1, end)
		return true
	case t.kind == word && at+1 < end:
		at++
	case t.is("("):
		at = s.closingToken(at) + 1
	default:
		return false
	}
	if !t.is("|") && !t.is("||") && (at >= end || !s.tokens[at].is("=>") && (!s.tokens[at].is("->") || s.arrows || !s.typed) || s.rust) {
		return false
	}
	s.at = s.argument(at+1, end)
	return true
}

// argument is the end of one that begins at a token.
func (s *splitter) argument(at, end int) int {
	for at < end && !s.tokens[at].is(",") && !s.tokens[at].closes() {
		if s.tokens[at].opens() {
			at = s.closingToken(at)
		}
		at++
	}
	return min(at, end)
}

// isAfterValue says that a value stands before, so that an operator may follow.
func (s *splitter) isAfterValue() bool {
	if s.at == 0 {
		return false
	}
	t := s.tokens[s.at-1]
	return t.value() && (t.kind != word || !s.skips(t.text))
}

// header passes over the head of a function whose body stands on the same line.
func (s *splitter) header() {
	brace := 0
	for brace < len(s.tokens) && !s.tokens[brace].is("{") {
		if s.tokens[brace].is("=") {
			return
		}
		brace++
	}
	if brace == len(s.tokens) {
		return
	}
	for i := 1; i+1 < brace; i++ {
		t, before := s.tokens[i], s.tokens[i-1]
		if t.kind != word || !s.tokens[i+1].is("(") && !s.tokens[i+1].is("<") || slices.Contains(heading, t.text) {
			continue
		}
		if s.typed && (before.kind == word && (!s.skips(before.text) || slices.Contains(typeWords, before.text)) || before.is("*") || before.is("&")) ||
			before.kind == word && (before.text == "fn" || before.text == "function" || before.text == "func") {
			s.at = brace + 1
		}
		return
	}
}

// loop passes over the variable of a loop over elements, which is given a value and has
// none before: for (const item of items), for name, count in rows.
func (s *splitter) loop() {
	at := slices.IndexFunc(s.tokens, func(t token) bool { return t.kind == word && t.text == "for" })
	if at < 0 || at > 1 { // async for
		return
	}
	if at++; at < len(s.tokens) && s.tokens[at].text == "await" {
		at++
	}
	if at < len(s.tokens) && s.tokens[at].is("(") && !s.slices {
		at++
	}
	for ; at < len(s.tokens); at++ {
		t := s.tokens[at]
		switch {
		case t.kind == word && (t.text == "of" || t.text == "in"):
			s.at = at + 1
			return
		case t.opens():
			at = s.closingToken(at)
		case t.closes(), t.is("="), t.is(";"), t.is(":"):
			return
		}
	}
}

// condition takes that of an if or a loop, so that what follows is a statement of its
// own.
func (s *splitter) condition() {
	for s.at+1 < len(s.tokens) && s.tokens[s.at].kind == word && slices.Contains(heading, s.tokens[s.at].text) {
		s.at++
		if !s.tokens[s.at].is("(") {
			continue
		}
		closed := s.closingToken(s.at)
		s.at++
		s.walk(closed)
		s.at = min(closed+1, len(s.tokens))
	}
}

// asserts matches functions and macros that only compare what they are given.
var asserts = pattern.New(`^(?:(?:debug_)?assert\w*!|(?:.*\.)?assert\w*|(?:EXPECT|ASSERT|CHECK|REQUIRE|WARN)(?:_\w+)?)$`)

// gets are methods that take an element by its index or key.
var gets = strings.Fields("at get charAt codePointAt elementAt remove set")
