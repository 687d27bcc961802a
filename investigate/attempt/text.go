package attempt

import (
	"strings"
	"unicode/utf8"
)

const (
	summarized    = 60  // bytes of a change in a hypothesis that nobody gave
	longestReason = 160 // bytes of a message that tell it from others
	bytesPerToken = 4   // the usual estimate for JSON and code
)

// shorten is a text of no more bytes than that, with a mark where it was cut.
func shorten(text string, most int) string {
	const mark = "…"
	if len(text) <= most {
		return text
	}
	end := max(0, most-len(mark))
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + mark
}

// inShort is a text in one line.
func inShort(text string) string {
	return shorten(strings.Join(strings.Fields(text), " "), summarized)
}

func firstLine(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	return shorten(text, longestReason)
}
