package attempt

import (
	"strings"

	"aidb-mcp/internal/text/brief"
)

const (
	summarized    = 60  // bytes of a change in a hypothesis that nobody gave
	longestReason = 160 // bytes of a message that tell it from others
	bytesPerToken = 4   // the usual estimate for JSON and code
)

// oneLine shortens a text to one line.
func oneLine(text string) string {
	return brief.Text(strings.Join(strings.Fields(text), " "), summarized)
}

func firstLine(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	return brief.Text(text, longestReason)
}
