//go:build linux

package test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/internal/testkit"
)

// run runs the binary to its end and returns what it printed and its exit code.
func run(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	return runFor(t, testkit.CallLimit, testkit.Home(), args...)
}

// fetchLimit is for commands that fetch adapters: a registry may stall, and its
// client asks again.
const fetchLimit = 10 * time.Minute

// runIn is run with adapters that are kept elsewhere, and may be fetched.
func runIn(t *testing.T, home string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	return runFor(t, fetchLimit, home, args...)
}

// runFor is run with a limit of its own.
func runFor(t *testing.T, limit time.Duration, home string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs strings.Builder
	cmd := exec.Command(testkit.Binary(t), args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = t.TempDir(), &out, &errs
	cmd.Env = append(os.Environ(), "AIDB_HOME="+home)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(limit, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	_ = cmd.Wait()
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func TestCommandLine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args []string
		want []string
		code int
	}{
		{[]string{"version"}, []string{"aidb-mcp", "go1."}, 0},
		{[]string{"--help"}, []string{"serve", "demo", "doctor", "tools", "adapters", "version", "completion"}, 0},
		{[]string{"adapters", "list"}, []string{"go", "Delve"}, 0},
		{[]string{"completion", "bash"}, []string{"aidb-mcp"}, 0},
		{[]string{"tools"}, []string{"# ", "session_start", "timeout_ms"}, 0},
		{[]string{"srve"}, []string{"serve"}, 1},
		{[]string{"serve", "--log-level", "loud"}, []string{"loud"}, 1},
	} {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			t.Parallel()
			out, errs, code := run(t, tt.args...)
			if (code != 0) != (tt.code != 0) {
				t.Errorf("exit code %d, want %d\n%s%s", code, tt.code, out, errs)
			}
			if text := out; tt.code == 0 {
				for _, want := range tt.want {
					if !strings.Contains(text, want) {
						t.Errorf("no %q in\n%s", want, text)
					}
				}
			} else if out != "" || !strings.Contains(errs, tt.want[0]) {
				t.Errorf("no %q on stderr (stdout must be empty):\n%s\n%s", tt.want[0], out, errs)
			}
		})
	}
}

// tools --json is what tools/list answers.
func TestToolsCommand(t *testing.T) {
	t.Parallel()
	out, _, _ := run(t, "tools", "--json")
	var printed []struct{ Name, Description string }
	if err := json.Unmarshal([]byte(out), &printed); err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	s := testkit.Start(t, testkit.Options{})
	listed, err := s.Client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	descriptions := map[string]string{}
	for _, tool := range listed.Tools {
		descriptions[tool.Name] = tool.Description
	}
	for _, tool := range printed {
		if descriptions[tool.Name] != tool.Description {
			t.Errorf("%s: printed %q, listed %q", tool.Name, tool.Description, descriptions[tool.Name])
		}
	}
	if len(printed) != len(listed.Tools) {
		t.Errorf("%d printed, %d listed", len(printed), len(listed.Tools))
	}
}

// docs/tools.md is what the tools command prints.
func TestToolsDocument(t *testing.T) {
	t.Parallel()
	out, _, _ := run(t, "tools")
	doc, err := os.ReadFile(filepath.Join(testkit.Root(), "docs", "tools.md"))
	if err != nil {
		t.Fatal(err)
	}
	if string(doc) != out {
		t.Error("docs/tools.md is not what \"aidb-mcp tools\" prints; write it anew")
	}
}

// README.md shows the demonstration as it runs: only times differ from one machine to
// another, and the name of the problem, which holds what the machine is.
func TestDemo(t *testing.T) {
	t.Parallel()
	out, errs, code := run(t, "demo")
	if code != 0 {
		t.Fatalf("exit code %d\n%s\n%s", code, out, errs)
	}
	readme, err := os.ReadFile(filepath.Join(testkit.Root(), "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, shown, _ := strings.Cut(string(readme), "```text\nA Go program panics.")
	shown, _, _ = strings.Cut("A Go program panics."+shown, "```")
	varies := regexp.MustCompile(`problem: [0-9a-f]+|[0-9.]+ m?s\b`)
	if diff := cmp.Diff(varies.ReplaceAllString(shown, "N"), varies.ReplaceAllString(out, "N")); diff != "" {
		t.Errorf("README.md shows another demonstration (-shown, +ran):\n%s", diff)
	}
}

// Logs go to stderr or a file, the DAP trace to its own file, and nothing to the protocol.
func TestLogsAndTrace(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "averages")
	dir := t.TempDir()
	log, trace := filepath.Join(dir, "log"), filepath.Join(dir, "trace")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Args: []string{"--log-level", "debug", "--log-file", log, "--trace-dap", trace}})
	s.OK("session_start", A{"target": ".", "breakpoints": p.BreakAt("divide")})
	s.OK("session", A{"action": "stop"})
	for file, wants := range map[string][]string{
		log:   {"tool call", "duration"},
		trace: {"initialize", "setBreakpoints", "stopped", "go-1"},
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("no %q in %s:\n%.2000s", want, filepath.Base(file), text)
			}
		}
	}
	if s.Stderr() != "" {
		t.Errorf("with --log-file something is on stderr: %s", s.Stderr())
	}
}
