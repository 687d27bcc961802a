package session

import (
	"errors"
	"fmt"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/text/exprsyntax"
	"aidb-mcp/session/breakpoints"
)

// Parts takes a statement of the program's language apart into what it evaluates, in
// that order; nil where nobody knows how.
func (c *Code) Parts(statement string) []exprsyntax.Part {
	if parts := c.adapter.Info().Parts; parts != nil {
		return parts(statement)
	}
	return nil
}

// Comment is what begins a remark in the session's language; empty where nobody knows.
func (c *Code) Comment() string { return c.adapter.Info().Comment }

// Failures is how failures of the session's language are written.
func (c *Code) Failures() adapters.FailureSyntax { return c.adapter.Info().Failures }

// Sources are what the value may be that the statement at an absolute "file:line" puts
// somewhere or gives back; none where nobody can tell.
func (c *Code) Sources(at string) []exprsyntax.Source {
	if language := c.adapter.Info().Statements; language != nil {
		if text := c.statementAt(at); text != "" {
			return language.Sources(text)
		}
	}
	return nil
}

// Carried are those operands that the statement at an absolute "file:line" may have put into a
// target, as far as its text tells.
func (c *Code) Carried(at, target string, operands []string) []string {
	language, text := c.adapter.Info().Statements, c.statementAt(at)
	if language == nil || text == "" {
		return operands
	}
	return exprsyntax.Carried(language.Written(text), text, target, operands)
}

// IsReserved says of a word that it is none of the program's names, as far as that is known.
func (c *Code) IsReserved(word string) bool {
	language := c.adapter.Info().Statements
	return language != nil && language.Reserved(word)
}

// Calls are the arguments of each call of a function that the statement makes.
func (c *Code) Calls(at, function string) [][]exprsyntax.Argument {
	if language := c.adapter.Info().Statements; language != nil {
		return language.Calls(c.statementAt(at), function)
	}
	return nil
}

// statementAt is the text of the statement that begins at a place: its line, and those
// that follow deeper, or close what it has opened.
func (c *Code) statementAt(at string) string {
	file, line := recording.FileLine(at)
	if line == 0 {
		return ""
	}
	lines, err := c.files.Lines(c.localPath(file), line, line+longestStatement)
	if err != nil || len(lines) == 0 {
		return ""
	}
	own, end := indentation(lines[0]), 1
	for end < len(lines) {
		text := strings.TrimSpace(lines[end])
		if text == "" || indentation(lines[end]) <= own && !strings.ContainsAny(text[:1], ")]}") {
			break
		}
		if end++; indentation(lines[end-1]) <= own {
			break
		}
	}
	return strings.Join(lines[:end], "\n")
}

// Body is what a function evaluates that is written on a line and takes one of the names
// that are known where it runs; the line where nobody knows.
func (c *Code) Body(line string, known func(name string) bool) string {
	if body := c.adapter.Info().Body; body != nil {
		return body(line, known)
	}
	return line
}

// OnlyReads says that evaluating an expression is known to change nothing.
func (c *Code) OnlyReads(expression string) bool {
	reads := c.adapter.Info().Reads
	return reads != nil && reads(expression) == nil
}

// ChangesNothing says the same of one that calls no more than what the language itself has
// for reading.
func (c *Code) ChangesNothing(expression string) bool {
	effects := c.adapter.Info().Effects
	return effects != nil && effects(expression) == nil
}

// NextStatement is the line on which the statement behind that of a line begins, in the
// same block; 0 where the block ends, or the lines do not tell.
func (c *Code) NextStatement(file string, line int) int {
	path := c.localPath(file)
	lines, err := c.files.Lines(path, line, line+longestStatement)
	if err != nil || len(lines) == 0 {
		return 0
	}
	own := indentation(lines[0])
	for i, text := range lines[1:] {
		at := line + 1 + i
		if kind, err := c.files.Kind(path, at); err != nil || kind != source.Code {
			continue
		}
		switch in := indentation(text); {
		case in > own:
			continue
		case in < own || strings.ContainsAny(strings.TrimSpace(text)[:1], ")]}"):
			return 0
		}
		return at
	}
	return 0
}

// Records says that its language has a recorder, under which its program can be run once more.
func (c *Code) Records() bool {
	return c.adapter.Services().Record != nil
}

// CheapEvents is how many events its recorder notes at little cost, which can leave out what happens
// between the first writes of a run and the last ones ([recording.Sparse]); 0 where it cannot.
func (c *Code) CheapEvents() int64 { return c.adapter.Services().Recordable.Sparse }

// EndsAgain says that where the first and the last writes to an expression are enough, the last of very
// many are noted by a further run, which leaves out what comes before.
func (c *Code) EndsAgain() bool { return c.adapter.Services().Recordable.Ends }

// Names says that its recorder tells, beside the writes to a part of an object, which object's it is
// that an expression names.
func (c *Code) Names() bool { return c.adapter.Services().Recordable.Named }

// CheapCalls is how many calls its recorder counts at little cost, which leaves functions alone
// that are called much more often; 0: it leaves none.
func (c *Code) CheapCalls() int64 {
	return c.adapter.Services().Recordable.Leaves
}

// Effects are those expressions of a spec that do more than read, each with what it is
// that they do. What had no value in any pass has done nothing.
func (c *Code) Effects(w recording.Spec, log recording.Log) []string {
	var list []string
	info := c.adapter.Info()
	effects := info.Effects
	if effects == nil {
		effects = info.Reads
	}
	for _, x := range w.Texts() {
		if effects == nil || c.adapter.Services().Recordable.Pure {
			break
		}
		if err := effects(x.Text); err != nil && !didNothing(w, log, x.Text, err) {
			list = append(list, fmt.Sprintf("%s was evaluated at each pass, and %s: what that changes was changed in this run", x.Text, err))
		}
	}
	return list
}

// LineAt is the absolute file and the line that a location means, which must be there.
// Errors are *fault.Error and name the field location.
func (c *Code) LineAt(location string) (file string, line int, err error) {
	at, err := c.ResolveLocation(location)
	if err != nil {
		return "", 0, err
	}
	if at.Line == 0 {
		return "", 0, fault.New(fault.InvalidLocation, "%s is no line", location).WithField("location").
			WithHint("give file:line; what: calls and lines are about functions")
	}
	if _, err := c.files.Text(at.File, at.Line); err != nil {
		var f *fault.Error
		if errors.As(err, &f) && f.Field == "" {
			f.Field = "location"
		}
		return "", 0, err
	}
	return at.File, at.Line, nil
}

// RelAt is Rel of a "file:line".
func (c *Code) RelAt(at string) string {
	file, line := recording.FileLine(at)
	if line == 0 {
		return at
	}
	return c.Rel(file) + at[len(file):]
}

// CodeAt is the text of a "file:line", without space around it; empty where it
// cannot be read.
func (c *Code) CodeAt(at string) string {
	file, line := recording.FileLine(at)
	if line == 0 {
		return ""
	}
	text, err := c.files.Text(file, line)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(text)
}

// checkEvaluate returns why the policy forbids expressions of the user.
func (c *Code) checkEvaluate(param string, expressions ...string) error {
	if !c.policy.ReadOnly {
		return nil
	}
	info := c.adapter.Info()
	for _, text := range expressions {
		text = breakpoints.ParseExpression(text).Text
		if text == "" {
			continue
		}
		if info.Reads == nil {
			return c.policy.Evaluate(param, text, fmt.Sprintf("what an expression of %s does is not known", info.Language))
		}
		if err := info.Reads(text); err != nil {
			return c.policy.Evaluate(param, text, err.Error())
		}
	}
	return nil
}

// longestStatement is how many lines a statement is looked for the end of.
const longestStatement = 200

func indentation(line string) int {
	n := 0
	for _, c := range line {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 8 - n%8
		default:
			return n
		}
	}
	return n
}
