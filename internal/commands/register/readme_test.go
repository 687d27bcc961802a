package register

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// The blocks that the README has people paste say what setup writes.
func TestBlocksOfTheReadme(t *testing.T) {
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	server := Server{"aidb-mcp", []string{"serve"}}
	for _, tt := range []struct {
		client, heading string
		scope           Scope
		approved        bool
	}{
		{"codex", "**Codex**, at the end of `~/.codex/config.toml`", User, true},
		{"gemini", "**Gemini CLI**, in `~/.gemini/settings.json`", User, true},
		{"cursor", "**Cursor**, in `.cursor/mcp.json`", Project, false},
		{"vscode", "**VS Code**, in `.vscode/mcp.json`", Project, false},
		{"windsurf", "**Windsurf**, in `~/.codeium/windsurf/mcp_config.json`", User, false},
		{"zed", "**Zed**, in `settings.json`", User, false},
		{"opencode", "**opencode**, in `~/.config/opencode/opencode.json`", User, false},
		{"jetbrains", "**JetBrains' Junie**, in `~/.junie/mcp/mcp.json`", User, false},
	} {
		_, after, found := strings.Cut(string(readme), tt.heading)
		_, block, _ := strings.Cut(after, "\n```")
		language, block, _ := strings.Cut(block, "\n")
		block, _, ends := strings.Cut(block, "```")
		if !found || !ends {
			t.Errorf("README.md has no block under %s", tt.heading)
			continue
		}
		pasted, err := parse("x."+language, []byte(block))
		if err != nil {
			t.Errorf("%s: %v", tt.client, err)
			continue
		}
		r := registrarAt(t, t.TempDir())
		c := clientNamed(t, tt.client)
		p, err := r.Plan(c, tt.scope, server, false)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Apply(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		if tt.approved {
			a, _, err := r.PlanApproval(c, tt.scope)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := r.Apply(t.Context(), a); err != nil {
				t.Fatal(err)
			}
		}
		written, _, err := read(p.File)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := pasted.get(nil)
		want, _ := written.get(nil)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the block says %s, setup writes %s", tt.client, shownJSON(got), shownJSON(want))
		}
	}
}
