package judge

import (
	"slices"
	"strings"

	"aidb-mcp/internal/text/exprsyntax"
)

// Depends are the names on which a statement depends: those that its parts begin with,
// and those that the lines before it have put into them. Before are the lines of the
// function above it, the nearest last; split takes a line apart.
func Depends(statement []exprsyntax.Part, before []string, split func(string) []exprsyntax.Part) map[string]bool {
	names := map[string]bool{}
	for _, p := range statement {
		names[rootName(p.Text)] = true
	}
	for _, line := range slices.Backward(before) {
		line = strings.TrimSpace(line)
		to, _, assigns := strings.Cut(line, "=")
		if !assigns || strings.HasSuffix(strings.TrimRight(to, " "), "!") {
			continue
		}
		if !hasAnyWord(to, names) {
			continue
		}
		for _, p := range split(line) {
			names[rootName(p.Text)] = true
		}
	}
	return names
}

// hasAnyWord says that one of the names is among the words of a text.
func hasAnyWord(text string, names map[string]bool) bool {
	for _, word := range strings.FieldsFunc(text, func(c rune) bool { return !isWordRune(c) }) {
		if names[word] {
			return true
		}
	}
	return false
}

// rootName is the name that an expression begins with.
func rootName(text string) string {
	text = strings.TrimLeft(text, "*&(!-")
	if end := strings.IndexFunc(text, func(c rune) bool { return !isWordRune(c) }); end >= 0 {
		return text[:end]
	}
	return text
}

func isWordRune(c rune) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
