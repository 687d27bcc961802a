package statements

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is what a token is.
type kind int

const (
	end     kind = iota
	newline      // or a semicolon
	name         // of a local, a method, a keyword
	constant
	variable // @x, @@x, $x
	number
	text  // a text or a pattern without expressions in it, a symbol, %w[]
	woven // a text with expressions in it
	label // a: of a hash or of an argument
	sign
)

type token struct {
	kind  kind
	text  string
	from  int
	to    int
	space bool // a blank stands before it
}

func (t token) is(text string) bool { return (t.kind == sign || t.kind == name) && t.text == text }

// signs are the operators, the longest first.
var signs = []string{
	"**=", "<=>", "===", "...", "<<=", ">>=", "&&=", "||=", "&.",
	"**", "==", "!=", ">=", "<=", "&&", "||", "=~", "!~", "..", "::", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<", ">>", "->", "=>",
}

// scanner takes a statement apart into tokens. What it does not understand ends it.
type scanner struct {
	source string
	at     int
	list   []token
	failed bool
}

// scan are the tokens of a statement; ok is false where it has something in it that is not
// understood, such as a text that begins in a line and stands in the next ones.
func scan(source string) (list []token, ok bool) {
	s := scanner{source: source}
	for s.next() {
	}
	s.list = append(s.list, token{kind: end, from: len(source), to: len(source)})
	return s.list, !s.failed
}

// next reads one token; false at the end.
func (s *scanner) next() bool {
	space := s.skipBlanks()
	if s.at >= len(s.source) || s.failed {
		return false
	}
	from := s.at
	k := s.read(space)
	if s.failed {
		return false
	}
	s.list = append(s.list, token{k, s.source[from:s.at], from, s.at, space})
	return true
}

func (s *scanner) skipBlanks() (space bool) {
	for s.at < len(s.source) {
		switch c := s.source[s.at]; {
		case c == ' ' || c == '\t' || c == '\r':
			s.at++
		case c == '\\' && s.at+1 < len(s.source) && s.source[s.at+1] == '\n':
			s.at += 2
		case c == '#':
			for s.at < len(s.source) && s.source[s.at] != '\n' {
				s.at++
			}
		default:
			return space
		}
		space = true
	}
	return space
}

// read reads the token that begins here.
func (s *scanner) read(space bool) kind {
	c := s.source[s.at]
	switch {
	case c == '\n' || c == ';':
		s.at++
		return newline
	case c == '"' || c == '`' || c == '\'':
		return s.quoted(c)
	case c == '@' || c == '$':
		return s.variable()
	case c >= '0' && c <= '9':
		return s.number()
	case isWord(s.rune()):
		return s.word()
	case c == ':' && s.at+1 < len(s.source) && s.source[s.at+1] != ':' && s.symbol():
		return text
	case c == '%' && s.startsValue(space) && s.percent():
		return text
	case c == '/' && s.startsValue(space):
		return s.quoted('/')
	case strings.HasPrefix(s.source[s.at:], "<<~") || strings.HasPrefix(s.source[s.at:], "<<-") && s.startsValue(space):
		s.failed = true
		return end
	}
	for _, operator := range signs {
		if strings.HasPrefix(s.source[s.at:], operator) {
			s.at += len(operator)
			return sign
		}
	}
	s.at++
	return sign
}

func (s *scanner) rune() rune {
	c, _ := utf8.DecodeRuneInString(s.source[s.at:])
	return c
}

func isWord(c rune) bool { return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c) }

// startsValue says that a value may begin here, and not an operator.
func (s *scanner) startsValue(space bool) bool {
	if len(s.list) == 0 {
		return true
	}
	switch last := s.list[len(s.list)-1]; last.kind {
	case newline, label:
		return true
	case sign:
		return last.text != ")" && last.text != "]" && last.text != "}"
	case name:
		after := s.at+1 < len(s.source) && s.source[s.at+1] != ' ' && s.source[s.at+1] != '='
		return isKeyword(last.text) || space && after
	default:
		return false
	}
}

// quoted passes over a text; one with expressions in it is woven.
func (s *scanner) quoted(quote byte) kind {
	found := text
	for s.at++; s.at < len(s.source); s.at++ {
		switch c := s.source[s.at]; {
		case c == '\\':
			s.at++
		case c == '#' && quote != '\'' && s.at+1 < len(s.source) && s.source[s.at+1] == '{':
			found = woven
			if !s.braces() {
				s.failed = true
				return end
			}
		case c == quote:
			s.at++
			for quote == '/' && s.at < len(s.source) && strings.ContainsRune("imxounse", rune(s.source[s.at])) {
				s.at++
			}
			if quote != '/' && found == text && s.at < len(s.source) && s.source[s.at] == ':' && !strings.HasPrefix(s.source[s.at:], "::") {
				s.at++
				return label
			}
			return found
		}
	}
	s.at, s.failed = len(s.source), true
	return end
}

// braces passes over #{…} to its last sign.
func (s *scanner) braces() bool {
	depth := 0
	for ; s.at < len(s.source); s.at++ {
		switch s.source[s.at] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return true
			}
		}
	}
	return false
}

func (s *scanner) variable() kind {
	for s.at++; s.at < len(s.source) && (s.source[s.at] == '@' || isWord(s.rune())); {
		_, n := utf8.DecodeRuneInString(s.source[s.at:])
		s.at += n
	}
	if s.source[s.at-1] == '$' && s.at < len(s.source) { // $!, $~
		s.at++
	}
	return variable
}

func (s *scanner) number() kind {
	for s.at < len(s.source) {
		c := s.source[s.at]
		after := s.at+1 < len(s.source) && s.source[s.at+1] >= '0' && s.source[s.at+1] <= '9'
		isSign := (c == '-' || c == '+') && (s.source[s.at-1]|0x20) == 'e'
		if isPoint := c == '.' && after; !isWord(rune(c)) && !isPoint && !isSign {
			break
		}
		s.at++
	}
	return number
}

func (s *scanner) word() kind {
	from := s.at
	for s.at < len(s.source) && isWord(s.rune()) {
		_, n := utf8.DecodeRuneInString(s.source[s.at:])
		s.at += n
	}
	rest := s.source[s.at:]
	if rest != "" && (rest[0] == '?' || rest[0] == '!') && (len(rest) == 1 || rest[1] != '=' || strings.HasPrefix(rest[1:], "==") || strings.HasPrefix(rest[1:], "=~")) {
		s.at++
		rest = rest[1:]
	}
	member := len(s.list) > 0 && (s.list[len(s.list)-1].is(".") || s.list[len(s.list)-1].is("&."))
	if strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, "::") && !member && !s.inChoice() {
		s.at++
		return label
	}
	if first, _ := utf8.DecodeRuneInString(s.source[from:]); unicode.IsUpper(first) {
		return constant
	}
	return name
}

// inChoice says that a question mark waits for its colon.
func (s *scanner) inChoice() bool {
	open := 0
	for _, t := range slices.Backward(s.list) {
		switch {
		case t.is(")") || t.is("]") || t.is("}"):
			open++
		case t.is("(") || t.is("[") || t.is("{"):
			if open == 0 {
				return false
			}
			open--
		case t.is(":") && open == 0:
			return false
		case t.is("?") && open == 0:
			return true
		}
	}
	return false
}

// symbol passes over :name and :"text".
func (s *scanner) symbol() bool {
	switch c := s.source[s.at+1]; {
	case c == '"' || c == '\'':
		s.at++
		s.quoted(c)
		return !s.failed
	case isWord(rune(c)) || c >= utf8.RuneSelf || c == '@' || c == '$':
		for s.at++; s.at < len(s.source) && (isWord(s.rune()) || strings.ContainsRune("@$?!", s.rune())); {
			_, n := utf8.DecodeRuneInString(s.source[s.at:])
			s.at += n
		}
		return true
	case strings.ContainsRune("+-*/<=>[!%&|^~", rune(c)) && s.startsValue(true):
		for s.at++; s.at < len(s.source) && strings.ContainsRune("+-*/<=>[]!%&|^~@", s.rune()); s.at++ {
		}
		return true
	}
	return false
}

// percent passes over %w[a b] and its like, where nothing can be woven in.
func (s *scanner) percent() bool {
	rest := s.source[s.at+1:]
	if len(rest) < 3 || !strings.ContainsRune("wiq", rune(rest[0])) {
		return false
	}
	closing, known := map[byte]byte{'[': ']', '(': ')', '{': '}', '<': '>', '|': '|'}[rest[1]]
	if !known {
		return false
	}
	length := strings.IndexByte(rest[2:], closing)
	if length < 0 {
		return false
	}
	s.at += 4 + length
	return true
}
