package diagnose

import (
	"slices"

	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/session"
)

// statement is what a frame is at.
type statement struct {
	text  string   // empty where nobody has it
	above []string // the lines before it
}

// withoutComments leaves out the comments.
func (s statement) withoutComments(comment string) statement {
	s.text = judge.Uncommented(s.text, comment)
	s.above = slices.Clone(s.above)
	for i, line := range s.above {
		s.above[i] = judge.Uncommented(line, comment)
	}
	return s
}

func (x *examination) statementAt(f *session.Frame) statement {
	first := max(1, f.Line-linesAbove)
	lines, err := x.s.SourceLines(f.File, first, f.Line+linesAbove)
	if err != nil || f.Line-first >= len(lines) {
		return statement{}
	}
	return statement{text: x.evaluatedText(f, lines, f.Line-first), above: lines[:f.Line-first]}
}

// evaluatedText is the statement of a line, or what of it a function evaluates that is
// written there, where the program stands in that.
func (x *examination) evaluatedText(f *session.Frame, lines []string, at int) string {
	statement := judge.Statement(lines, at)
	if !x.syntax.Nameless.MatchString(f.Function) {
		return statement
	}
	body := x.s.Body(lines[at], func(name string) bool {
		return slices.ContainsFunc(x.v.Locals, func(v session.Variable) bool { return v.Name == name })
	})
	if body == lines[at] {
		return statement
	}
	return body
}
