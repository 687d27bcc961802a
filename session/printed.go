package session

import "aidb-mcp/session/output"

// TakeOutput returns the output that no reply has shown yet, its tail of at most max bytes a stream.
func (s *Session) TakeOutput(max int) Output {
	s.out.Drain()
	return Output{
		Stdout: s.out.Take(output.Stdout, max),
		Stderr: s.out.Take(output.Stderr, max),
		Log:    s.out.Take(output.Log, max),
	}
}

// ReadOutput pages through what is kept of a stream: stdout, stderr or log.
func (s *Session) ReadOutput(stream string, p output.Page) output.Lines { return s.out.Read(stream, p) }
