package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/commands/doctor"
)

func TestReportIsReadable(t *testing.T) {
	report := doctor.Report{Version: "1.2.3", Platform: "linux/amd64", Checks: []doctor.Check{
		{Name: "scratch directory", State: doctor.OK, Detail: "/tmp"},
		{Name: "ptrace", State: doctor.Problem, Detail: "nobody may debug", Remedy: "change it"},
	}}
	var out strings.Builder
	if err := printReport(&out, report, false); err != nil {
		t.Fatal(err)
	}
	const want = `aidb-mcp 1.2.3 on linux/amd64

ok       scratch directory: /tmp
problem  ptrace: nobody may debug
         remedy: change it
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	if report.Healthy() {
		t.Error("a problem counts as healthy")
	}
}

func TestAdaptersListAsJSON(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), []string{"adapters", "list", "--json"}, strings.NewReader(""), &out, &out); err != nil {
		t.Fatal(err)
	}
	var rows []adapterRow
	if err := json.Unmarshal([]byte(out.String()), &rows); err != nil {
		t.Fatalf("%v in %s", err, out.String())
	}
	if len(rows) == 0 || rows[0].Language != "go" || len(rows[0].Modes) == 0 || !rows[0].Ready {
		t.Errorf("%+v", rows)
	}
}

func TestCompletionIsOffered(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		var out strings.Builder
		if err := run(t.Context(), []string{"completion", shell}, strings.NewReader(""), &out, &out); err != nil {
			t.Errorf("%s: %v", shell, err)
		}
		if !strings.Contains(out.String(), "aidb-mcp") {
			t.Errorf("%s: no script", shell)
		}
	}
}

// docs/configuration.md names every flag, and no other.
func TestFlagsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	doc := string(text)
	flags := newRootCommand(&app{}).PersistentFlags()
	flags.VisitAll(func(f *pflag.Flag) {
		if !strings.Contains(doc, "`--"+f.Name) {
			t.Errorf("--%s is not documented", f.Name)
		}
	})
	for _, row := range strings.Split(doc, "\n| `--")[1:] {
		name, _, _ := strings.Cut(strings.ReplaceAll(row, " ", "`"), "`")
		if flags.Lookup(name) == nil {
			t.Errorf("--%s is documented and does not exist", name)
		}
	}
}

// The list fits a terminal of 80 columns.
func TestAdaptersListIsNarrow(t *testing.T) {
	rows := []adapterRow{
		{Language: "javascript", Adapter: "js-debug", Version: "1.112.0, node 20.20.2", Ready: true, Modes: []adapters.Mode{"launch", "test"}, Extensions: []string{".js", ".mjs"}},
		{Language: "cpp", Adapter: "LLDB or gdb", Version: "CodeLLDB 1.11.8; also lldb-dap 19", Ready: true},
		{Language: "python", Adapter: "debugpy", absent: true, Problem: "it is not there", Remedy: "install it"},
	}
	for wide, want := range map[bool]string{
		false: `LANGUAGE    STATE          ADAPTER
javascript  ready          js-debug 1.112.0, node 20.20.2
cpp         ready          CodeLLDB 1.11.8; also lldb-dap 19
python      not installed  debugpy

python: it is not there
  install it
`,
		true: "launch test  .js .mjs",
	} {
		var out strings.Builder
		if err := printAdapters(&out, rows, wide); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%v:\n%s", err, out.String())
		}
	}
}
