package jsdebug

import "strings"

// mask blanks out comments, strings, templates and regular expressions of a
// source, JavaScript or TypeScript, so that what is left can be searched for
// code. Every character keeps its place.
func mask(text string) string {
	m := masker{in: text, out: []byte(text)}
	for m.at < len(text) {
		m.step()
	}
	return string(m.out)
}

type masker struct {
	in    string
	out   []byte
	at    int
	value bool  // what came before ends a value: a slash divides
	depth []int // open braces of each template's ${…}
}

func (m *masker) step() {
	c := m.in[m.at]
	rest := m.in[m.at:]
	switch {
	case strings.HasPrefix(rest, "//"):
		m.blank(lengthUntil(rest, "\n"))
	case strings.HasPrefix(rest, "/*"):
		m.blank(lengthUntil(rest, "*/") + 2)
	case c == '\'' || c == '"':
		m.blank(m.stringLength(c))
		m.value = true
	case c == '`':
		m.at++
		m.template()
	case c == '/' && !m.value && strings.IndexByte(rest[:lengthUntil(rest, "\n")], '/') == 0 && regexpEnd(rest) > 0:
		m.blank(regexpEnd(rest))
		m.value = true
	default:
		m.code(c)
	}
}

// code passes over a character of code.
func (m *masker) code(c byte) {
	m.at++
	if n := len(m.depth); n > 0 {
		switch c {
		case '{':
			m.depth[n-1]++
		case '}':
			if m.depth[n-1]--; m.depth[n-1] < 0 {
				m.depth = m.depth[:n-1]
				m.template()
				return
			}
		}
	}
	switch {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r':
	case isWordByte(c):
		m.value = !isOperatorWord(m.in[:m.at])
	default:
		m.value = c == ')' || c == ']' || c == '}'
	}
}

// template passes over a template's text to its end or to a ${.
func (m *masker) template() {
	for m.at < len(m.in) {
		switch {
		case m.in[m.at] == '\\':
			m.blank(2)
			continue
		case m.in[m.at] == '`':
			m.at++
			m.value = true
			return
		case strings.HasPrefix(m.in[m.at:], "${"):
			m.at += 2
			m.depth = append(m.depth, 0)
			m.value = false
			return
		}
		m.blank(1)
	}
}

// blank overwrites n characters, lines' ends excepted.
func (m *masker) blank(n int) {
	end := min(m.at+n, len(m.in))
	for ; m.at < end; m.at++ {
		if m.in[m.at] != '\n' {
			m.out[m.at] = ' '
		}
	}
}

// stringLength is the length of a string.
func (m *masker) stringLength(quote byte) int {
	for i := m.at + 1; i < len(m.in); i++ {
		switch m.in[i] {
		case '\\':
			i++
		case quote, '\n':
			return i + 1 - m.at
		}
	}
	return len(m.in) - m.at
}

// regexpEnd is the length of a regular expression, 0 when it is none.
func regexpEnd(text string) int {
	class := false
	for i := 1; i < len(text) && text[i] != '\n'; i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			return i + 1
		}
	}
	return 0
}

func lengthUntil(text, end string) int {
	if i := strings.Index(text, end); i >= 0 {
		return i
	}
	return len(text)
}

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// isOperatorWord says that a text ends in a word after which a value begins.
func isOperatorWord(text string) bool {
	start := len(text)
	for start > 0 && isWordByte(text[start-1]) {
		start--
	}
	switch text[start:] {
	case "return", "typeof", "case", "in", "of", "do", "else", "void", "delete", "throw", "new", "await", "yield", "instanceof":
		return true
	}
	return false
}
