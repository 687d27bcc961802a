package exprsyntax

import (
	"strings"
	"unicode/utf8"
)

// token is a piece of a statement.
type token struct {
	kind     tokenKind
	text     string
	from, to int // in the statement
}

type tokenKind int

const (
	word tokenKind = iota
	number
	quotedText
	sign
)

func (t token) opens() bool {
	return t.kind == sign && (t.text == "(" || t.text == "[" || t.text == "{")
}

func (t token) is(text string) bool { return t.kind == sign && t.text == text }

func (t token) closes() bool {
	return t.kind == sign && (t.text == ")" || t.text == "]" || t.text == "}")
}

// value says that a value may end with the token.
func (t token) value() bool { return t.kind != sign || t.text == ")" || t.text == "]" }

// scan takes a statement apart. What is not closed goes on to the end.
func scan(text, comment string) []token {
	var list []token
	add := func(kind tokenKind, from, to int) { list = append(list, token{kind, text[from:to], from, to}) }
	for at := 0; at < len(text); {
		c, size := utf8.DecodeRuneInString(text[at:])
		from := at
		switch {
		case strings.HasPrefix(text[at:], comment):
			at += lineEnd(text[at:])
		case c == '"' || c == '\'' && !lifetime(text[at:]) || c == '`':
			at = quoteEnd(text, at)
			add(quotedText, from, at)
		case c >= '0' && c <= '9':
			at = numberEnd(text, at)
			add(number, from, at)
		case isWordRune(c) && (c != '#' || comment != "#"):
			for at < len(text) {
				c, size := utf8.DecodeRuneInString(text[at:])
				if !isWordRune(c) {
					break
				}
				at += size
			}
			if at < len(text) && strings.ContainsRune("\"'", rune(text[at])) && at-from <= 3 { // the prefix of a text
				at = quoteEnd(text, at)
				add(quotedText, from, at)
				break
			}
			add(word, from, at)
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\':
			at += size
		default:
			at += signLength(text[at:], size)
			add(sign, from, at)
		}
	}
	return list
}

// stripComments gives a text without its comments.
func stripComments(text, comment string) string {
	var b strings.Builder
	for at := 0; at < len(text); {
		from := at
		switch c := text[at]; {
		case strings.HasPrefix(text[at:], comment):
			at += lineEnd(text[at:])
			continue
		case comment == "//" && strings.HasPrefix(text[at:], "/*"):
			if end := strings.Index(text[at:], "*/"); end >= 0 {
				at += end + len("*/")
			} else {
				at = len(text)
			}
			continue
		case c == '"' || c == '\'' && !lifetime(text[at:]) || c == '`':
			at = quoteEnd(text, at)
		default:
			at++
		}
		b.WriteString(text[from:at])
	}
	return b.String()
}

func lineEnd(text string) int {
	if end := strings.IndexByte(text, '\n'); end >= 0 {
		return end
	}
	return len(text)
}

// lifetime says that a quote begins a name of Rust's ('a), not a text.
func lifetime(text string) bool {
	if len(text) < 3 || text[1] == '\\' || !isWordRune(rune(text[1])) {
		return false
	}
	return !strings.Contains(text[2:min(len(text), 6)], "'") && !strings.Contains(text[2:], "'")
}

func quoteEnd(text string, at int) int {
	quote := text[at : at+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(text[at:], triple) {
		quote = triple
	}
	for i := at + len(quote); i < len(text); i++ {
		if text[i] == '\\' {
			i++
		} else if strings.HasPrefix(text[i:], quote) {
			return i + len(quote)
		}
	}
	return len(text)
}

func numberEnd(text string, at int) int {
	from := at
	for at < len(text) {
		c, size := utf8.DecodeRuneInString(text[at:])
		dot := c == '.' && at+1 < len(text) && text[at+1] >= '0' && text[at+1] <= '9'
		exponent := (c == '-' || c == '+') && text[at-1]|0x20 == 'e' && !strings.HasPrefix(text[from:], "0x")
		if !isWordRune(c) && !dot && !exponent {
			break
		}
		at += size
	}
	return at
}

// signLength is how long the operator at the beginning is.
func signLength(text string, size int) int {
	n := size
	for _, list := range [][]string{reads, changing} {
		for _, op := range list {
			if len(op) > n && strings.HasPrefix(text, op) {
				n = len(op)
			}
		}
	}
	return n
}
