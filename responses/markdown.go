package responses

import "strings"

// fence is a block of lines as they are, whatever they hold.
func fence(lines []string) string {
	fence := "```"
	for _, line := range lines {
		for strings.Contains(line, fence) {
			fence += "`"
		}
	}
	return fence + "\n" + strings.Join(lines, "\n") + "\n" + fence + "\n"
}

// code is a text as code within a line.
func code(text string) string {
	mark := "`"
	for strings.Contains(text, mark) {
		mark += "`"
	}
	if len(mark) > 1 {
		return mark + " " + oneLine(text) + " " + mark
	}
	return mark + oneLine(text) + mark
}

// prose is a text that says what it says also in Markdown.
func prose(text string) string {
	var b strings.Builder
	text = oneLine(text)
	for i, r := range text {
		switch r {
		case '\\', '`', '*', '<', '|':
			b.WriteByte('\\')
		case '[':
			if strings.Contains(text[i:], "](") || strings.Contains(text[i:], "][") { // a link
				b.WriteByte('\\')
			}
		case '_':
			if !isInsideName(text, i) {
				b.WriteByte('\\')
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}

// isInsideName says that a byte stands between letters or digits, where an underscore is
// one of a name.
func isInsideName(text string, i int) bool {
	letter := func(c byte) bool {
		return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
	}
	return i > 0 && i+1 < len(text) && letter(text[i-1]) && letter(text[i+1])
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// indent is a text below an item of a list.
func indent(text string) string {
	lines := strings.SplitAfter(text, "\n")
	var b strings.Builder
	for _, line := range lines {
		if line != "" {
			b.WriteString("   " + line)
		}
	}
	return b.String()
}

// Plain is a text without characters that do something to a terminal or to the eye
// of a reader: they are shown as a programmer would write them.
func Plain(text string) string {
	var b strings.Builder
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\r\n", "\n"), "\uFFFD")
	for _, r := range text {
		if isControl(r) {
			b.WriteString(strings.ReplaceAll(escapeRune(r), `\\`, `\`))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
