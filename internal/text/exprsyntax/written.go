package exprsyntax

import (
	"slices"
	"strings"
)

// Written is one of the statements that stand in a line.
type Written struct {
	Targets []string // the last names of what it puts something into, or calls a method of
	Reads   string   // what it may put there: of "if (n > 0) sum = sum + x;" it is "sum + x"
}

// Written are the statements of a line, and what its heads put somewhere themselves.
func (l Language) Written(statement string) []Written {
	s := statements{splitter: l.split(statement)}
	s.block(0, len(s.tokens))
	return s.list
}

// Carried are those operands that a statement may have put into a target: one that stands in a
// condition alone, or in another statement of the line, was not. Where several write the target and
// operands of more than one were read, a recorder does not tell which of them ran: then it is those
// that all of them read.
func Carried(list []Written, statement, target string, operands []string) (carried []string) {
	name := lastName(scan(target, "//"))
	writing := slices.DeleteFunc(slices.Clone(list), func(w Written) bool { return !slices.Contains(w.Targets, name) })
	isAny := len(writing) == 0
	if isAny {
		writing = list
	}
	isAny = isAny || !areMixed(writing, operands)
	for _, o := range operands {
		reads := readers(writing, o)
		isRead := len(reads) == len(writing) || isAny && len(reads) > 0
		if isRead || len(list) == 0 || !mentions(statement, o) { // else it is called otherwise than it is written there
			carried = append(carried, o)
		}
	}
	return carried
}

// areMixed says that operands were read which belong to one statement alone, of more than one.
func areMixed(list []Written, operands []string) bool {
	own := map[int]bool{}
	for _, o := range operands {
		if reads := readers(list, o); len(reads) == 1 {
			own[reads[0]] = true
		}
	}
	return len(own) > 1
}

// readers are those of the statements that read an operand.
func readers(list []Written, operand string) (indexes []int) {
	for i, w := range list {
		if mentions(w.Reads, operand) {
			indexes = append(indexes, i)
		}
	}
	return indexes
}

// mentions says whether an expression stands in a text, and is no part of a longer one.
func mentions(text, expression string) bool {
	text, expression = unspaced(text), strings.TrimLeft(unspaced(expression), "&*")
	for _, own := range []string{"this.", "self."} {
		if member, is := strings.CutPrefix(expression, own); is && !strings.Contains(text, expression) {
			expression = member
		}
	}
	for at := 0; expression != ""; {
		next := strings.Index(text[at:], expression)
		if next < 0 {
			return false
		}
		before, after := text[:at+next], text[at+next+len(expression):]
		if !endsInside(before, expression) && !beginsWithWord(after, expression) {
			return true
		}
		at += next + 1
	}
	return false
}

// alike writes alike what languages write in several ways.
var alike = strings.NewReplacer("'", `"`, "?.", ".")

func unspaced(text string) string { return alike.Replace(strings.Join(strings.Fields(text), " ")) }

// endsInside says that what follows a text is the end of a name, or a member of something.
func endsInside(before, expression string) bool {
	if before == "" || !isWordRune([]rune(expression)[0]) {
		return false
	}
	runes := []rune(before)
	last := runes[len(runes)-1]
	return isWordRune(last) || last == '.' || strings.HasSuffix(before, "->")
}

func beginsWithWord(after, expression string) bool {
	ends := []rune(expression)
	return after != "" && isWordRune(ends[len(ends)-1]) && isWordRune([]rune(after)[0])
}

// lastName is the last word outside of brackets.
func lastName(tokens []token) (name string) {
	depth := 0
	for _, t := range tokens {
		switch {
		case t.opens():
			depth++
		case t.closes():
			depth--
		case depth == 0 && t.kind == word:
			name = t.text
		}
	}
	return name
}

// statements goes through the statements of a line.
type statements struct {
	*splitter
	list    []Written
	subject span // of the switch or match that the arms are of
}

func (s *statements) block(from, to int) {
	for at := from; at < to; {
		at = s.next(at, to)
	}
}

// Words that open a block, with what is in brackets or before the block; that open one by
// themselves; and that begin an arm.
var (
	headed = strings.Fields("if elif while for switch match catch except synchronized with func fn def function impl class struct")
	opened = strings.Fields("else do try finally loop unsafe")
	armed  = strings.Fields("case default")
)

// next takes what begins at a token, and says where the next begins.
func (s *statements) next(at, to int) int {
	t := s.tokens[at]
	isWord := func(list []string) bool {
		return t.kind == word && slices.Contains(list, t.text) && (at+1 >= to || !assigns(s.tokens[at+1].text) && !s.tokens[at+1].is("."))
	}
	switch {
	case t.is("{"):
		end := min(s.closingToken(at), to)
		s.block(at+1, end)
		return end + 1
	case t.is(";"), t.is(","), t.is(":"), t.closes(), isWord(opened):
		return at + 1
	case isWord(armed):
		return s.arm(at, to)
	case isWord(headed):
		return s.headOf(at, to)
	}
	return s.simple(at, to)
}

// headOf takes the head of a block: what it goes through, or assigns itself.
func (s *statements) headOf(at, to int) int {
	end, isBracketed := at+1, (s.typed || s.template) && at+1 < to && s.tokens[at+1].is("(")
	if isBracketed {
		end = min(s.closingToken(at+1)+1, to)
	} else {
		for end < to && !s.tokens[end].is("{") && !s.tokens[end].is(":") {
			if s.tokens[end].opens() {
				end = min(s.closingToken(end), to)
			}
			end++
		}
		end = min(end, to)
	}
	from, last := at+1, end
	if isBracketed {
		from, last = at+2, end-1
	}
	s.subject = span{from, last}
	switch word := s.tokens[at].text; word {
	case "for":
		parts := s.splitAt(from, last, func(t token) bool { return t.is(";") })
		if len(parts) == 1 {
			s.add(s.words(from, last), from, last)
			break
		}
		for _, p := range parts {
			if targets := s.targets(p.from, p.to); len(targets) > 0 {
				s.add(targets, p.from, p.to)
			}
		}
	case "if", "elif", "while", "switch", "match", "with", "catch":
		if slices.ContainsFunc(s.tokens[from:max(from, last)], func(t token) bool { return t.kind == sign && assigns(t.text) }) || word == "with" {
			s.add(s.words(from, last), from, last)
		}
	}
	return end
}

// arm takes the pattern of an arm, which may name a part of what is looked at.
func (s *statements) arm(at, to int) int {
	end := at + 1
	for end < to && !s.tokens[end].is(":") && !s.tokens[end].is("=>") && (!s.tokens[end].is("->") || s.arrows) {
		if s.tokens[end].opens() {
			end = min(s.closingToken(end), to)
		}
		end++
	}
	s.binds(at, min(end, to))
	return end + 1
}

// binds adds the names of a pattern, to which a part of the subject is given.
func (s *statements) binds(from, to int) {
	for i := from; i < to; i++ {
		if t := s.tokens[i]; t.kind == word && (t.text == "when" || t.text == "if") {
			to = i
		}
	}
	of := Written{Targets: s.words(from, to)}
	for _, r := range []span{s.subject, {from, to}} { // the subject may stand in another line
		if r.from < r.to {
			of.Reads += s.source(r.from, r.to) + " "
		}
	}
	s.list = append(s.list, of)
}

// simple takes a statement that has no block of its own.
func (s *statements) simple(at, to int) int {
	end, puts := at, false
	for end < to && !s.tokens[end].is(";") && !s.tokens[end].closes() {
		switch t := s.tokens[end]; {
		case s.rust && t.is(","):
			s.put(at, end)
			return end + 1
		case s.rust && t.is("=>"):
			s.binds(at, end)
			return end + 1
		case t.is("{") && !puts && end > at && s.tokens[end-1].is(")"):
			for n, p := range s.splitAt(at, end, func(t token) bool { return t.is(":") }) {
				if n > 0 { // what its members begin as
					s.add(s.words(p.from, p.to), p.from, p.to)
				}
			}
			return end // a function is declared
		case t.opens():
			end = min(s.closingToken(end), to)
		case t.kind == sign && assigns(t.text), t.kind == word && (t.text == "return" || t.text == "yield"):
			puts = true
		}
		end++
	}
	end = min(end, to)
	s.put(at, end)
	return max(end, at+1)
}

// put adds a statement, and what it reads: not the target itself, but where in it.
func (s *statements) put(from, to int) {
	if from >= to {
		return
	}
	of, value := Written{Targets: s.targets(from, to)}, from
	for i := from; i < to; i++ {
		switch t := s.tokens[i]; {
		case t.opens():
			i = s.closingToken(i)
		case t.is("="), t.is(":="):
			value = i + 1
		}
	}
	for i := from; i < value; i++ {
		if s.tokens[i].is("[") {
			end := min(s.closingToken(i), value-1)
			of.Reads += s.source(i, end+1) + " "
			i = end
		}
	}
	if value < to {
		of.Reads += s.source(value, to)
	}
	s.list = append(s.list, of)
}

func (s *statements) add(targets []string, from, to int) {
	if from < to {
		s.list = append(s.list, Written{targets, s.source(from, to)})
	}
}

func (s *statements) source(from, to int) string {
	return s.text[s.tokens[from].from:s.tokens[to-1].to]
}

// targets are the names of what a statement puts something into.
func (s *statements) targets(from, to int) (names []string) {
	begin := from
	for i := from; i < to; i++ {
		switch t := s.tokens[i]; {
		case t.opens():
			i = s.closingToken(i)
		case t.is("++"), t.is("--"):
			names = append(names, lastName(s.tokens[from:to]))
		case t.kind == sign && assigns(t.text):
			for _, p := range s.splitCommas(begin, i) {
				names = append(names, lastName(s.tokens[p.from:p.to]))
			}
			begin = i + 1
		}
	}
	if names != nil || slices.ContainsFunc(s.tokens[from:to], func(t token) bool { return t.kind == word && t.text == "return" }) {
		return names
	}
	if open := slices.IndexFunc(s.tokens[from:to], func(t token) bool { return t.is("(") }); open > 1 {
		return s.words(from, from+open-1) // what is called stands before the bracket
	}
	return nil
}

// words are those outside of an element's brackets and of blocks.
func (s *statements) words(from, to int) (names []string) {
	for i := from; i < to; i++ {
		if t := s.tokens[i]; t.is("[") || t.is("{") {
			i = s.closingToken(i)
		} else if t.kind == word {
			names = append(names, t.text)
		}
	}
	return names
}
