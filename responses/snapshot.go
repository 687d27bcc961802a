package responses

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"aidb-mcp/internal/text/brief"
)

// lineWidth is the longest source line shown whole, in runes; longer ones are
// windowed round the column.
const lineWidth = 160

// Snapshot is a piece of source code, written as {"formatted": …}: line
// numbers, and an arrow on the current line.
type Snapshot struct {
	First   int      // number of the first line
	Current int      // number of the line the program stands on, 0 for none
	Column  int      // in it, from 1; 0 unknown
	Lines   []string // without line ends
}

// MarshalJSON writes the lines as one text.
func (s *Snapshot) MarshalJSON() ([]byte, error) {
	return encode(struct {
		Formatted string `json:"formatted"`
	}{s.Format()})
}

// Format writes one line each: number, arrow or nothing, text.
func (s *Snapshot) Format() string {
	width := len(strconv.Itoa(s.First + len(s.Lines) - 1))
	var b strings.Builder
	for i, text := range s.Lines {
		n, mark, column := s.First+i, " ", 1
		if n == s.Current {
			mark, column = "→", max(s.Column, 1)
		}
		line := fmt.Sprintf("%*d%s %s", width, n, mark, window(strings.TrimRight(text, " \t\r"), column))
		b.WriteString(strings.TrimRight(line, " "))
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// window cuts a long line to the part round the column (in bytes, from 1).
func window(text string, column int) string {
	runes := []rune(text)
	if len(runes) <= lineWidth {
		return text
	}
	at := utf8.RuneCountInString(brief.Clip(text, min(column-1, len(text))))
	from := max(0, min(at-lineWidth/2, len(runes)-lineWidth))
	part := string(runes[from : from+lineWidth])
	if from > 0 {
		part = "…" + part
	}
	if from+lineWidth < len(runes) {
		part += "…"
	}
	return part
}

// trim keeps only context lines on each side of the current one.
func (s *Snapshot) trim(context int) trim {
	return func(int) bool {
		if s == nil || s.Current == 0 {
			return false
		}
		from := max(s.First, s.Current-context)
		to := min(s.First+len(s.Lines)-1, s.Current+context)
		if to < from || to-from+1 >= len(s.Lines) {
			return false
		}
		s.Lines, s.First = s.Lines[from-s.First:to-s.First+1], from
		return true
	}
}
