//go:build linux

package benchmarks

import "strings"

// token is a word, a number or a sign of a program; comments, texts and blanks are none.
type token struct {
	text string
	at   int // its offset
}

// lex reads the tokens of a language with C's signs. A quote that begins no character
// (a lifetime of Rust) is a sign; a regular expression of JavaScript that has signs of
// operators is told by the sign in front of it.
func lex(source string) []token {
	var tokens []token
	for i := 0; i < len(source); {
		rest := source[i:]
		switch n := skipped(rest, tokens); {
		case n > 0:
			i += n
		default:
			n := length(rest)
			tokens = append(tokens, token{rest[:n], i})
			i += n
		}
	}
	return tokens
}

// skipped is how much is no token.
func skipped(rest string, before []token) int {
	switch {
	case strings.HasPrefix(rest, "//"), strings.HasPrefix(rest, "#include"), strings.HasPrefix(rest, "#define"), strings.HasPrefix(rest, "#["), strings.HasPrefix(rest, "#!["):
		return until(rest, "\n", 0)
	case strings.HasPrefix(rest, "/*"):
		return until(rest, "*/", 2)
	case rest[0] == '"' || rest[0] == '`':
		return quoted(rest)
	case rest[0] == '\'':
		if n := quoted(rest); n <= 12 && !strings.Contains(rest[:n], "\n") {
			return n
		}
	case rest[0] == '/' && beginsPattern(before):
		if n := quoted(rest); !strings.Contains(rest[:n], "\n") {
			return n
		}
	case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
		return 1
	}
	return 0
}

// beginsPattern says that a slash behind these tokens begins a regular expression.
func beginsPattern(before []token) bool {
	if len(before) == 0 {
		return true
	}
	last := before[len(before)-1].text
	return strings.Contains("(,=:[!&|?{};", last[:1]) || last == "return"
}

func until(rest, end string, from int) int {
	if i := strings.Index(rest[from:], end); i >= 0 {
		return from + i + len(end)
	}
	return len(rest)
}

// quoted is the length of a text with its quotes.
func quoted(rest string) int {
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			if rest[0] != '`' {
				i++
			}
		case rest[0]:
			return i + 1
		}
	}
	return len(rest)
}

// signs are those of more than one character, longest first.
var signs = []string{">>>=", "===", "!==", ">>>", "<<=", ">>=", "...", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "++", "--", "->", "=>", "::", ":=", "<<", ">>", ".."}

func length(rest string) int {
	n := 0
	for n < len(rest) && isWord(rest[n]) {
		n++
	}
	if n > 0 {
		return n
	}
	for _, sign := range signs {
		if strings.HasPrefix(rest, sign) {
			return len(sign)
		}
	}
	return 1
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}
