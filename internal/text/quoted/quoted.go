// Package quoted knows how long a text is of which a debugger shows the quoted
// form, or a part of it.
package quoted

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Text is what stands between the quotes of a shown value: a text in double
// quotes without its escapes, one in single quotes as long as it has none, and
// what stands in no quotes as it is. Not ok: what the text itself is cannot be
// told, because it is cut, or written in a way that only its language knows.
func Text(shown string) (text string, ok bool) {
	for _, mark := range []string{"…", "...", `..."`, "...'", `…"`, "…'"} {
		if strings.HasSuffix(shown, mark) {
			return "", false
		}
	}
	switch {
	case strings.HasPrefix(shown, `"`):
		text, err := strconv.Unquote(shown)
		return text, err == nil
	case strings.HasPrefix(shown, "'"):
		if len(shown) < 2 || !strings.HasSuffix(shown, "'") || strings.Contains(shown, `\`) {
			return "", false
		}
		return shown[1 : len(shown)-1], true
	case strings.HasSuffix(shown, `"`) || strings.HasSuffix(shown, "'"): // a prefix: b'…', R"…"
		return "", false
	}
	return shown, true
}

// Length is how long the text is of which shown is the whole form, in bytes or,
// where the language counts them, in characters; 0 when that cannot be told.
func Length(shown string, characters bool) int {
	text, ok := Text(shown)
	switch {
	case !ok:
		return 0
	case characters:
		return utf8.RuneCountInString(text)
	}
	return len(text)
}
