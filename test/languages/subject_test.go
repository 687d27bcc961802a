//go:build linux

package languages

import (
	"maps"
	"testing"

	"aidb-mcp/internal/testkit"
)

// subject is a server in the directory of a tour, with the words of its language.
type subject struct {
	*testkit.Server
	*language
	*testkit.Program

	t *testing.T
}

// startLimit bounds a start, with its build, on a busy machine.
const startLimit = 60_000

// args are the arguments of session_start for a part of the tour.
func (s *subject) args(part string, more A) A {
	all := A{"args": []string{part}, "timeout_ms": startLimit}
	maps.Copy(all, s.Start(s.Program))
	maps.Copy(all, more)
	return all
}

// start starts a part of the tour.
func (s *subject) start(part string, more A) testkit.Reply {
	s.t.Helper()
	return s.OK("session_start", s.args(part, more))
}

// stop starts a part of the tour and stops at a mark in it.
func (s *subject) stop(part, mark string) testkit.Reply {
	s.t.Helper()
	return s.start(part, A{"breakpoints": []A{s.line(mark, nil)}}).Stopped("stopped_at_breakpoint", s.at(mark))
}

// line is a breakpoint of session_start on a marked line.
func (s *subject) line(mark string, more A) A {
	s.t.Helper()
	b := A{"file": s.File, "line": s.Line(mark)}
	maps.Copy(b, more)
	return b
}

// at is the location of a marked line.
func (s *subject) at(mark string) string {
	s.t.Helper()
	return s.At(s.File, mark)
}

// ended wants the end of the program, with this exit code, and returns the reply.
func (s *subject) ended(r testkit.Reply, code string) testkit.Reply {
	s.t.Helper()
	return r.Want("terminated", "data", "execution_state", "status").Want(code, "data", "execution_state", "exit_code")
}

// shows wants the field at path to be what the language shows for a purpose.
func (s *subject) shows(r testkit.Reply, purpose string, path ...string) {
	s.t.Helper()
	if got, want := r.At(path...), s.shown(purpose); !want.MatchString(got) {
		s.t.Fatalf("%v: got %q, want %s for %q, in\n%s", path, got, want, purpose, r)
	}
}

// evaluates asks for the expression of a purpose and wants what is shown for it.
func (s *subject) evaluates(purpose string) testkit.Reply {
	s.t.Helper()
	r := s.OK("inspect", A{"expression": s.say(purpose)})
	s.shows(r, purpose, "data", "result", "v")
	return r
}

// value evaluates an expression that every language writes so.
func (s *subject) value(expression string) string {
	s.t.Helper()
	return s.OK("inspect", A{"expression": expression}).At("data", "result", "v")
}

// goOn resumes the program.
func (s *subject) goOn() testkit.Reply {
	s.t.Helper()
	return s.OK("execute", nil)
}
