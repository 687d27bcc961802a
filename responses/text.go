package responses

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"aidb-mcp/internal/text/brief"
)

// Shorten cuts s to at most max bytes, as [brief.Text] does.
func Shorten(s string, max int) string { return brief.Text(s, max) }

// shortenEncoded is Shorten by the length that s has as JSON, where a control
// character or a broken one takes six bytes.
func shortenEncoded(s string, max int) string {
	for limit := max; size(s) > max && limit > 0; limit -= limit/4 + 1 {
		s = Shorten(s, limit)
	}
	return s
}

// Tail keeps the end of s: at most max bytes, whole lines, or the end of the
// last line when that alone is longer.
func Tail(s string, max int) string {
	if len(s) <= max {
		return s
	}
	if max <= 0 {
		return ""
	}
	from := len(s) - max
	if s[from-1] != '\n' {
		if nl := strings.IndexByte(s[from:len(s)-1], '\n'); nl >= 0 {
			from += nl + 1
		}
	}
	for from < len(s) && !utf8.RuneStart(s[from]) {
		from++
	}
	return s[from:]
}

// Plural is "1 frame" or "3 frames".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// containsWord says that a text has another in it, and not as a part of a longer word.
func containsWord(text, fact string) bool {
	for from := 0; ; from++ {
		i := strings.Index(text[from:], fact)
		if i < 0 || fact == "" {
			return i >= 0
		}
		from += i
		if !isInsideWord(text, from) && !isInsideWord(text, from+len(fact)) {
			return true
		}
	}
}

// isInsideWord says that there is a word on both sides of a place in a text.
func isInsideWord(text string, at int) bool {
	return at > 0 && at < len(text) && isWordByte(text[at-1]) && isWordByte(text[at])
}

// isWordByte says that a byte is part of a word.
func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
