package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/commands/doctor"
	"aidb-mcp/internal/serving/grants"
	"aidb-mcp/internal/store"
)

// Nothing that the tests call is the developer's usage.
func TestMain(m *testing.M) {
	if err := os.Setenv("AIDB_NO_STORE", "true"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// kept has some calls in a store, which the commands use from then on.
func kept(t *testing.T) (place string) {
	t.Helper()
	place = filepath.Join(t.TempDir(), "aidb.db")
	t.Setenv("AIDB_NO_STORE", "false")
	t.Setenv("AIDB_STORE", place)
	s := store.New(store.Options{Place: place})
	began := time.Date(2026, 11, 2, 3, 4, 5, 0, time.UTC)
	if began.Before(time.Now().Add(-store.DefaultKeep / 2)) {
		began = time.Now().Add(-time.Hour).UTC().Truncate(time.Second)
	}
	for i := range 12 {
		s.Record(store.Call{At: began.Add(time.Duration(i) * time.Second), Client: "claude, code", Session: "go-1", Tool: "step", Took: 1234567 * time.Microsecond, BytesIn: 100, BytesOut: 4000, TokensIn: 25, TokensOut: 1000})
	}
	s.Record(store.Call{At: began.Add(-time.Second), Tool: "init", Code: "AIDB_X", Took: time.Millisecond, BytesOut: 1})
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.Close(t.Context())
	return place
}

func TestUsageIsShown(t *testing.T) {
	kept(t)
	if got, want := output(t, "", "usage"), `TOOL   CALLS  FAILED  SECONDS  BYTES IN  BYTES OUT  TOKENS IN  TOKENS OUT
step      12       0   14.815      1200      48000        300       12000
init       1       1    0.001         0          1          0           0
(all)     13       1   14.816      1200      48001        300       12000
`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := output(t, "", "usage", "--by", "session"); !strings.Contains(got, "\ngo-1, 20") || !strings.Contains(got, "\n(none)  ") {
		t.Errorf("by session\n%s", got)
	}
	if got, want := output(t, "", "usage", "--by", "client", "--csv"), `client,calls,failed,ms,bytes_in,bytes_out,tokens_in,tokens_out
"claude, code",12,0,14814.804,1200,48000,300,12000
,1,1,1,0,1,0,0
`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := output(t, "", "usage", "--by", "session", "--csv"); !strings.HasPrefix(got, "session,began,calls,") || !strings.Contains(got, "\ngo-1,20") {
		t.Errorf("by session\n%s", got)
	}
	var list []map[string]any
	if err := json.Unmarshal([]byte(output(t, "", "usage", "--json")), &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != 2 || list[0]["tool"] != "step" || list[0]["calls"] != 12.0 || list[0]["ms"] != 14814.804 || list[1]["failed"] != 1.0 {
		t.Errorf("%v", list)
	}
	if got := output(t, "", "usage", "--since", "1m"); !strings.HasPrefix(got, "no calls since 20") {
		t.Errorf("since a minute ago: %s", got)
	}
}

// The doctor says where the account is, or why it is not.
func TestDoctorLooksAtTheAccount(t *testing.T) {
	place := kept(t)
	a, err := prepared(t)
	if err != nil {
		t.Fatal(err)
	}
	if checks := a.examineAccount(t.Context()); len(checks) != 1 || checks[0].State != doctor.OK || checks[0].Detail != place+" has 13 calls" {
		t.Errorf("%+v", checks)
	}
	if err := os.WriteFile(place, bytes.Repeat([]byte("damaged "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	if checks := a.examineAccount(t.Context()); len(checks) != 1 || checks[0].State != doctor.Warning || !strings.Contains(checks[0].Detail, "damaged") || checks[0].Remedy == "" {
		t.Errorf("%+v", checks)
	}
	a.noStore = true
	if checks := a.examineAccount(t.Context()); len(checks) != 0 {
		t.Errorf("%+v", checks)
	}
}

// Who looks makes nothing.
func TestUsageOfNothing(t *testing.T) {
	t.Setenv("AIDB_NO_STORE", "false")
	home := filepath.Join(t.TempDir(), "home")
	t.Setenv("AIDB_HOME", home)
	for line, want := range map[string]string{
		"usage": "no calls yet\n", "usage --json": "[]\n", "usage --csv": "tool,calls,failed,ms,bytes_in,bytes_out,tokens_in,tokens_out\n",
	} {
		if got := output(t, "", strings.Fields(line)...); got != want {
			t.Errorf("%s prints %q", line, got)
		}
	}
	if _, err := os.Stat(home); err == nil {
		t.Error("a home was made")
	}
}

func TestUsageIsRefused(t *testing.T) {
	t.Setenv("AIDB_HOME", t.TempDir())
	for line, says := range map[string]string{
		"--since yesterday":               `--since "yesterday": want a time ago such as "7d"`,
		"--since -3h":                     `want a time ago`,
		"--since 0d":                      `want a time ago`,
		"--since 2999-01-01":              `want a time ago`,
		"--by tols":                       `--by "tols": did you mean tool?`,
		"--by price":                      `want tool, client, language, session, principal`,
		"--json --csv":                    "not both",
		"--no-store":                      "no account is kept: --no-store",
		"--store mysql://u:pass@h/d":      `--store "mysql://…@h/d": want a file, or postgres://`,
		"--store postgres://u:pass@h:x/d": `--store "postgres://…@h:x/d": its address cannot be read`,
		"tool":                            "unknown command",
	} {
		t.Setenv("AIDB_NO_STORE", "false")
		err := run(t.Context(), append([]string{"usage"}, strings.Fields(line)...), strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer))
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "pass") {
			t.Errorf("%s: error is %v, want %s", line, err, says)
		}
	}
	for _, name := range []string{"AIDB_HOME", "HOME", "XDG_DATA_HOME", "LOCALAPPDATA", "USERPROFILE"} {
		t.Setenv(name, "")
	}
	if err := run(t.Context(), []string{"usage"}, strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "set AIDB_HOME") {
		t.Errorf("without a home: %v", err)
	}
}

func TestMoments(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 30, 0, 0, time.Local)
	for text, want := range map[string]time.Time{
		"7d": now.AddDate(0, 0, -7), "24h": now.Add(-24 * time.Hour), "90m": now.Add(-90 * time.Minute), "1h30m": now.Add(-90 * time.Minute),
		"2026-11-01": time.Date(2026, 11, 1, 0, 0, 0, 0, time.Local), "2026-11-01 15:00": time.Date(2026, 11, 1, 15, 0, 0, 0, time.Local),
	} {
		if got, ok := parseMoment(text, now); !ok || !got.Equal(want) {
			t.Errorf("%s is %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "d", "7", "-7d", "1.5d", "99999999999999999999d", "2026-11-31", "2026-11-23", "7 days"} {
		if got, ok := parseMoment(text, now); ok {
			t.Errorf("%q is taken for %v", text, got)
		}
	}
}

// The calls of a server are in the account when it has ended, and nothing is
// noted or made with --no-store or without a home.
func TestServeKeepsTheAccount(t *testing.T) {
	const calls = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"claude-code","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"session","arguments":{"action":"list"}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"step","arguments":{"action":"ovr"}}}
`
	home := filepath.Join(t.TempDir(), "home")
	t.Setenv("AIDB_HOME", home)
	t.Setenv("AIDB_PRINCIPAL", "ada")
	output(t, calls, "serve") // AIDB_NO_STORE
	if _, err := os.Stat(home); err == nil {
		t.Error("a home was made")
	}
	t.Setenv("AIDB_NO_STORE", "false")
	t.Setenv("AIDB_PRINCIPAL", "ada")
	output(t, calls, "serve")
	for by, want := range map[string]string{
		"client": `"client":"claude-code","calls":2,"failed":1`, "principal": `"principal":"ada","calls":2`,
		"tool": `"tool":"step","calls":1,"failed":1`, "language": `"language":"","calls":2`, "session": `"session":"","calls":2`,
	} {
		got := strings.Join(strings.Fields(output(t, "", "usage", "--json", "--by", by)), "")
		if !strings.Contains(got, want) {
			t.Errorf("by %s: %s", by, got)
		}
	}
}

// What a gateway's workers are told holds no password where others can read it.
func TestWorkersAreTold(t *testing.T) {
	for text, want := range map[string]bool{"/a/b.db": true, "postgres://u:sesame@h/d": false} {
		a := &app{}
		root := newRootCommand(a)
		if err := root.PersistentFlags().Parse([]string{"--store", text}); err != nil {
			t.Fatal(err)
		}
		command, err := workerCommand(root.PersistentFlags(), false)
		if err != nil || slices.Contains(command, "--store="+text) != want || strings.Contains(strings.Join(command, " "), "sesame") {
			t.Errorf("%v, %v", command, err)
		}
	}
}

// Workers of a cluster are started in their workspaces, and know none of their names, whoever
// they work for.
func TestWorkersOfAClusterAreTold(t *testing.T) {
	a := &app{}
	root := newRootCommand(a)
	if err := root.PersistentFlags().Parse([]string{"--workspace", "demo=/srv", "--allow-root", "/srv"}); err != nil {
		t.Fatal(err)
	}
	command, err := workerCommand(root.PersistentFlags(), true)
	if err != nil {
		t.Fatal(err)
	}
	for _, told := range [][]string{command, narrowed(command, grants.Grant{Folders: []string{"/srv/ada"}})} {
		if !slices.Contains(told, "--workspace=") || strings.Contains(strings.Join(told, " "), "demo") {
			t.Errorf("%q", told)
		}
	}
}
