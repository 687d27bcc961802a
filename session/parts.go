package session

import (
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/text/exprsyntax"
)

// Parts takes a statement of the program's language apart into what it evaluates, in
// that order; nil where nobody knows how.
func (s *Session) Parts(statement string) []exprsyntax.Part {
	if parts := s.adapter.Info().Parts; parts != nil {
		return parts(statement)
	}
	return nil
}

// Comment is what begins a remark in the session's language; empty where nobody knows.
func (s *Session) Comment() string { return s.adapter.Info().Comment }

// Failures is how failures of the session's language are written.
func (s *Session) Failures() adapters.FailureSyntax { return s.adapter.Info().Failures }

// Sources are what the value may be that the statement at an absolute "file:line" puts
// somewhere or gives back; none where nobody can tell.
func (s *Session) Sources(at string) []exprsyntax.Source {
	if language := s.adapter.Info().Statements; language != nil {
		if text := s.statementAt(at); text != "" {
			return language.Sources(text)
		}
	}
	return nil
}

// Calls are the arguments of each call of a function that the statement makes.
func (s *Session) Calls(at, function string) [][]exprsyntax.Argument {
	if language := s.adapter.Info().Statements; language != nil {
		return language.Calls(s.statementAt(at), function)
	}
	return nil
}

// statementAt is the text of the statement that begins at a place: its line, and those
// that follow deeper, or close what it has opened.
func (s *Session) statementAt(at string) string {
	file, line := recording.FileLine(at)
	if line == 0 {
		return ""
	}
	lines, err := s.files.Lines(s.localPath(file), line, line+longestStatement)
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
func (s *Session) Body(line string, known func(name string) bool) string {
	if body := s.adapter.Info().Body; body != nil {
		return body(line, known)
	}
	return line
}

// OnlyReads says that evaluating an expression is known to change nothing.
func (s *Session) OnlyReads(expression string) bool {
	reads := s.adapter.Info().Reads
	return reads != nil && reads(expression) == nil
}

// CarriesRegisters says that a statement may read what the one before it has left in a
// register: none of them can be left out.
func (s *Session) CarriesRegisters() bool { return s.capabilities().Machine.CarriesRegisters }

// NextStatement is the line on which the statement behind that of a line begins, in the
// same block; 0 where the block ends, or the lines do not tell.
func (s *Session) NextStatement(file string, line int) int {
	path := s.localPath(file)
	lines, err := s.files.Lines(path, line, line+longestStatement)
	if err != nil || len(lines) == 0 {
		return 0
	}
	own := indentation(lines[0])
	for i, text := range lines[1:] {
		at := line + 1 + i
		if kind, err := s.files.Kind(path, at); err != nil || kind != source.Code {
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
