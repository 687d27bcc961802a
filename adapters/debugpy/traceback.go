package debugpy

import (
	"fmt"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

// tracebackFrame matches the line of a traceback that names a frame; what the
// frame executes follows, indented further.
var tracebackFrame = pattern.New(`^  File "(.*)", line \d+`)

// foldLibraries makes one line of frames of libraries that follow each other in
// a traceback, as in a stack; the last one, which raised the exception, stays.
func foldLibraries(traceback string) string {
	var frames []string // each with its lines
	var of []bool       // those of libraries
	for line := range strings.Lines(traceback) {
		m := tracebackFrame.FindStringSubmatch(line)
		switch {
		case m != nil:
			frames, of = append(frames, line), append(of, isLibrary(m[1]))
		case len(frames) > 0 && strings.HasPrefix(line, "    "):
			frames[len(frames)-1] += line
		default: // the headline, or what is said at the end
			frames, of = append(frames, line), append(of, false)
		}
	}
	last := len(frames) - 1
	for last >= 0 && !tracebackFrame.MatchString(frames[last]) {
		last--
	}
	var b strings.Builder
	for i := 0; i < len(frames); {
		end := i
		for end < last && of[end] {
			end++
		}
		if end-i < 2 { // a single one says more by its name
			b.WriteString(frames[i])
			i++
			continue
		}
		fmt.Fprintf(&b, "  (%d library frames)\n", end-i)
		i = end
	}
	return b.String()
}
