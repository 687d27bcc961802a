//go:build linux

package languages

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"

	"aidb-mcp/internal/testkit"
)

// A program that runs from another directory than the workspace is mapped to it by
// the content of its files, or by the end of their paths where that cannot be had;
// the reply says so. A mapping that leads nowhere is told.
func TestMappedByEvidence(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	for _, l := range languages {
		if !slices.Contains([]string{"go", "python", "javascript", "cpp", "rust"}, l.Name) {
			continue // Java's are found by their classes
		}
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			if l.Name == "rust" {
				testkit.Long(t, "the same with C++ and its debugger")
			}
			if l.Name == "javascript" {
				testkit.Long(t, "the evidence is the files' own, and Python's are found by their paths, too")
			}
			there := l.program(t)
			s := l.subject(t, there)
			ticks := s.outside("sleep") // before the copy, for what is built there
			ticks.next(s)
			here := t.TempDir()
			if err := os.CopyFS(here, os.DirFS(there.Dir)); err != nil {
				t.Fatal(err)
			}
			server := testkit.Start(t, testkit.Options{Dir: here, Env: l.Env})
			r := server.OK("session_start", ticks.attach(A{"breakpoints": []A{s.line("tick", nil)}})).
				Want("stopped_at_breakpoint", "data", "execution_state", "status").
				Want(there.Dir, "data", "path_mappings", "0", "remote").
				Want(".", "data", "path_mappings", "0", "local").
				Contains([]string{"data", "path_mappings", "0", "evidence"}, s.File+" has the same content there")
			r.Want(s.File+":"+strconv.Itoa(s.Line("tick")), "data", "location")
			server.OK("session", A{"action": "stop"}).Contains([]string{"summary"}, "the program was left running")
			if l.Name == "javascript" || l.Name == "python" {
				wrong := ticks.attach(A{"path_mappings": []A{{"local": ".", "remote": "/no/such"}}, "timeout_ms": 100})
				server.OK("session_start", wrong).Contains([]string{"data", "warnings"}, "nothing at /no/such", fmt.Sprintf("its files are %s/%s", there.Dir, s.File))
				server.OK("session", A{"action": "stop"})
			}
			ticks.drain()
			ticks.next(s)
		})
	}
}
