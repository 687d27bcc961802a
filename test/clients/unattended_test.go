//go:build linux

package clients

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Agents that run without anybody say that they can show forms. A start that
// lacks its adapter asks, and must not wait for an answer that cannot come.
func TestNobodyToAsk(t *testing.T) {
	t.Parallel()
	clients[0].long(t)
	for _, c := range clients[:2] {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			if why := c.From.Missing(); why != "" {
				t.Fatal(why)
			}
			p := newPlace(t, c)
			p.Env = append(p.Env, "AIDB_HOME="+t.TempDir())
			if err := os.WriteFile(filepath.Join(p.bug.Dir, "app.py"), []byte("print(42)\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			arguments, begun := J{"target": "app.py"}, time.Now()
			var m *model
			if c.Name == "Codex" {
				m = newModel(t, arguments, map[string]dialect{"/responses": openAI{}})
				p.Env = append(p.Env, "SCRIPTED_KEY=scripted")
				p.configureCodex("scripted", m)
				p.run("codex exec --skip-git-repo-check 'Find the bug.' 2>/dev/null") // where it tells of the call that failed
			} else {
				m = newModel(t, arguments, map[string]dialect{"/messages": anthropic{}})
				p.configureClaude(m)
				p.run(p.pasted("Claude Code"))
				p.run("claude -p 'Find the bug.' --allowedTools mcp__aidb")
			}
			asked := m.questions()
			shown := asked[len(asked)-1].Shown
			if len(shown) != 1 || !strings.Contains(shown[0], "AIDB_ADAPTER_NOT_FOUND") {
				t.Errorf("the model was shown %q", shown)
			}
			if took := time.Since(begun); took > time.Minute {
				t.Errorf("it took %s", took)
			}
		})
	}
}
