//go:build linux

package languages

import (
	"testing"

	"aidb-mcp/internal/testkit"
)

// Who may use the folder of a program only can debug it as ever: what languages
// need from elsewhere (runtimes, debuggers, libraries) is none of the agent's paths.
func TestAFolderIsEnoughForEachLanguage(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	for _, l := range languages {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			l.once(t)
			p := l.program(t)
			s := l.subject(t, p, "--allow-root", p.Dir)
			s.stop("calls", "nested").Contains([]string{"data", "code_snapshot"}, "→")
			s.evaluates("arithmetic")
			s.OK("inspect", A{"target": "source"}).Contains([]string{"data"}, "nested")
			s.Fail("POLICY_DENIED", "inspect", A{"target": "source", "location": "/etc/passwd:1"})
			s.Fail("POLICY_DENIED", "session_start", s.args("calls", A{"cwd": "/"}))
			s.status(s.OK("session", nil), "stopped_at_breakpoint")
		})
	}
}
