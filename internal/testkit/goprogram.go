package testkit

import "testing"

// Open copies a program of testdata/go and starts a server in its directory.
func Open(t testing.TB, program string) (*Server, *Program) {
	t.Helper()
	p := NewProgram(t, program)
	return Start(t, Options{Dir: p.Dir}), p
}

// OpenAt copies a program of testdata/go and starts it up to a marked line of
// main.go.
func OpenAt(t testing.TB, program, mark string) (*Server, *Program) {
	t.Helper()
	s, p := Open(t, program)
	s.OK("session_start", A{"target": ".", "breakpoints": p.BreakAt(mark)}).
		Stopped("stopped_at_breakpoint", p.At("main.go", mark))
	return s, p
}

// BreakAt is the breakpoints argument for one marked line of main.go.
func (p *Program) BreakAt(mark string) []A {
	return []A{{"file": "main.go", "line": p.Line(mark)}}
}

// Spin starts the current directory's program and waits until it has printed
// its line and runs on.
func (s *Server) Spin(t testing.TB) {
	t.Helper()
	s.OK("session_start", A{"target": ".", "timeout_ms": 0})
	s.Running()
	Eventually(t, CallLimit, "a line of output", func() bool {
		return s.OK("inspect", A{"target": "output"}).At("data", "stdout", "0") != ""
	})
}
