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

// statementAt is what a frame is at; the locals tell what its function has bound.
func (c userCode) statementAt(f *session.Frame, locals []session.Variable) statement {
	first := max(1, f.Line-linesAbove)
	lines, err := c.s.SourceLines(f.File, first, f.Line+linesAbove)
	if err != nil || f.Line-first >= len(lines) {
		return statement{}
	}
	return statement{text: c.evaluatedText(f, locals, lines, f.Line-first), above: lines[:f.Line-first]}
}

// evaluatedText is the statement of a line, or what of it a function evaluates that is
// written there, where the program stands in that.
func (c userCode) evaluatedText(f *session.Frame, locals []session.Variable, lines []string, at int) string {
	statement := judge.Statement(lines, at)
	if !c.syntax.Nameless.MatchString(f.Function) {
		return statement
	}
	body := c.s.Body(lines[at], func(name string) bool {
		return slices.ContainsFunc(locals, func(v session.Variable) bool { return v.Name == name })
	})
	if body == lines[at] {
		return statement
	}
	return body
}
