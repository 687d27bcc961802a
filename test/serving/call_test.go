//go:build linux

package serving

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// A person calls a running server, as an agent would reach it.
func TestCallOfARunningServer(t *testing.T) {
	t.Parallel()
	g := serve(t, "--replies", "both")
	for _, args := range [][]string{
		{"call", "config", "--url", g.URL, "--token-file", g.Tokens},
		{"shell", "--url", g.URL, "--token-file", g.Tokens},
	} {
		cmd := exec.Command(testkit.Binary(t), args...)
		cmd.Env = append(os.Environ(), "AIDB_HOME="+t.TempDir())
		if args[0] == "shell" {
			cmd.Stdin = strings.NewReader("config\n")
		}
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "reply_bytes") && !strings.Contains(string(out), "max_bytes") {
			t.Errorf("%q: %v\n%s", args, err, out)
		}
	}
}
