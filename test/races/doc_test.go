//go:build linux

// Package races holds the end-to-end tests in which much happens at once. When
// they are built to look for data races, so is the server that they drive, and
// one that it reports, in any of its processes, fails the package.
package races

import (
	"os"
	"sync"
	"testing"

	"aidb-mcp/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.MainWithRaces(m)) }

// A shortens the arguments of calls.
type A = testkit.A

// open copies a program and starts a server in its directory.
func open(t *testing.T, program string) (*testkit.Server, *testkit.Program) {
	t.Helper()
	p := testkit.NewProgram(t, program)
	return testkit.Start(t, testkit.Options{Dir: p.Dir}), p
}

// breakAt is the breakpoints argument for one line of main.go.
func breakAt(p *testkit.Program, mark string) []A {
	return []A{{"file": "main.go", "line": p.Line(mark)}}
}

// spin starts the program and waits until it has printed its line and runs on.
func spin(t *testing.T, s *testkit.Server) {
	t.Helper()
	s.OK("session_start", A{"target": ".", "timeout_ms": 0})
	s.Running()
	testkit.Eventually(t, testkit.CallLimit, "a line of output", func() bool {
		return s.OK("inspect", A{"target": "output"}).At("data", "stdout", "0") != ""
	})
}

// stopAt starts a program up to a marked line of main.go.
func stopAt(t *testing.T, program, mark string) (*testkit.Server, *testkit.Program) {
	t.Helper()
	s, p := open(t, program)
	s.OK("session_start", A{"target": ".", "breakpoints": breakAt(p, mark)}).
		Stopped("stopped_at_breakpoint", p.At("main.go", mark))
	return s, p
}

// Everything that an agent does in one session, from the build to the end, in
// several sessions of one server at the same time.
func TestSessionsSideBySide(t *testing.T) {
	t.Parallel()
	s, p := open(t, "averages")
	var sessions sync.WaitGroup
	for _, id := range []string{"one", "two", "three"} {
		sessions.Go(func() {
			in := func(a A) A { a["session_id"] = id; return a }
			s.OK("session_start", in(A{"target": p.Dir, "show": []string{"total"}, "breakpoints": []A{
				{"file": "main.go", "line": p.Line("divide")},
				{"file": "main.go", "line": p.Line("divide"), "log_message": "total {total}"},
			}})).Stopped("stopped_at_breakpoint", p.At("main.go", "divide"))
			for _, call := range []struct {
				tool string
				args A
			}{
				{"inspect", A{"target": "all"}}, {"step", A{}}, {"breakpoint", A{"action": "list"}},
				{"session", A{"action": "restart"}}, {"session", A{"action": "stop"}},
			} {
				if r := s.Call(call.tool, in(call.args)); r.IsError {
					t.Errorf("%s:\n%s", id, r)
				}
			}
		})
	}
	sessions.Wait()
}
