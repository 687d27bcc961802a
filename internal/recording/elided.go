package recording

import "strings"

// isCut says that something of a value is not in its text: as its recorder tells, or, of
// one that does not tell, as the text shows.
func (v Value) isCut() bool { return v.Cut || isElided(v.Text) }

// isElided says that a text leaves something out: three dots outside of quotes, or the
// sign for them anywhere.
func isElided(text string) bool {
	if strings.Contains(text, "…") {
		return true
	}
	if !strings.Contains(text, "...") {
		return false
	}
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\':
			i++
		case c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\'' || c == '`'):
			quote = c
		case quote == 0 && strings.HasPrefix(text[i:], "..."):
			return true
		}
	}
	return quote != 0 && strings.HasSuffix(text, "...") // of a text that was cut itself
}
