package native

import (
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/text/pattern"
)

// expectation is what a test's #[should_panic] says. No debugger knows it: it is
// read in the source.
type expectation struct {
	panics bool
	text   string // which the message must contain; empty is any
}

// isMetBy says that a panic with this message is what makes the test succeed.
func (e expectation) isMetBy(message string) bool {
	return e.panics && strings.Contains(message, e.text)
}

// expectationAt reads what the test expects that stands at a line of a file: that of
// its name, or of an attribute that a macro has made it from. What cannot be
// read expects nothing.
func expectationAt(file string, line int) expectation {
	source, err := boundedfile.ReadText(file)
	if err != nil {
		return expectation{}
	}
	return findExpectation(strings.Split(string(source), "\n"), line)
}

// Attributes of a function are above its name: as far as the end of what is before.
var (
	functionHead = pattern.New(`\bfn\s+[A-Za-z_]`)
	itemEnd      = pattern.New(`[;{}]\s*$`)
	lineComment  = pattern.New(`^\s*//`)
	shouldPanic  = pattern.New(`(?s)#\s*\[\s*should_panic\s*(?:\]|=\s*` + rustText + `\s*\]|\(\s*expected\s*=\s*` + rustText + `\s*,?\s*\)\s*\])`)
)

// rustText matches a literal: a plain one in its first group, a raw one in the others.
const rustText = `(?:"((?:[^"\\]|\\.)*)"|r"([^"]*)"|r#"(.*?)"#)`

func findExpectation(lines []string, line int) expectation {
	const attributes = 60 // lines of them, at most
	if line < 1 || line > len(lines) {
		return expectation{}
	}
	head := line - 1
	for head < min(len(lines)-1, line+attributes) && !functionHead.MatchString(lines[head]) {
		head++
	}
	first := line - 1
	for first > max(0, line-attributes) && (lineComment.MatchString(lines[first-1]) || !itemEnd.MatchString(lines[first-1])) {
		first--
	}
	above := slices.DeleteFunc(slices.Clone(lines[first:head+1]), lineComment.MatchString)
	found := shouldPanic.FindStringSubmatch(strings.Join(above, "\n"))
	if found == nil {
		return expectation{}
	}
	e := expectation{panics: true}
	for i, text := range found[1:] {
		if text != "" && i%3 == 0 {
			text = unescape(text)
		}
		e.text += text
	}
	return e
}

var (
	rustEscape = pattern.New(`(?s)\\(?:u\{([0-9a-fA-F_]+)\}|x([0-9a-fA-F]{2})|\n\s*|.)`)
	rustSigned = map[string]string{`\n`: "\n", `\t`: "\t", `\r`: "\r", `\0`: "\x00"}
)

// unescape gives the text of a plain literal.
func unescape(literal string) string {
	return rustEscape.ReplaceAllStringFunc(literal, func(escape string) string {
		m := rustEscape.FindStringSubmatch(escape)
		if digits := strings.ReplaceAll(m[1]+m[2], "_", ""); digits != "" {
			n, err := strconv.ParseUint(digits, 16, 32)
			if err != nil {
				return escape
			}
			return string(rune(n))
		}
		if sign, ok := rustSigned[escape]; ok {
			return sign
		}
		if strings.HasPrefix(escape, "\\\n") {
			return ""
		}
		return escape[1:]
	})
}
