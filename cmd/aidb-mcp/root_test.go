package main

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"aidb-mcp/handlers"
	"aidb-mcp/tools"
)

// prepared runs the flags of a command line through a command of the test's own.
func prepared(t *testing.T, args ...string) (*app, error) {
	t.Helper()
	a := &app{stdin: strings.NewReader(""), stdout: new(bytes.Buffer), stderr: new(bytes.Buffer)}
	t.Cleanup(func() { a.close() })
	root := newRootCommand(a)
	root.AddCommand(&cobra.Command{Use: "probe", RunE: func(*cobra.Command, []string) error { return nil }})
	root.SetArgs(append([]string{"probe"}, args...))
	return a, root.ExecuteContext(t.Context())
}

func TestSettingsComeFromFlagThenEnvironmentThenFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.json")
	text := `{
		// comments are fine
		"sessions": 2, "locals": 20, "build-timeout": "10s", "log-level": "error",
	}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AIDB_CONFIG", file)
	t.Setenv("AIDB_LOCALS", "25")
	t.Setenv("AIDB_SESSIONS", "3")
	a, err := prepared(t, "--sessions", "4")
	if err != nil {
		t.Fatal(err)
	}
	l := a.settings.Limits
	if l.Sessions != 4 || l.Locals != 25 || l.Build != 10*time.Second || a.logLevel != slog.LevelError || l.History != 0 {
		t.Errorf("settings are %+v, log level %v", l, a.logLevel)
	}
}

func TestBadSettingsAreNamed(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, test := range []struct {
		env, args []string
		says      string
	}{
		{nil, []string{"--config", filepath.Join(dir, "none.json")}, "none.json"},
		{nil, []string{"--config", write("broken.json", "{")}, "broken.json"},
		{nil, []string{"--config", write("unknown.json", `{"sesions": 3}`)}, `"sesions": did you mean sessions?`},
		{nil, []string{"--config", write("foreign.json", `{"colour": 3}`)}, "the names are those of the flags"},
		{nil, []string{"--config", write("twice.json", "{\"locals\": 1,\n\"locals\": 2}")}, `"locals" stands on line 1 and again on line 2`},
		{nil, []string{"--config", write("deep.json", `{"adapters": {"toy": {"name": "a", "name": "b"}}}`)}, `"name" stands on line 1 and again`},
		{nil, []string{"--config", write("list.json", `[1]`)}, "want an object with the names of the flags"},
		{nil, []string{"--config", write("nothing.json", ``)}, "ends before its object does"},
		{nil, []string{"--config", write("type.json", `{"workspace": {}}`)}, "want a text, a number, true or false"},
		{nil, []string{"--config", write("unit.json", `{"build-timeout": 300}`)}, "with its unit, such as"},
		{nil, []string{"--build-timeout", "0s"}, "above zero"},
		{nil, []string{"--max-bytes", "10"}, "from 1000 to 40000"},
		{nil, []string{"--sesions", "3"}, "did you mean --sessions?"},
		{[]string{"AIDB_LOCALS", "many"}, nil, "AIDB_LOCALS"},
		{nil, []string{"--locals", "-5"}, "from 1 to 200"},
		{nil, []string{"--value-bytes", "1"}, "from 20 to 10000"},
		{nil, []string{"--config", write("small.json", `{"output-bytes": 5}`)}, "from 100 to 40000"},
		{nil, []string{"--log-level", "loud"}, `--log-level "loud": want debug, info`},
		{[]string{"AIDB_LOG_LEVEL", "loud"}, nil, "AIDB_LOG_LEVEL=loud: want debug"},
		{nil, []string{"--config", write("level.json", `{"log-level": 5}`)}, `level.json: "log-level": 5: want debug`},
		{nil, []string{"--read-only=perhaps"}, `--read-only "perhaps": want true or false`},
		{nil, []string{"--log-file", filepath.Join(dir, "no", "such", "dir")}, "opening the log"},
		{nil, []string{"--trace-dap", filepath.Join(dir, "no", "such", "dir")}, "opening the trace"},
	} {
		t.Run(test.says, func(t *testing.T) {
			if test.env != nil {
				t.Setenv(test.env[0], test.env[1])
			}
			if _, err := prepared(t, test.args...); err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error is %v, want one that says %s", err, test.says)
			}
		})
	}
}

// What looks like a setting in the environment and is none is told of.
func TestVariablesOfNoMeaning(t *testing.T) {
	t.Setenv("AIDB_SESSION", "4")
	t.Setenv("AIDB_OTHERS_OWN", "fine") // another program's
	t.Setenv("AIDB_FOO", "fine")        // so is this: it is like none but in what begins all
	a, err := prepared(t)
	if err != nil {
		t.Fatal(err)
	}
	said := a.stderr.(*bytes.Buffer).String()
	if !strings.Contains(said, "AIDB_SESSION in the environment: did you mean AIDB_SESSIONS?") || strings.Contains(said, "AIDB_OTHERS_OWN") || strings.Contains(said, "AIDB_FOO") {
		t.Errorf("it says %q", said)
	}
}

// A text of the settings file is what JSON says that it is, also where an editor
// has put a mark before the file.
func TestTextsOfTheSettingsFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(file, []byte("\ufeff"+`{"workspace": "C:\\code \"x\"", "locals": "7"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := prepared(t, "--config", file)
	if err != nil || a.workspace != `C:\code "x"` || a.settings.Limits.Locals != 7 {
		t.Errorf("workspace %q, locals %d, %v", a.workspace, a.settings.Limits.Locals, err)
	}
}

func TestFoldersAreGivenInManyWays(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	file := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(file, []byte(`{"allow-root": ["/a", "/b c"], "read-only": true}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		env  string
		args []string
		want string
	}{
		"flags":       {"", []string{"--allow-root", "/a", "--allow-root", "/b c"}, "/a:/b c"},
		"environment": {"/a:/b c", nil, "/a:/b c"},
		"file":        {"", []string{"--config", file}, "/a:/b c"},
		"none":        {"", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if test.env != "" {
				t.Setenv("AIDB_ALLOW_ROOT", test.env)
			}
			a, err := prepared(t, test.args...)
			if err != nil || a.allowed.String() != test.want || a.policy.ReadOnly != (name == "file") {
				t.Errorf("%q, %v, %v", a.allowed.String(), a.policy.ReadOnly, err)
			}
		})
	}
	if _, err := prepared(t, "--allow-root", ""); err == nil || !strings.Contains(err.Error(), "want a directory") {
		t.Errorf("an empty folder would allow everything: %v", err)
	}
}

func TestMissingDefaultSettingsFileIsFine(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	if _, err := prepared(t); err != nil {
		t.Error(err)
	}
}

func TestLogGoesToItsFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log")
	a, err := prepared(t, "--log-file", file, "--log-level", "info")
	if err != nil {
		t.Fatal(err)
	}
	a.log.Info("hello", "n", 1)
	a.log.Debug("not this")
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), "level=INFO msg=hello n=1") || strings.Contains(string(text), "not this") {
		t.Errorf("the log is %q, %v", text, err)
	}
	if a.stderr.(*bytes.Buffer).Len() > 0 {
		t.Errorf("standard error has %s", a.stderr)
	}
}

// output is what a command line prints.
func output(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if err := run(t.Context(), args, strings.NewReader(stdin), &out, &errs); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, errs.String())
	}
	return out.String()
}

func TestToolsCommand(t *testing.T) {
	if got := output(t, "", "tools"); got != string(tools.Markdown(handlers.Definitions(0))) {
		t.Errorf("Markdown is %s", got)
	}
	var list []struct {
		Name        string
		InputSchema struct{ Type string }
	}
	if err := json.Unmarshal([]byte(output(t, "", "tools", "--format", "json")), &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != len(handlers.Definitions(0)) || list[0].Name != "init" || list[0].InputSchema.Type != "object" {
		t.Errorf("JSON is %+v", list)
	}
	if err := run(t.Context(), []string{"tools", "--format", "xml"}, nil, new(bytes.Buffer), new(bytes.Buffer)); err == nil {
		t.Error("an unknown format is taken")
	}
}

func TestVersionCommand(t *testing.T) {
	if got := output(t, "", "version"); !strings.HasPrefix(got, "aidb-mcp ") || !strings.Contains(got, "\ngo go1.") {
		t.Errorf("version is %s", got)
	}
}

func TestServeIsTheDefaultAndEndsWithItsInput(t *testing.T) {
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"session","arguments":{"action":"list"}}}
`
	for _, args := range [][]string{nil, {"serve"}} {
		got := output(t, hello, args...)
		if lines := strings.Count(got, "\n"); lines != 2 || !strings.Contains(got, `"id":2,"result"`) {
			t.Errorf("%v answers %s", args, got)
		}
	}
	if err := run(t.Context(), []string{"serve", "--workspace", "/no/such"}, strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer)); err == nil {
		t.Error("a workspace that is not there is taken")
	}
}

func TestUnknownCommandIsRefused(t *testing.T) {
	for _, test := range []struct{ line, says string }{
		{"sreve", "did you mean serve?"},
		{"adapters instal", "did you mean install?"},
		{"adapters nope", "the commands are install, list, path, remove, verify"},
		{"attach --help", `unknown command "attach"`},
		{"lsp --session x", `unknown command "lsp"`},
		{"adapters nope -x", `unknown command "nope"`},
		{"adapters instal -h", "did you mean install?"},
		{"help nope", `unknown command "nope"`},
		{"help adapters instal", "did you mean install?"},
		{"completion nope", "the commands are bash"},
		{"adapters list --jsn", "did you mean --json?"},
		{"adapters list --nope", "see aidb-mcp adapters list --help"},
	} {
		err := run(t.Context(), strings.Fields(test.line), strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer))
		if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: error is %v, want %s", test.line, err, test.says)
		}
	}
}

// The settings of the server are listed where it is started, and pointed to elsewhere.
func TestHelpListsTheSettingsOnce(t *testing.T) {
	for line, lists := range map[string]bool{
		"--help": false, "help doctor": false, "adapters": false, "adapters install --help": false, "help serve": true, "serve --help": true,
	} {
		said := output(t, "", strings.Fields(line)...)
		if strings.Contains(said, "--asked-bytes") != lists || strings.Contains(said, `"aidb-mcp serve --help"`) == lists {
			t.Errorf("%s says\n%s", line, said)
		}
	}
	if said := output(t, "", "adapters", "install", "--help"); !strings.Contains(said, "--force") {
		t.Errorf("install does not list its own flags:\n%s", said)
	}
}

func TestLanguagesAreCompleted(t *testing.T) {
	for _, command := range []string{"install", "remove", "verify"} {
		said := output(t, "", "__complete", "adapters", command, "python", "")
		if !strings.Contains(said, "rust\t") || strings.Contains(said, "python") {
			t.Errorf("%s is completed with %s", command, said)
		}
	}
}

func TestRegistrationQuotesThePath(t *testing.T) {
	for path, want := range map[string]string{
		"/usr/bin/aidb-mcp": "/usr/bin/aidb-mcp",
		"/my tools/aidb":    "'/my tools/aidb'",
		"/o'neill/aidb":     `'/o'\''neill/aidb'`,
	} {
		if got := shellQuote(path); got != want {
			t.Errorf("%s is quoted %s", path, got)
		}
	}
	var out strings.Builder
	if err := explainRegistration(&out); err != nil || !strings.Contains(out.String(), "claude mcp add aidb -- ") || !strings.Contains(out.String(), `"mcpServers"`) {
		t.Errorf("%v: %s", err, out.String())
	}
}

// Where adapters have no place none is named.
func TestNoPathWithoutAHome(t *testing.T) {
	for _, name := range []string{"AIDB_HOME", "HOME", "XDG_DATA_HOME", "LOCALAPPDATA", "USERPROFILE"} {
		t.Setenv(name, "")
	}
	var out bytes.Buffer
	err := run(t.Context(), []string{"adapters", "path"}, strings.NewReader(""), &out, new(bytes.Buffer))
	if err == nil || !strings.Contains(err.Error(), "set AIDB_HOME") || out.Len() > 0 {
		t.Errorf("it prints %q, %v", out.String(), err)
	}
}
