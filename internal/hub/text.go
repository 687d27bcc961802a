package hub

import (
	"strings"
	"unicode/utf8"
)

// Bounds of texts, in bytes.
const (
	longestArgs  = 2_000
	longestReply = 8_000
	longestData  = 64 << 10 // of what is drawn
	longestText  = 2_000    // of a note, a question, an answer
	longestDid   = 500
)

// cutText is the beginning of a text, and how many bytes of it are left out.
func cutText(text string, most int) (kept string, cut int) {
	if len(text) <= most {
		return text, 0
	}
	end := most
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return strings.Clone(text[:end]), len(text) - end
}
