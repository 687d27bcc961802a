package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/commands/register"
)

// emptyMachine gives the test a home without any client, and a project.
func emptyMachine(t *testing.T) (home string) {
	t.Helper()
	home = t.TempDir()
	for name, value := range map[string]string{
		"HOME": home, "USERPROFILE": home, "APPDATA": filepath.Join(home, "AppData", "Roaming"), "PATH": t.TempDir(), "AIDB_HOME": filepath.Join(home, "aidb"),
		"XDG_CONFIG_HOME": "", "CLAUDE_CONFIG_DIR": "", "CODEX_HOME": "", "CLINE_MCP_SETTINGS_PATH": "", "CLINE_DATA_DIR": "",
	} {
		t.Setenv(name, value)
	}
	t.Chdir(t.TempDir())
	return home
}

// inSetup runs setup with nobody to ask.
func inSetup(t *testing.T, args ...string) (printed string, err error) {
	t.Helper()
	var out strings.Builder
	err = run(t.Context(), append([]string{"setup"}, args...), strings.NewReader(""), &out, &out)
	return out.String(), err
}

func TestSetupRefuses(t *testing.T) {
	emptyMachine(t)
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"cursr"}, "did you mean cursor?"},
		{[]string{"emacs"}, "the clients are claude-code, codex, "},
		{[]string{"--all"}, "none of the clients is here"},
		{[]string{"--all", "cursor"}, "name clients, or say --all"},
		{[]string{"cursor", "--scope", "world"}, "want user or project"},
		{[]string{"cursor"}, "not done for cursor"},
		{[]string{"windsurf", "--scope", "project", "--yes"}, "not done for windsurf"},
	} {
		if printed, err := inSetup(t, tt.args...); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %s\n%s", tt.args, err, tt.want, printed)
		}
	}
}

func TestSetupRegistersAndTakesOut(t *testing.T) {
	home := emptyMachine(t)
	file := filepath.Join(home, ".cursor", "mcp.json")
	printed, err := inSetup(t, "cursor")
	if err == nil || !strings.Contains(printed, `+      "args": ["serve"]`) || !strings.Contains(printed, "it needs --yes") {
		t.Errorf("%v\n%s", err, printed)
	}
	if _, err := os.Stat(file); err == nil {
		t.Fatal("a file was written without a yes")
	}
	if printed, err := inSetup(t, "cursor", "--dry-run", "--yes"); err != nil || !strings.Contains(printed, "+") {
		t.Errorf("%v\n%s", err, printed)
	}
	if _, err := os.Stat(file); err == nil {
		t.Fatal("a file was written in a dry run")
	}
	if printed, err := inSetup(t, "cursor", "--yes", "--read-only", "--allow-root", "."); err != nil || !strings.Contains(printed, "Cursor: registered") {
		t.Errorf("%v\n%s", err, printed)
	}
	text, err := os.ReadFile(file)
	here, _ := filepath.Abs(".")
	if err != nil || !strings.Contains(string(text), `"serve", "--allow-root=`+here+`", "--read-only=true"]`) {
		t.Errorf("%v\n%s", err, text)
	}
	if printed, err := inSetup(t, "--all", "--yes"); err != nil || !strings.Contains(printed, "registered already") {
		t.Errorf("%v\n%s", err, printed)
	}
	if printed, err := inSetup(t, "--list"); err != nil || !strings.Contains(printed, "cursor       registered: "+file) || !strings.Contains(printed, "zed          not found") {
		t.Errorf("%v\n%s", err, printed)
	}
	if printed, err := inSetup(t, "--undo", "--scope", "project", "--yes"); err != nil || !strings.Contains(printed, "nothing") {
		t.Errorf("%v\n%s", err, printed)
	}
	if printed, err := inSetup(t, "--undo", "--yes"); err != nil || !strings.Contains(printed, "Cursor: taken out") {
		t.Errorf("%v\n%s", err, printed)
	}
	if _, err := os.Stat(filepath.Dir(file)); err == nil {
		t.Error("the folder that setup has made is left")
	}
}

func TestBinariesThatGoAway(t *testing.T) {
	for path, want := range map[string]bool{
		"/tmp/go-build1/b001/exe/aidb-mcp": true, "/home/me/.npm/_npx/12ab/node_modules/aidb-mcp-linux-x64/aidb-mcp": true,
		"/home/me/.cache/uv/archive-v0/x/bin/aidb-mcp": true, "/home/me/go/bin/aidb-mcp": false, "/usr/lib/node_modules/aidb-mcp/aidb-mcp": false,
	} {
		if got := fleeting(filepath.FromSlash(path)); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

// Each question is asked apart, and only a yes is one.
func TestSetupAsks(t *testing.T) {
	const foreign = `{"mcpServers": {"aidb": {"command": "other", "env": {"API_KEY": "a-secret-of-mine-1"}}}}`
	for _, tt := range []struct {
		name, answers string
		file, text    string
		client        string
		want          []string // of what is printed
		left          string   // in the file
	}{
		{"no", "n\n", ".cursor/mcp.json", "{}", "cursor", []string{"Register this server there? [y/N]", "left as it is"}, "{}"},
		{"no answer", "", ".cursor/mcp.json", "{}", "cursor", []string{"left as it is"}, "{}"},
		{"yes", "y\n", ".cursor/mcp.json", "{}", "cursor", []string{"registered"}, `"command": "/opt/aidb-mcp"`},
		{"foreign, no", "\n", ".cursor/mcp.json", foreign, "cursor", []string{"another server has the name aidb", "‹masked›", "left as it is"}, foreign},
		{"foreign, yes", "yes\nyes\n", ".cursor/mcp.json", foreign, "cursor", []string{"registered"}, `"command": "/opt/aidb-mcp"`},
		{"no approval", "y\nn\n", ".codex/config.toml", "a = 1\n", "codex", []string{"Codex asks before tools", "without asking? [y/N]", "left as it is"}, "tool_timeout_sec = 320\n"},
		{"approval", "y\ny\n", ".codex/config.toml", "a = 1\n", "codex", []string{"asks no more"}, `default_tools_approval_mode = "approve"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			home := emptyMachine(t)
			file := filepath.Join(home, tt.file)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			machine, err := register.ThisMachine(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			a, err := prepared(t)
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			s := &setupRun{
				scope: register.User, mask: a.mask, out: &out, in: newAnswers(strings.NewReader(tt.answers)),
				registrar: &register.Registrar{Machine: machine, Notes: filepath.Join(home, "setup.json")},
				server:    register.Server{Command: "/opt/aidb-mcp", Args: []string{"serve"}},
			}
			clients, err := clientsNamed([]string{tt.client})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.registerAll(context.Background(), clients); err != nil {
				t.Error(err)
			}
			for _, want := range tt.want {
				if !strings.Contains(out.String(), want) {
					t.Errorf("no %q in\n%s", want, out.String())
				}
			}
			if strings.Contains(out.String(), "a-secret-of-mine") {
				t.Errorf("a secret is shown:\n%s", out.String())
			}
			if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), tt.left) {
				t.Errorf("%v: %s, want %s", err, text, tt.left)
			}
		})
	}
}

func TestSetupSaysWhatDoesNotParse(t *testing.T) {
	home := emptyMachine(t)
	file := filepath.Join(home, ".cursor", "mcp.json")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	const broken = "{\n  \"mcpServers\" {}\n}\n"
	if err := os.WriteFile(file, []byte(broken), 0o600); err != nil {
		t.Fatal(err)
	}
	printed, err := inSetup(t, "cursor", "codex", "--yes")
	if err == nil || !strings.Contains(printed, file+" does not parse, and was not changed: line 2, column 16") || !strings.Contains(printed, "Codex: registered") {
		t.Errorf("%v\n%s", err, printed)
	}
	if text, _ := os.ReadFile(file); string(text) != broken {
		t.Errorf("it was changed: %s", text)
	}
}
