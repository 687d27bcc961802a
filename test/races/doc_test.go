//go:build linux

// Package races holds the end-to-end tests in which much happens at once. In the
// long run the server that they drive looks for data races, and one that it reports, in
// any of its processes, fails the package.
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

// Everything that an agent does in one session, from the build to the end, in
// several sessions of one server at the same time.
func TestSessionsSideBySide(t *testing.T) {
	t.Parallel()
	s, p := testkit.Open(t, "averages")
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
