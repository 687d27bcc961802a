//go:build linux

package languages

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// subject is a server in the directory of a tour, with the words of its language.
type subject struct {
	*testkit.Server
	*language
	*testkit.Program

	table []group // of all behaviours
	t     *testing.T

	standing bool          // where it came last, as another behaviour has left it
	came     stopAt        // where it came last
	stopped  testkit.Reply // what was said of that stop
}

// subject is a server of its own in a program's directory, with these flags.
func (l *language) subject(t *testing.T, p *testkit.Program, flags ...string) *subject {
	t.Helper()
	server := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: l.Env, Args: slices.Concat(l.Args, flags)})
	return &subject{Server: server, language: l, Program: p, t: t}
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

// stop starts a part of the tour and stops at a mark in it, where another behaviour has
// not brought the session there.
func (s *subject) stop(part, mark string) testkit.Reply {
	s.t.Helper()
	at := stopAt{part, mark}
	if !s.standing || s.came != at {
		s.stopped = s.start(part, A{"breakpoints": []A{s.line(mark, nil)}}).Stopped("stopped_at_breakpoint", s.at(mark))
	}
	s.came, s.standing = at, false
	return s.stopped
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

// standsAt wants the location to be one of the marks that the language has for a purpose.
func (s *subject) standsAt(r testkit.Reply, purpose string) {
	s.t.Helper()
	marks := s.shown(purpose)
	for mark := range s.Marks {
		if marks.MatchString(mark) && r.At("data", "location") == s.at(mark) {
			return
		}
	}
	s.t.Fatalf("it stands at %s, want the mark %s, in\n%s", r.At("data", "location"), marks, r)
}

// status wants the program to be in a state.
func (s *subject) status(r testkit.Reply, want string) testkit.Reply {
	s.t.Helper()
	return r.Want(want, "data", "execution_state", "status")
}

// busy starts the part that never ends, and returns when it is there.
func (s *subject) busy() {
	s.t.Helper()
	s.start("spin", A{"timeout_ms": 0})
	s.Running()
	s.prints("spinning")
}

// prints waits until the program has printed a text.
func (s *subject) prints(text string) {
	s.t.Helper()
	testkit.Eventually(s.t, testkit.CallLimit, "the output "+text, func() bool {
		return strings.Contains(s.OK("inspect", A{"target": "output"}).At("data", "stdout"), text)
	})
}

// noProcesses wants every process of the server's sessions to go away.
func (s *subject) noProcesses() {
	s.t.Helper()
	testkit.NoneLeft(s.t, 10*time.Second, func() []testkit.Proc { return testkit.Descendants(s.PID()) })
}

// lines are those of the tour's main file.
func (s *subject) lines() []string {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.Program.Dir, s.File))
	if err != nil {
		s.t.Fatal(err)
	}
	return strings.Split(strings.TrimRight(string(text), "\n"), "\n")
}

// text is a marked line up to its mark.
func (s *subject) text(mark string) string {
	s.t.Helper()
	line, _, _ := strings.Cut(s.lines()[s.Line(mark)-1], "@mark")
	return strings.TrimSpace(strings.TrimRight(line, "/#- "))
}

// emptyLine is a line without anything, between two functions.
func (s *subject) emptyLine() int {
	s.t.Helper()
	lines := s.lines()
	for i := s.Line("loop-end"); i < len(lines); i++ {
		if strings.TrimSpace(lines[i]) == "" {
			return i + 1
		}
	}
	s.t.Fatalf("no empty line below @mark loop-end in %s", s.File)
	return 0
}
