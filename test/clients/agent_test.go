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
	p.configureClaude(m)
	p.run(p.pasted("Claude Code"))
	e := p.run("claude -p 'Find the bug.' --allowedTools mcp__aidb")
	p.told(e, m, func(text string) string { return text })
	if ours := m.ours("mcp__aidb__"); !slices.Equal(ours, []string{"diagnose", "session_start"}) {
		p.t.Errorf("the first question offers %q", ours)
	}
}

// configureClaude has it wait for its servers: else it asks its model without the tools of one
// that a busy machine has not let answer yet.
func (p *place) configureClaude(m *model) {
	p.Env = append(p.Env, "ANTHROPIC_BASE_URL="+m.URL, "ANTHROPIC_API_KEY=scripted", "ENABLE_TOOL_SEARCH=true",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "MCP_CONNECTION_NONBLOCKING=0")
}

// Codex is registered in its configuration. What it offers depends on the model:
// one that it does not know is offered the tools, OpenAI's have to search for
// them, and the newest write a program that calls them.
func codex(p *place) {
	p.Env = append(p.Env, "SCRIPTED_KEY=scripted")
	unwrap := func(text string) string {
		_, reply, _ := strings.Cut(text, "Output:") // after the time it took
		return reply
	}
	p.offeredAll(p.codex("scripted", unwrap), "")

	found := p.codex("gpt-5.5", unwrap).questions()
	if !found[0].Hidden || len(found) != 3 {
		p.t.Errorf("the model did not have to search: %v", found)
	}
	p.pitched(found[0])

	coded := p.codex("gpt-6-sol", func(text string) string {
		var result struct{ Content []struct{ Text string } }
		p.decode(unwrap(text), &result)
		return result.Content[0].Text
	}).questions()
	if !coded[0].Coding {
		p.t.Errorf("the model did not have to program: %v", coded)
	}
	p.pitched(coded[0])
}

// codex has Codex find the bug with a model of this name.
func (p *place) codex(name string, unwrap func(string) string) *model {
	p.t.Helper()
	m := newModel(p.t, J{"target": "."}, map[string]dialect{"/responses": openAI{}})
	p.configureCodex(name, m)
	p.told(p.run("codex exec --skip-git-repo-check 'Find the bug.'"), m, unwrap)
	return m
}

func (p *place) configureCodex(name string, m *model) {
	p.t.Helper()
	p.write(".codex/config.toml", `
model = "`+name+`"
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
}

// pitched fails the test unless the little that a model is told of tools that it
// has to search for says when to use them, and which one.
func (p *place) pitched(q question) {
	p.t.Helper()
	_, pitch, _ := strings.Cut(q.Whole, "mcp__aidb: ")
	pitch, _, _ = strings.Cut(pitch, `\n`) // its first paragraph
	if !strings.Contains(pitch, "failing test") || !strings.Contains(pitch, "diagnose") {
		p.t.Errorf("of all the tools the model is told only %q", pitch)
	}
}

// Gemini CLI is registered in its settings. It tells its model that every tool
// has a parameter wait_for_previous, and passes that on.
func geminiCLI(p *place) {
	m := newModel(p.t, J{"target": ".", "wait_for_previous": true}, map[string]dialect{":streamGenerateContent": gemini{}})
	p.Env = append(p.Env, "GOOGLE_GEMINI_BASE_URL="+m.URL, "GEMINI_API_KEY=scripted")
	const ours = `{"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": false}, `
	p.write(".gemini/settings.json", ours+strings.TrimPrefix(p.pasted("Gemini CLI"), "{"))
	e := p.run("gemini --skip-trust -m gemini-2.5-pro -p 'Find the bug.'")
	p.told(e, m, func(text string) string {
		text = strings.TrimPrefix(strings.TrimSpace(text), "<untrusted_context>")
		return strings.TrimSuffix(text, "</untrusted_context>")
	})
	p.offeredAll(m, "mcp_aidb_")
}

// told fails the test unless the model was shown the stop, and that alone, when
// it was asked for the last time, within what unwrap takes away, and unless its
// last words were printed.
func (p *place) told(e ended, m *model, unwrap func(string) string) {
	p.t.Helper()
	asked := m.questions()
	last := len(asked) - 1
	if last < 1 || len(asked[last-1].Shown) != 0 || len(asked[last].Shown) != 1 {
		p.t.Fatalf("the model was asked %v\nand besides %q\nstdout:\n%s\nstderr:\n%s", asked, m.strange, e.Stdout, e.Stderr)
	}
	p.read(unwrap(asked[last].Shown[0]))
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
