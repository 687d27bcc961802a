package source

import (
	"path/filepath"
	"strings"
)

// Kind says what a line holds, as far as a breakpoint is concerned.
type Kind int

// The kinds of a line.
const (
	Code Kind = iota
	Blank
	Comment
)

func (k Kind) String() string {
	return [...]string{"code", "blank", "comment"}[k]
}

// syntax is the little of a language that tells comments from code.
type syntax struct {
	line        string            // starts a comment that runs to the end of the line
	block       [2]string         // opens and closes a comment; empty when there is none
	quotes      string            // delimit strings that end with the line at the latest
	long        map[string]string // open strings that run over lines, with what closes them
	longComment bool              // such a string that starts its line is taken for a comment (docstrings)
}

func syntaxOf(file string) syntax {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".py", ".pyw":
		return syntax{line: "#", quotes: `"'`, long: map[string]string{`"""`: `"""`, `'''`: `'''`}, longComment: true}
	case ".rb", ".sh", ".yaml", ".yml", ".toml", ".mk":
		return syntax{line: "#", quotes: `"'`}
	case ".go", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx":
		return syntax{line: "//", block: [2]string{"/*", "*/"}, quotes: `"'`, long: map[string]string{"`": "`"}}
	}
	return syntax{line: "//", block: [2]string{"/*", "*/"}, quotes: `"'`}
}

// Kinds classifies the lines of a file, by the syntax that its name tells:
// "#" languages, else C-like ones. A line with code and a comment is code. It
// is a good guess, not a parser.
func Kinds(file string, lines []string) []Kind {
	s := scanner{syntax: syntaxOf(file)}
	kinds := make([]Kind, len(lines))
	for i, line := range lines {
		kinds[i] = s.scan(line)
	}
	return kinds
}

// scanner walks through lines; until is what ends the construct that the last
// line left open, empty when none is.
type scanner struct {
	syntax
	until     string
	inComment bool
}

func (s *scanner) scan(line string) Kind {
	rest := strings.TrimSpace(line)
	if rest == "" {
		return Blank
	}
	kind := Comment
	for rest != "" {
		if s.until != "" {
			rest = s.finish(rest, &kind)
			continue
		}
		rest = s.next(rest, &kind)
	}
	return kind
}

// finish skips to the end of what is open.
func (s *scanner) finish(rest string, kind *Kind) string {
	if !s.inComment {
		*kind = Code
	}
	_, after, closed := strings.Cut(rest, s.until)
	if closed {
		s.until, s.inComment = "", false
	}
	return strings.TrimSpace(after)
}

// next consumes one token.
func (s *scanner) next(rest string, kind *Kind) string {
	if strings.HasPrefix(rest, s.line) {
		return ""
	}
	if s.block[0] != "" && strings.HasPrefix(rest, s.block[0]) {
		s.until, s.inComment = s.block[1], true
		return rest[len(s.block[0]):]
	}
	for open, end := range s.long {
		if strings.HasPrefix(rest, open) {
			s.until, s.inComment = end, s.longComment && *kind == Comment
			return rest[len(open):]
		}
	}
	*kind = Code
	if strings.IndexByte(s.quotes, rest[0]) >= 0 {
		return skipString(rest)
	}
	return strings.TrimSpace(rest[1:])
}

// skipString skips a quoted string with backslash escapes; an unclosed one ends with the line.
func skipString(s string) string {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return strings.TrimSpace(s[i+1:])
		}
	}
	return ""
}
