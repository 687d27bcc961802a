//go:build linux

package clients

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Setup registers the server with the real clients, whose own commands then say so,
// and takes it out again.
func TestSetup(t *testing.T) {
	t.Parallel()
	npm := clients[0]
	npm.long(t)
	if why := npm.From.Missing(); why != "" {
		t.Skip(cannot + why)
	}
	p := newPlace(t, npm)
	p.Env = append(p.Env, "AIDB_HOME="+filepath.Join(p.Home, "aidb"))
	const mine = "# mine\nmodel = \"gpt-5.5\" # good\n\n[mcp_servers.other]\ncommand = \"true\" # keep\n"
	p.write(".codex/config.toml", mine)
	names, says := "claude-code codex", []string{
		"Claude Code: registered", "Claude Code says: Status: ✔ Connected",
		"Codex: registered", "asks no more", "Codex says: aidb",
	}
	if nodeIsOld(p) == "" {
		p.write(".gemini/trustedFolders.json", `{"`+p.bug.Dir+`": "TRUST_FOLDER"}`)
		names += " gemini"
		says = append(says, "Gemini CLI: registered", "Gemini CLI says: ✓ aidb: aidb-mcp serve (stdio) - Connected")
	}
	printed := p.run("aidb-mcp setup " + names + " --yes --approve").Stdout
	for _, want := range says {
		if !strings.Contains(printed, want) {
			t.Errorf("no %q in\n%s", want, printed)
		}
	}
	if again := p.run("aidb-mcp setup " + names + " --yes --approve").Stdout; strings.Contains(again, "@@") {
		t.Errorf("the second time something changes:\n%s", again)
	}
	if got := p.run("codex mcp get aidb --json").Stdout; !strings.Contains(got, `"tool_timeout_sec": 320`) || !strings.Contains(got, `"aidb-mcp"`) {
		t.Errorf("Codex reads\n%s", got)
	}
	out := p.run("aidb-mcp setup --undo --yes").Stdout
	if strings.Count(out, "taken out") != 2*strings.Count(names+" ", " ") {
		t.Errorf("undo says\n%s", out)
	}
	if left, err := os.ReadFile(filepath.Join(p.Home, ".codex", "config.toml")); err != nil || string(left) != mine {
		t.Errorf("%v: Codex is left with\n%s", err, left)
	}
	for _, list := range []string{"codex mcp list", "claude mcp list"} {
		if got := p.run(list).Stdout; strings.Contains(got, "aidb") {
			t.Errorf("%s says after undo\n%s", list, got)
		}
	}
}
