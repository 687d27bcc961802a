package inspect

import "unicode/utf8"

// Unreachable in place of where a text goes on says that the adapter has cut it
// and gives no more of it.
const Unreachable = -1

// Cut cuts a text to limit bytes at a character; full is its length when it was cut.
func Cut(v string, limit int) (text string, full int) {
	if len(v) <= limit {
		return v, 0
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(v[cut]) {
		cut--
	}
	return v[:cut], len(v)
}

// Piece is the piece of a text from start on, at most count bytes of whole
// characters and at least one, and where the next piece begins.
func Piece(text string, start, count int) (piece string, next int) {
	for start = min(start, len(text)); start < len(text) && !utf8.RuneStart(text[start]); {
		start++
	}
	end := min(start+count, len(text))
	for end > start && end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	if end == start && start < len(text) {
		_, size := utf8.DecodeRuneInString(text[start:])
		end += size
	}
	return text[start:end], end
}
