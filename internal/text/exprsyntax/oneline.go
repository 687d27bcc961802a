package exprsyntax

import "strings"

// OneLine joins the lines of a piece of source, with one space in place of several: but for the
// texts that are written in it, of which each space counts.
func OneLine(source string) string {
	var b strings.Builder
	for at := 0; at < len(source); {
		if next := at + len(source[at:]) - len(strings.TrimLeft(source[at:], " \t\r\n\f\v")); next > at {
			at = next
			if b.Len() > 0 && at < len(source) {
				b.WriteByte(' ')
			}
			continue
		}
		end := writtenEnd(source, at)
		b.WriteString(source[at:end])
		at = end
	}
	return b.String()
}

// writtenEnd is the end of the text that is written at a place, or of the one character there.
func writtenEnd(source string, at int) int {
	quote := source[at : at+1]
	if !strings.Contains("\"'`", quote) {
		return at + 1
	}
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(source[at:], triple) {
		quote = triple
	}
	for end := at + len(quote); end < len(source); end++ {
		switch {
		case source[end] == '\\':
			end++
		case source[end] == '\n' && len(quote) == 1 && quote != "`":
			return at + 1 // it is none
		case strings.HasPrefix(source[end:], quote):
			return end + len(quote)
		}
	}
	return at + 1
}
