package session

import "aidb-mcp/adapters/reading"

// Parts takes a statement of the program's language apart into what it evaluates, in
// that order; nil where nobody knows how.
func (s *Session) Parts(statement string) []reading.Part {
	if parts := s.adapter.Info().Parts; parts != nil {
		return parts(statement)
	}
	return nil
}

// OnlyReads says that evaluating an expression is known to change nothing.
func (s *Session) OnlyReads(expression string) bool {
	reads := s.adapter.Info().Reads
	return reads != nil && reads(expression) == nil
}
