package exprsyntax

import (
	"strings"

	"aidb-mcp/internal/text/pattern"
)

// loopHead is how a loop begins that may stand in one line.
var loopHead = pattern.New(`^\s*(?:'?\w+:\s*)?(?:for|while|loop|do)\b`)

// LoopHead says that a loop begins in a line.
func LoopHead(line string) bool { return loopHead.MatchString(line) }

// LoopInLine says that a line has a loop with all of its body, as far as its brackets and
// its end show: what stops or notes at the line may do so once for all rounds.
func LoopInLine(line string) bool {
	line, _, _ = strings.Cut(line, "//")
	line = strings.TrimSpace(line)
	head := loopHead.FindString(line)
	if head == "" {
		return false
	}
	depth, body := 0, false
	for i, c := range line {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		body = body || i >= len(head) && depth == 0 && (c == ')' || c == '}') && i+1 < len(line)
	}
	if depth != 0 {
		return false
	}
	return strings.HasSuffix(line, "}") || body && strings.HasSuffix(line, ";")
}
