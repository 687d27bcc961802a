package exprsyntax

import (
	"slices"
	"strings"
)

// Source is one of those things that the value may be which a statement puts somewhere,
// or gives back.
type Source struct {
	Text string // as it stands
	Kind SourceKind
	Part bool // it is put into what is made: [x], {a: x}, T{x}

	// Of what is Returned: the last name of what is called, whether something is taken of the
	// result, and what it is given.
	Name  string
	Taken bool
	Given []Source
}

// SourceKind is what a source is.
type SourceKind int

// The kinds of sources. Of what is Computed the value is none of those that were read,
// or is one by chance.
const (
	Computed SourceKind = iota // worked out, or not understood
	Read                       // of a variable, a field, an element
	Literal
	Returned // the result of a call
	Element  // one after the other of what Text names, by a loop's head
	Sent     // given to a generator by whoever has it go on: nothing that the statement reads went into it
)

// Sources are what the value may be that a statement puts somewhere or gives back: the
// right side of an assignment, what is returned, or what stands alone. Where a choice is
// made all that can be chosen are among them, and where there are several statements
// those of all.
func (l Language) Sources(statement string) []Source {
	s := l.split(statement)
	if r, ok := s.loopSource(); ok {
		return []Source{{Text: unbroken(strings.TrimSpace(s.text[s.tokens[r.from].from:s.tokens[r.to-1].to])), Kind: Element}}
	}
	var list []Source
	for _, r := range s.ranges() {
		list = append(list, s.sources(r.from, r.to)...)
	}
	return list
}

// Argument is what a call is given.
type Argument struct {
	Name    string // empty: by its place
	Sources []Source
}

// Calls are the arguments of each call of a function that a statement makes.
func (l Language) Calls(statement, function string) [][]Argument {
	s := l.split(statement)
	var calls [][]Argument
	for i, t := range s.tokens {
		if t.kind != word || t.text != function || s.isDeclaration(i) {
			continue
		}
		open, bound := i+1, 0
		if l.template && open+1 < len(s.tokens) && s.tokens[open].is(".") && s.tokens[open+1].text == "call" { // f.call(this, x)
			open, bound = open+2, 1
		}
		if open < len(s.tokens) && s.tokens[open].is("<") {
			open = max(s.angles(open, len(s.tokens)), open)
		}
		if open < len(s.tokens) && s.tokens[open].is("(") {
			given := s.arguments(open)
			calls = append(calls, given[min(bound, len(given)):])
		}
	}
	return calls
}

func (l Language) split(statement string) *splitter {
	statement = l.head(statement)
	statement = stripComments(statement[:min(len(statement), longestStatement)], l.comment())
	return &splitter{Language: l, text: statement, tokens: scan(statement, l.comment())}
}

// head is the first line of what opens a block: the block's statements are none of its
// own. Anything else is left as it is.
func (l Language) head(statement string) string {
	line, _, _ := strings.Cut(statement, "\n")
	end := strings.TrimSpace(stripComments(line, l.comment()))
	if !strings.HasSuffix(end, "{") && !strings.HasSuffix(end, ":") {
		return statement
	}
	for _, t := range scan(end, l.comment()) {
		if t.kind != word {
			if t.is("}") {
				continue
			}
			break
		}
		if slices.Contains(heading, t.text) || slices.Contains([]string{"elif", "with", "func", "def", "fn", "function"}, t.text) {
			return line
		}
	}
	return statement
}

// isDeclaration says that a function is declared at the name, and not called.
func (s *splitter) isDeclaration(at int) bool {
	return at > 0 && s.tokens[at-1].kind == word && slices.Contains([]string{"def", "func", "fn", "function"}, s.tokens[at-1].text)
}

// arguments are those of the call whose bracket is at a token.
func (s *splitter) arguments(open int) []Argument {
	var list []Argument
	for _, r := range s.splitCommas(open+1, s.closingToken(open)) {
		a := Argument{}
		if s.slices && r.to > r.from+1 && s.tokens[r.from].kind == word && s.tokens[r.from+1].is("=") {
			a.Name, r.from = s.tokens[r.from].text, r.from+2
		}
		a.Sources = s.sources(r.from, r.to)
		list = append(list, a)
	}
	return list
}

// span is a row of tokens.
type span struct{ from, to int }

// loopSource is what a loop's head goes through: for (x : xs), for (const x of xs), for x in xs,
// for _, x := range xs.
func (s *splitter) loopSource() (r span, ok bool) {
	if len(s.tokens) < 2 || s.tokens[0].kind != word || s.tokens[0].text != "for" {
		return r, false
	}
	from, to := 1, len(s.tokens)
	if s.tokens[1].is("(") {
		from, to = 2, s.closingToken(1)
	}
	for i := from; i < min(to, len(s.tokens)); i++ {
		switch t := s.tokens[i]; {
		case t.opens():
			i = s.closingToken(i)
		case t.is(":"), t.kind == word && (t.text == "of" || t.text == "in" || t.text == "range"):
			end := to
			for n := i + 1; n < end && from == 1; n++ { // nothing around it tells where it ends
				if s.tokens[n].is(":") || s.tokens[n].is("{") {
					end = n
				} else if s.tokens[n].opens() {
					n = s.closingToken(n)
				}
			}
			return span{i + 1, min(end, len(s.tokens))}, i+1 < min(end, len(s.tokens))
		}
	}
	return r, false
}

// ranges are where the values stand that the statement is about.
func (s *splitter) ranges() []span {
	var list []span
	for i, t := range s.tokens {
		switch {
		case s.isSent(i): // what it is, whoever has the generator go on decides
		case t.kind == word && (t.text == "return" || t.text == "yield"), t.is("=>") && !s.rust:
			list = append(list, span{i + 1, s.valueEnd(i + 1)})
		case t.kind == sign && assigns(t.text) && !s.isArgumentName(i):
			r := span{i + 1, s.valueEnd(i + 1)}
			if t.text != "=" && t.text != ":=" || s.isSent(i+1) {
				r = span{i, i + 1} // worked out with what was there, or elsewhere
			}
			list = append(list, r)
		case t.is("++") || t.is("--"):
			list = append(list, span{i, i + 1})
		}
	}
	if len(list) == 0 {
		list = append(list, span{0, s.valueEnd(0)})
	}
	return slices.DeleteFunc(slices.Clone(list), func(r span) bool { // a = b = c: the last one tells
		return slices.ContainsFunc(list, func(o span) bool { return o.from > r.from && o.to == r.to && o != r })
	})
}

// isSent says that a yield is assigned: x = yield y, but not what another generator returns.
func (s *splitter) isSent(at int) bool {
	if at == 0 || at >= len(s.tokens) {
		return false
	}
	if t := s.tokens[at]; t.kind != word || t.text != "yield" || s.tokens[at-1].kind != sign || !assigns(s.tokens[at-1].text) {
		return false
	}
	return at+1 == len(s.tokens) || s.tokens[at+1].text != "from" && !s.tokens[at+1].is("*")
}

// isArgumentName says that the sign gives an argument its name, or a parameter what it is
// without one.
func (s *splitter) isArgumentName(at int) bool {
	depth := 0
	for i := at - 1; i >= 0; i-- {
		switch t := s.tokens[i]; {
		case t.closes():
			depth++
		case t.opens() && depth > 0:
			depth--
		case t.opens():
			return t.is("(") && i > 0 && s.tokens[i-1].value() && !slices.Contains(heading, s.tokens[i-1].text)
		}
	}
	return false
}

// valueEnd is where the value ends that begins at a token.
func (s *splitter) valueEnd(at int) int {
	for at < len(s.tokens) && !s.tokens[at].closes() && !s.tokens[at].is(";") {
		if s.tokens[at].opens() {
			at = s.closingToken(at)
		}
		at++
	}
	return min(at, len(s.tokens))
}

// splitCommas gives the pieces between commas outside of brackets.
func (s *splitter) splitCommas(from, to int) []span {
	return s.splitAt(from, to, func(t token) bool { return t.is(",") })
}

// splitAt gives the pieces between tokens outside of brackets; empty ones are left out.
func (s *splitter) splitAt(from, to int, at func(token) bool) []span {
	var list []span
	begin := from
	for i := from; i < to; i++ {
		switch t := s.tokens[i]; {
		case t.opens():
			i = min(s.closingToken(i), to)
		case at(t):
			list = append(list, span{begin, i})
			begin = i + 1
		}
	}
	list = append(list, span{begin, to})
	return slices.DeleteFunc(slices.Clone(list), func(r span) bool { return r.from >= r.to })
}

// chosen are operators that give one of their sides.
var chosen = strings.Fields("|| && ?? or and")

// sources are what a value may be.
func (s *splitter) sources(from, to int) []Source {
	from, to = s.strip(from, to)
	if from >= to {
		return []Source{{}}
	}
	if parts := s.splitCommas(from, to); len(parts) > 1 {
		return s.sourcesOf(parts)
	}
	if parts := s.choice(from, to); len(parts) > 1 {
		return s.sourcesOf(parts)
	}
	if parts := s.splitAt(from, to, func(t token) bool { return slices.Contains(chosen, t.text) && t.kind != quotedText }); len(parts) > 1 {
		return s.sourcesOf(parts)
	}
	return s.single(from, to)
}

func (s *splitter) sourcesOf(parts []span) []Source {
	var list []Source
	for _, r := range parts {
		list = append(list, s.sources(r.from, r.to)...)
	}
	return list
}

// strip leaves out what changes nothing of a value: brackets around it, words before
// it, the type that it is given.
func (s *splitter) strip(from, to int) (int, int) {
	for from < to {
		t := s.tokens[from]
		switch {
		case t.kind == word && slices.Contains([]string{"await", "move", "mut"}, t.text) && from+1 < to && s.tokens[from+1].kind != sign:
			from++
		case t.is("(") && s.closingToken(from) == to-1:
			from, to = from+1, to-1
		case t.is("(") && s.afterCast(from, to) > from:
			from = s.afterCast(from, to)
		default:
			for i := from + 1; i < to; i++ {
				if s.tokens[i].opens() {
					i = s.closingToken(i)
				} else if s.tokens[i].kind == word && s.tokens[i].text == "as" && !s.slices {
					return from, i
				}
			}
			return from, to
		}
	}
	return from, to
}

// afterCast is the token behind the type of a cast; where there is none, the same.
func (s *splitter) afterCast(from, to int) int {
	s.at = from
	if s.cast(to) {
		return s.at
	}
	return from
}

// choice are the two values of a ? b : c, or of a if b else c.
func (s *splitter) choice(from, to int) []span {
	if s.rust {
		return nil
	}
	first, second := "?", ":"
	if s.slices {
		first, second = "if", "else"
	}
	mark := func(text string, from int) int {
		for i := from; i < to; i++ {
			if s.tokens[i].opens() {
				i = min(s.closingToken(i), to)
			} else if s.tokens[i].text == text && s.tokens[i].kind != quotedText {
				return i
			}
		}
		return -1
	}
	a := mark(first, from)
	if a < 0 {
		return nil
	}
	b := mark(second, a+1)
	if b < 0 {
		return nil
	}
	if s.slices {
		return []span{{from, a}, {b + 1, to}}
	}
	return []span{{a + 1, b}, {b + 1, to}}
}

// single is a value in which nothing is chosen and nothing stands beside it.
func (s *splitter) single(from, to int) []Source {
	text := unbroken(strings.TrimSpace(s.text[s.tokens[from].from:s.tokens[to-1].to]))
	t := s.tokens[from]
	switch {
	case s.isSent(from + 1):
		return []Source{{Kind: Sent}}
	case t.is("-") && to == from+2 && s.tokens[from+1].kind == number, to == from+1 && (t.kind == number || t.kind == word && slices.Contains(constant, t.text)):
		return []Source{{Text: text, Kind: Literal}}
	case t.kind == quotedText && to == from+1 && !s.hasExpressions(t.text):
		return []Source{{Text: text, Kind: Literal}}
	case (t.is("[") || t.is("{")) && s.closingToken(from) == to-1:
		return s.sourcesInBrackets(from, to)
	}
	at := from
	for at < to && !s.slices && (s.tokens[at].is("&") || s.tokens[at].is("*")) {
		at++
	}
	if at < to && s.tokens[at].kind == word && s.tokens[at].text == "new" && at+1 < to {
		at++
	}
	if at < to && (s.tokens[at].kind == word && (!s.skips(s.tokens[at].text) || s.calls(at)) || s.tokens[at].is("[")) {
		if list := s.path(at, to, text); list != nil {
			return list
		}
	}
	return []Source{{Text: text}}
}

// hasExpressions says that a text has expressions in it.
func (s *splitter) hasExpressions(text string) bool {
	if strings.HasPrefix(text, "`") {
		return strings.Contains(text, "${")
	}
	return s.slices && strings.ContainsAny(text[:min(3, len(text))], "fF")
}

// path is a name with what is taken of it; nil where it is more than that.
func (s *splitter) path(at, to int, text string) []Source {
	of, last := Source{Text: text, Kind: Read}, ""
	after := func(i int) int { return min(s.closingToken(i)+1, to) }
	call := func(open int) {
		of.Kind, of.Name, of.Taken, of.Given = Returned, last, false, nil
		for _, a := range s.arguments(open) {
			of.Given = append(of.Given, a.Sources...)
		}
		at = after(open)
	}
	for at < to {
		t := s.tokens[at]
		switch {
		case t.kind == word:
			last = t.text
			at++
			of.Taken = of.Kind == Returned
		case (t.is(".") || t.is("?.") || t.is("::") || t.is("->") && s.arrows) && at+1 < to:
			at++
		case t.is("!") && s.rust && at+1 < to && s.tokens[at+1].opens():
			call(at + 1)
		case t.is("!") && !s.rust, t.is("?") && s.rust:
			at++
		case t.is("<") && s.angles(at, to) > 0:
			at = s.angles(at, to)
		case t.is("(") && last != "":
			call(at)
		case t.is("["):
			at = after(at)
			of.Taken = of.Kind == Returned
		case t.is("{") && after(at) == to && of.Kind == Read:
			return s.sourcesInBrackets(at, to)
		default:
			return nil
		}
	}
	return []Source{of}
}

// sourcesInBrackets are the values that are put into what brackets make.
func (s *splitter) sourcesInBrackets(from, to int) []Source {
	var list []Source
	for _, r := range s.splitCommas(from+1, to-1) {
		for i := r.from; i < r.to; i++ {
			t := s.tokens[i]
			if t.opens() {
				i = s.closingToken(i)
			} else if t.is(":") || t.is("=") {
				r.from = i + 1
				break
			} else if t.kind == word && t.text == "for" {
				return []Source{{Text: s.text[s.tokens[from].from:s.tokens[to-1].to], Part: true}}
			}
		}
		if r.from < r.to {
			list = append(list, s.sources(r.from, r.to)...)
		}
	}
	for i := range list {
		list[i].Part = true
	}
	if len(list) == 0 {
		return []Source{{Text: s.text[s.tokens[from].from:s.tokens[to-1].to], Kind: Literal}}
	}
	return list
}
