package pysrc

import "strings"

// logical is one logical line: a statement with its continuation lines. The
// contents of strings and comments are blanked in its text.
type logical struct {
	start, end int // from 1
	indent     int
	text       string
}

// isStringOnly says that the line is a string and nothing else: documentation.
func (l logical) isStringOnly() bool {
	text := strings.TrimLeft(l.text, "rRbBuUfF")
	return text != "" && strings.Trim(text, `"' `) == "" && strings.ContainsAny(text[:1], `"'`)
}

func (l logical) starts(word string) bool {
	return strings.HasPrefix(l.text, word+" ")
}

// reader walks over source text.
type reader struct {
	text string
	pos  int
	line int
}

// logicalLines splits source into statements; blank lines and comments are none.
func logicalLines(text string) []logical {
	r := &reader{text: text, line: 1}
	var lines []logical
	for r.pos < len(r.text) {
		if l := r.logical(); l.text != "" {
			lines = append(lines, l)
		}
	}
	return lines
}

// logical reads one logical line with its end.
func (r *reader) logical() logical {
	l := logical{start: r.line}
	for r.pos < len(r.text) && strings.IndexByte(" \t\f", r.text[r.pos]) >= 0 {
		if r.text[r.pos] == '\t' {
			l.indent += 8 - l.indent%8
		} else {
			l.indent++
		}
		r.pos++
	}
	var b strings.Builder
	depth := 0
	for r.pos < len(r.text) {
		c := r.text[r.pos]
		switch c {
		case '\n':
			r.pos++
			r.line++
			if depth <= 0 {
				l.end = r.line - 1
				l.text = strings.TrimSpace(b.String())
				return l
			}
			b.WriteByte(' ')
			continue
		case '\\':
			if r.pos+1 < len(r.text) && strings.IndexByte("\r\n", r.text[r.pos+1]) >= 0 {
				r.pos = min(len(r.text), r.pos+1+strings.IndexByte(r.text[r.pos+1:]+"\n", '\n')+1)
				r.line++
				b.WriteByte(' ')
				continue
			}
		case '#':
			r.pos += strings.IndexByte(r.text[r.pos:]+"\n", '\n')
			continue
		case '"', '\'':
			r.skipString(&b)
			continue
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		b.WriteByte(c)
		r.pos++
	}
	l.end = r.line
	l.text = strings.TrimSpace(b.String())
	return l
}

// skipString passes over a string; only its quotes are kept.
func (r *reader) skipString(b *strings.Builder) {
	quote := r.text[r.pos : r.pos+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(r.text[r.pos:], triple) {
		quote = triple
	}
	r.pos += len(quote)
	b.WriteString(quote)
	for r.pos < len(r.text) {
		switch {
		case strings.HasPrefix(r.text[r.pos:], quote):
			r.pos += len(quote)
			b.WriteString(quote)
			return
		case r.text[r.pos] == '\\' && r.pos+1 < len(r.text):
			if r.text[r.pos+1] == '\n' {
				r.line++
			}
			r.pos++
		case r.text[r.pos] == '\n':
			if len(quote) == 1 {
				return // it was never closed
			}
			r.line++
		}
		r.pos++
	}
}
