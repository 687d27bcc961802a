package delve

import (
	"strings"

	"aidb-mcp/internal/text/pattern"
)

// size matches what Delve writes before the elements of a slice within another
// value: its type, length and capacity.
var size = pattern.New(`\[\](?:[^\s"{}\[\],]|\[\w*\]|interface \{\})+ len: \d+, cap: \d+, `)

// tidyValue leaves out of a value what the elements themselves say: the sizes of
// the slices within it, and the comma after the last entry of a map. A size
// that stands first is the value's own and stays. Text in quotes is the
// program's and is never touched.
func tidyValue(value string) string {
	if !strings.Contains(value, " cap: ") && !strings.Contains(value, ", ]") && !digits.MatchString(value) {
		return value
	}
	var b strings.Builder
	for rest := value; rest != ""; {
		plain, quoted := cutQuoted(rest)
		rest = rest[len(plain)+len(quoted):]
		b.WriteString(tidyPlain(plain, b.Len() == 0))
		b.WriteString(quoted)
	}
	return b.String()
}

func tidyPlain(text string, first bool) string {
	own := ""
	if at := size.FindStringIndex(text); first && at != nil && at[0] == 0 {
		own, text = text[:at[1]], text[at[1]:]
	}
	return own + tidyDigits(strings.ReplaceAll(size.ReplaceAllString(text, ""), ", ]", "]"))
}

// cutQuoted returns what stands before the first Go string literal, and the
// literal, which may lack its end.
func cutQuoted(s string) (plain, quoted string) {
	open := strings.IndexByte(s, '"')
	if open < 0 {
		return s, ""
	}
	for i := open + 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return s[:open], s[open : i+1]
		}
	}
	return s[:open], s[open:]
}
