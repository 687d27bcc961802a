package register

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var ourServer = Server{"/opt/aidb-mcp", []string{"serve"}}

// planned is what is planned for the only file of a home.
func planned(t *testing.T, client, name, text string) (*Registrar, Plan, error) {
	t.Helper()
	home := t.TempDir()
	r := registrarAt(t, home)
	put(t, filepath.Join(home, name), text)
	p, err := r.Plan(clientNamed(t, client), User, ourServer, false)
	return r, p, err
}

func TestFilesThatAreNotChanged(t *testing.T) {
	for _, tt := range []struct{ client, file, text, want string }{
		{"cursor", ".cursor/mcp.json", "{\n  \"a\": 1\n  \"b\": 2\n}\n", "line 3, column 3"},
		{"cursor", ".cursor/mcp.json", "{\"a\": 1", "ends before"},
		{"cursor", ".cursor/mcp.json", "[]", "want an object"},
		{"cursor", ".cursor/mcp.json", "{\n  \"mcpServers\": []\n}\n", "line 2, column 17: mcpServers is no object"},
		{"codex", ".codex/config.toml", "a = 1\nb = = 2\n", "line 2, column 5"},
		{"codex", ".codex/config.toml", "mcp_servers = {}\n", "change it by hand"},
		{"codex", ".codex/config.toml", "mcp_servers.one.command = \"x\"\n", "change it by hand"},
	} {
		if _, p, err := planned(t, tt.client, tt.file, tt.text); err == nil || !strings.Contains(err.Error(), tt.want) || p.Diff != "" {
			t.Errorf("%q: %v, want %s; %s", tt.text, err, tt.want, p.Diff)
		}
	}
}

func TestWhatStandsThereAlready(t *testing.T) {
	for _, tt := range []struct {
		client, file, text string
		state              State
		want               string // in the diff
	}{
		{"cursor", ".cursor/mcp.json", `{"mcpServers": {"aidb": {"command": "other-debugger"}}}`, Foreign, ""},
		{"cursor", ".cursor/mcp.json", `{"mcpServers": {"aidb": {"url": "https://aidb.example"}}}`, Foreign, ""},
		{"cursor", ".cursor/mcp.json", `{"mcpServers": {"aidb": {"command": "/opt/aidb-mcp", "args": ["serve", "--read-only"], "env": {"A": "b"}}}}`, Present, ""},
		{"cursor", ".cursor/mcp.json", `{"mcpServers": {"aidb": {"command": "npx", "args": ["-y", "aidb-mcp", "serve"]}}}`, Present, ""},
		{"cursor", ".cursor/mcp.json", `{"mcpServers": {"aidb": {"command": "/old/aidb-mcp", "args": ["serve", "--read-only"]}}}`, Moved, `"command": "/opt/aidb-mcp", "args": ["serve", "--read-only"]`},
		{"opencode", ".config/opencode/opencode.json", `{"mcp": {"aidb": {"type": "local", "command": ["/old/aidb-mcp", "serve", "--read-only"]}}}`, Moved, `"command": ["/opt/aidb-mcp", "serve", "--read-only"]`},
		{"codex", ".codex/config.toml", "[mcp_servers.aidb]\ncommand = \"/old/aidb-mcp\" # mine\nargs = [\"serve\"]\n\n[mcp_servers.aidb.env]\nA = \"b\"\n", Moved, "+command = \"/opt/aidb-mcp\" # mine"},
		{"codex", ".codex/config.toml", "[mcp_servers]\n  [mcp_servers.\"aidb\"]\n  command = 'C:\\old\\aidb-mcp.exe'\n", Moved, "+  command = \"/opt/aidb-mcp\""},
	} {
		_, p, err := planned(t, tt.client, tt.file, tt.text)
		if err != nil || p.State != tt.state || !strings.Contains(p.Diff, tt.want) || (tt.want == "") != (p.Diff == "") {
			t.Errorf("%s: %v, %q, want %q\n%s", tt.text, err, p.State, tt.state, p.Diff)
		}
	}
}

// What was there comes back: another server that was replaced, and another command.
func TestUndoBringsBackWhatWasThere(t *testing.T) {
	for _, text := range []string{
		`{"mcpServers": {"aidb": {"args": [], "command": "other-debugger"}, "z": {}}}`,
		`{"mcpServers": {"aidb": {"args": ["serve"], "command": "/old/aidb-mcp", "env": {"A": "b"}}}}`,
	} {
		r, _, _ := planned(t, "cursor", ".cursor/mcp.json", text)
		p, err := r.Plan(clientNamed(t, "cursor"), User, ourServer, true)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Apply(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		undoAll(t, r)
		d, _, err := read(p.File)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := d.get(nil)
		want, _ := parse("x.json", []byte(text))
		if wanted, _ := want.get(nil); shownJSON(got) != shownJSON(wanted) {
			t.Errorf("got %s, want %s", shownJSON(got), text)
		}
	}
}

func TestUndoLeavesWhatWasChangedSince(t *testing.T) {
	r, p, err := planned(t, "cursor", ".cursor/mcp.json", "{}")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Apply(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	put(t, p.File, `{"mcpServers": {"aidb": {"command": "/opt/aidb-mcp", "args": ["serve", "--no-attach"]}}}`)
	list, err := r.Undo(func(string, Scope) bool { return true })
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	if p, err := r.PlanUndo(list[0], false); err != nil || p.State != Edited || p.Diff != "" || !strings.Contains(p.Existing, "--no-attach") {
		t.Errorf("%v, %+v", err, p)
	}
	if p, err := r.PlanUndo(list[0], true); err != nil || p.Diff == "" {
		t.Errorf("%v, %+v", err, p)
	}
	put(t, p.File, `{}`)
	gone, err := r.PlanUndo(list[0], false)
	if err != nil || gone.State != Absent {
		t.Fatalf("%v, %+v", err, gone)
	}
	if err := r.Forget(gone); err != nil || exists(r.Notes) {
		t.Error(err, "the note is still there")
	}
}

func TestApproval(t *testing.T) {
	for _, tt := range []struct{ client, file, before, want string }{
		{"claude-code", ".claude/settings.json", `{"permissions": {"allow": ["Bash(ls)"]}}`, `{"permissions": {"allow": ["Bash(ls)", "mcp__aidb"]}}`},
		{"claude-code", ".claude/settings.json", "{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(ls)\", // look\n    ]\n  }\n}", "{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(ls)\", // look\n      \"mcp__aidb\",\n    ]\n  }\n}"},
		{"gemini", ".gemini/settings.json", `{"mcpServers": {"aidb": {"command": "aidb-mcp"}}}`, `{"mcpServers": {"aidb": {"command": "aidb-mcp", "trust": true}}}`},
		{"codex", ".codex/config.toml", "[mcp_servers.aidb]\ncommand = \"aidb-mcp\"\n\n[other]\n", "[mcp_servers.aidb]\ncommand = \"aidb-mcp\"\ndefault_tools_approval_mode = \"approve\"\n\n[other]\n"},
		{"codex", ".codex/config.toml", "[mcp_servers.aidb]\ncommand = \"aidb-mcp\"\ndefault_tools_approval_mode = \"prompt\"\n", "[mcp_servers.aidb]\ncommand = \"aidb-mcp\"\ndefault_tools_approval_mode = \"approve\"\n"},
	} {
		r := registrarAt(t, t.TempDir())
		file := filepath.Join(r.Machine.Home, tt.file)
		put(t, file, tt.before)
		p, is, err := r.PlanApproval(clientNamed(t, tt.client), User)
		if err != nil || !is || p.Asks == "" {
			t.Fatalf("%v, %v, %+v", err, is, p)
		}
		if _, err := r.Apply(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(file); string(got) != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
		if _, is, err := r.PlanApproval(clientNamed(t, tt.client), User); is || err != nil {
			t.Error("planned twice", err)
		}
		undoAll(t, r)
		if got, _ := os.ReadFile(file); string(got) != tt.before {
			t.Errorf("undo leaves %q of %q", got, tt.before)
		}
	}
}

// A client's own command is used, and what it does is looked at.
func TestOwnCommand(t *testing.T) {
	const entry = `{"mcpServers": {"aidb": {"type": "stdio", "command": "/opt/aidb-mcp", "args": ["serve"]}}}`
	for _, tt := range []struct {
		name string
		does func(file string) error
		said string
	}{
		{"writes", func(file string) error { return os.WriteFile(file, []byte(entry), 0o600) }, ""},
		{"writes nothing", func(string) error { return nil }, "edited instead"},
		{"fails", func(string) error { return errors.New("exit status 1") }, "no such option"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := registrarAt(t, t.TempDir())
			r.Machine.LookPath = func(name string) (string, error) {
				if name == "claude" {
					return "/usr/bin/claude", nil
				}
				return "", exec.ErrNotFound
			}
			file := filepath.Join(r.Machine.Home, ".claude.json")
			var ran []string
			r.Machine.Run = func(_ context.Context, command []string) (string, error) {
				ran = command
				return "error: no such option", tt.does(file)
			}
			p, err := r.Plan(clientNamed(t, "claude-code"), User, ourServer, false)
			if err != nil {
				t.Fatal(err)
			}
			said, err := r.Apply(t.Context(), p)
			if err != nil || !strings.Contains(said, tt.said) || (tt.said == "") != (said == "") {
				t.Errorf("%v: %q", err, said)
			}
			if want := "claude mcp add -s user aidb -- /opt/aidb-mcp serve"; strings.Join(ran, " ") != want {
				t.Errorf("ran %q", ran)
			}
			if p, err := r.Plan(clientNamed(t, "claude-code"), User, ourServer, false); err != nil || p.State != Present {
				t.Errorf("%v, %q", err, p.State)
			}
			r.Machine.Run = func(context.Context, []string) (string, error) { return "", os.WriteFile(file, []byte("{}"), 0o600) }
			undoAll(t, r)
		})
	}
}

func TestGeminiTellsFlagsApart(t *testing.T) {
	got := geminiCLI().add(Server{"aidb-mcp", []string{"serve", "--read-only"}}, User)
	if want := "gemini mcp add -s user aidb aidb-mcp serve -- --read-only"; strings.Join(got, " ") != want {
		t.Errorf("got %q", got)
	}
}

func TestLinksAndModesStay(t *testing.T) {
	home := t.TempDir()
	real := filepath.Join(home, "dotfiles", "mcp.json")
	put(t, real, "{}\n")
	link := filepath.Join(home, ".cursor", "mcp.json")
	if err := errors.Join(os.Chmod(real, 0o640), os.MkdirAll(filepath.Dir(link), 0o755), os.Symlink(real, link)); err != nil {
		t.Skip(err) // not everybody may make links on Windows
	}
	r := registrarAt(t, home)
	p, err := r.Plan(clientNamed(t, "cursor"), User, ourServer, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Apply(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if to, err := os.Readlink(link); err != nil || to != real {
		t.Errorf("the link has become %q, %v", to, err)
	}
	if info, err := os.Stat(real); err != nil || info.Mode().Perm() != 0o640 {
		t.Error(info.Mode(), err)
	}
	if err := os.Remove(real); err != nil {
		t.Fatal(err)
	}
	p, err = r.Plan(clientNamed(t, "cursor"), User, ourServer, false)
	if err == nil {
		_, err = r.Apply(t.Context(), p)
	}
	if err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("a link to nothing: %v", err)
	}
}

func TestFilesThatCannotBeWritten(t *testing.T) {
	r := registrarAt(t, t.TempDir())
	put(t, filepath.Join(r.Machine.Home, ".cursor"), "a file where a folder should be")
	p, err := r.Plan(clientNamed(t, "cursor"), User, ourServer, false)
	if err == nil {
		_, err = r.Apply(t.Context(), p)
	}
	if err == nil || !strings.Contains(err.Error(), filepath.Join(".cursor", "mcp.json")) {
		t.Error(err)
	}

	r, p, err = planned(t, "cursor", ".cursor/mcp.json", "{}")
	if err != nil {
		t.Fatal(err)
	}
	put(t, p.File, `{"mcpServers": {}}`)
	if _, err := r.Apply(t.Context(), p); err == nil || !strings.Contains(err.Error(), "changed meanwhile") {
		t.Error(err)
	}
	if text, _ := os.ReadFile(p.File); string(text) != `{"mcpServers": {}}` {
		t.Errorf("it was changed: %s", text)
	}
}

func TestSigns(t *testing.T) {
	r := registrarAt(t, t.TempDir())
	for _, c := range Clients() {
		if sign := r.Sign(c); sign != "" {
			t.Errorf("%s is found by %s in an empty home", c.Name, sign)
		}
	}
	put(t, filepath.Join(r.Machine.Home, ".codex", "auth.json"), "{}")
	if sign := r.Sign(codex()); sign != filepath.Join(r.Machine.Home, ".codex") {
		t.Errorf("Codex is found by %q", sign)
	}
}

func TestCheckSaysWhatTheClientSays(t *testing.T) {
	r := registrarAt(t, t.TempDir())
	r.Machine.LookPath = func(name string) (string, error) { return name, nil }
	for _, tt := range []struct {
		client, printed, want string
		err                   error
	}{
		{"claude-code", "aidb:\n  Scope: User config\n  Status: \x1b[32m✔ Connected\x1b[0m\n  Args: serve\n", "Status: ✔ Connected", nil},
		{"codex", "Name   Command  Status\naidb   aidb-mcp enabled\nother  x        enabled\n", "aidb   aidb-mcp enabled", nil},
		{"gemini", "Configured MCP servers:\n\n✓ aidb: aidb-mcp serve (stdio) - Connected\n", "✓ aidb: aidb-mcp serve (stdio) - Connected", nil},
		{"codex", "Name  Command\n", "", nil},
		{"codex", "bad file", "", errors.New("exit status 1")},
		{"cursor", "", "", nil},
	} {
		r.Machine.Run = func(context.Context, []string) (string, error) { return tt.printed, tt.err }
		said, err := r.Check(t.Context(), clientNamed(t, tt.client))
		if said != tt.want || (err != nil) != (tt.want == "" && tt.client != "cursor") {
			t.Errorf("%s: %q, %v", tt.client, said, err)
		}
	}
}

// The places that environment variables name.
func TestPlacesFromTheEnvironment(t *testing.T) {
	m := registrarAt(t, t.TempDir()).Machine
	env := map[string]string{
		"CLAUDE_CONFIG_DIR": "/c/claude", "CODEX_HOME": "/c/codex", "XDG_CONFIG_HOME": "/c/xdg", "CLINE_MCP_SETTINGS_PATH": "/c/cline.json",
	}
	m.Env = func(name string) string { return env[name] }
	want := []string{
		"/c/claude/.claude.json", "/c/codex/config.toml", "/c/xdg/Code/User/mcp.json", "/c/xdg/zed/settings.json", "/c/cline.json", "/c/xdg/opencode/opencode.json",
	}
	var got []string
	for _, c := range Clients() {
		got = append(got, filepath.ToSlash(c.file(m, User)))
	}
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("no %s in %q", w, got)
		}
	}
}
