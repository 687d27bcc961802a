package native

import (
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters/native/build"
	"aidb-mcp/internal/pattern"
	"aidb-mcp/internal/source"
)

// onceForAll is said of a breakpoint on a loop that stands in one line.
const onceForAll = "the whole loop stands in this line: it may be stopped at only before the first pass, where a condition is looked at once; " +
	"trace(values) sees each pass, and so does a breakpoint with the column of the loop's body, under LLDB"

var loopHead = pattern.New(`^\s*(?:for|while)\s*\(`)

// noteLoop says of a breakpoint without a column that its line is a loop of C or C++, all
// of whose rounds begin behind the instruction at which a debugger stops.
func (c *common) noteLoop(b *godap.Breakpoint) {
	if c.lang != build.CPP || !b.Verified || b.Message != "" || b.Column > 1 || b.Source == nil {
		return
	}
	text, err := source.NewFiles(nil).Text(b.Source.Path, b.Line)
	if err == nil && isWholeLoop(text) {
		b.Message = onceForAll
	}
}

// isWholeLoop says that a line has a loop's head and all of its body.
func isWholeLoop(line string) bool {
	head := loopHead.FindString(line)
	if head == "" {
		return false
	}
	line, _, _ = strings.Cut(line, "//")
	if len(line) < len(head) {
		return false
	}
	rest, depth := strings.TrimSpace(line[len(head):]), 1
	for i := range len(rest) {
		switch rest[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			rest = strings.TrimSpace(rest[i+1:])
			break
		}
	}
	return depth == 0 && rest != "" && (strings.HasSuffix(rest, ";") || strings.HasSuffix(rest, "}")) && strings.Count(rest, "{") == strings.Count(rest, "}")
}
