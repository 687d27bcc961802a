//go:build linux

package clients

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/internal/testkit"
)

// Claude Code is registered by its own command. Its tool search keeps tools out
// of the first question, but not the one that starts a session.
func claudeCode(p *place) {
	m := newModel(p.t, J{"target": "."}, map[string]dialect{"/messages": anthropic{}})
	p.Env = append(p.Env, "ANTHROPIC_BASE_URL="+m.URL, "ANTHROPIC_API_KEY=scripted", "ENABLE_TOOL_SEARCH=true",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1")
	p.run(p.pasted("Claude Code"))
	e := p.run("claude -p 'Find the bug.' --allowedTools mcp__aidb")
	p.told(e, m, func(text string) string { return text })
	if ours := m.ours("mcp__aidb__"); !slices.Equal(ours, []string{"session_start"}) {
		p.t.Errorf("the first question offers %q", ours)
	}
}

// Codex is registered in its configuration.
func codex(p *place) {
	m := newModel(p.t, J{"target": "."}, map[string]dialect{"/responses": openAI{}})
	p.Env = append(p.Env, "SCRIPTED_KEY=scripted")
	p.write(".codex/config.toml", `
model = "scripted"
model_provider = "scripted"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "`+m.URL+`/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
`+p.pasted("Codex"))
	e := p.run("codex exec --skip-git-repo-check 'Find the bug.'")
	p.told(e, m, func(text string) string {
		_, reply, _ := strings.Cut(text, "Output:\n") // after the time it took
		return reply
	})
	p.offeredAll(m, "")
}

// Gemini CLI is registered in its settings. It tells its model that every tool
// has a parameter wait_for_previous, and passes that on.
func geminiCLI(p *place) {
	m := newModel(p.t, J{"target": ".", "wait_for_previous": true}, map[string]dialect{":streamGenerateContent": gemini{}})
	p.write("system.json", `{"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": false}}`)
	p.Env = append(p.Env, "GOOGLE_GEMINI_BASE_URL="+m.URL, "GEMINI_API_KEY=scripted",
		"GEMINI_CLI_SYSTEM_SETTINGS_PATH="+filepath.Join(p.Home, "system.json"))
	p.write(".gemini/settings.json", p.pasted("Gemini CLI"))
	e := p.run("gemini --skip-trust -m gemini-2.5-pro -p 'Find the bug.'")
	p.told(e, m, func(text string) string {
		text = strings.TrimPrefix(strings.TrimSpace(text), "<untrusted_context>")
		return strings.TrimSuffix(text, "</untrusted_context>")
	})
	p.offeredAll(m, "mcp_aidb_")
}

// told fails the test unless the model was asked twice, was shown the stop the
// second time, within what unwrap takes away, and its last words were printed.
func (p *place) told(e ended, m *model, unwrap func(string) string) {
	p.t.Helper()
	asked := m.questions()
	if len(asked) != 2 || len(asked[0].Shown) != 0 || len(asked[1].Shown) != 1 {
		p.t.Fatalf("the model was asked %+v\nand besides %q\nstdout:\n%s\nstderr:\n%s", asked, m.strange, e.Stdout, e.Stderr)
	}
	p.shown(unwrap(asked[1].Shown[0]))
	if !strings.Contains(e.Stdout, finalWords) {
		p.t.Errorf("the last words were not printed:\n%s", e.Stdout)
	}
}

// ours are the names in the first question that begin like ours do, without that.
func (m *model) ours(prefix string) []string {
	var names []string
	for _, offered := range m.questions()[0].Offered {
		if name, ours := strings.CutPrefix(offered.Name, prefix); ours {
			names = append(names, name)
		}
	}
	return names
}

// offeredAll fails the test unless the first question offers all of our tools.
func (p *place) offeredAll(m *model, prefix string) {
	p.t.Helper()
	ours := m.ours(prefix)
	for _, name := range p.tools {
		if !slices.Contains(ours, name) {
			p.t.Errorf("the model is not offered %s, only %q", name, ours)
		}
	}
}

// pasted is what README.md tells people to paste for a client: the block of code
// that follows its name.
func (p *place) pasted(name string) string {
	p.t.Helper()
	readme, err := os.ReadFile(filepath.Join(testkit.Root(), "README.md"))
	if err != nil {
		p.t.Fatal(err)
	}
	_, after, found := strings.Cut(string(readme), "\n**"+name+"**")
	_, block, begun := strings.Cut(after, "\n```")
	_, block, _ = strings.Cut(block, "\n") // the language
	block, _, ends := strings.Cut(block, "```")
	if !found || !begun || !ends {
		p.t.Fatalf("README.md has no block for %s", name)
	}
	return block
}
