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

// noteLoop says of a breakpoint that its line is a loop of C or C++, all of whose rounds
// begin behind the instruction at which the debugger stops. One that is bound in the
// loop's body stops in each.
func (c *common) noteLoop(b *godap.Breakpoint) {
	if c.lang != build.CPP || !b.Verified || b.Message != "" || b.Source == nil {
		return
	}
	text, err := source.NewFiles(nil).Text(b.Source.Path, b.Line)
	if err != nil {
		return
	}
	if body, whole := loopBody(text); whole && b.Column <= body {
		b.Message = onceForAll
	}
}

// loopBody is where the body of a loop begins in its line, and says whether the line has
// all of the loop.
func loopBody(line string) (at int, whole bool) {
	head := loopHead.FindString(line)
	line, _, _ = strings.Cut(line, "//")
	if head == "" || len(line) < len(head) {
		return 0, false
	}
	at = len(head)
	for depth := 1; at < len(line) && depth > 0; at++ {
		switch line[at] {
		case '(':
			depth++
		case ')':
			depth--
		}
	}
	body := strings.TrimSpace(line[at:])
	ends := strings.HasSuffix(body, ";") || strings.HasSuffix(body, "}")
	return at, ends && strings.Count(body, "{") == strings.Count(body, "}")
}
