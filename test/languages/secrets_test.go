//go:build linux

package languages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

// secrets are values that a start is given: in env, in a file of variables, as an
// argument.
var secrets = []string{"from-env-4f9a77", "from-file-81cc02", "from-args-c0ffee"}

// secretsIn are the secrets that stand in a text.
func secretsIn(text string) []string {
	var list []string
	for _, s := range secrets {
		if strings.Contains(text, s) {
			list = append(list, s)
		}
	}
	return list
}

// hidingStart starts the tour with secrets, and returns all that was told and
// logged of it. Where the tour stands somebody may look at it.
func hidingStart(t *testing.T, l *language, look func(s *subject), more ...string) (told, logged string) {
	t.Helper()
	p, dir := l.common(t), t.TempDir()
	vars, trace, log := filepath.Join(dir, "vars.env"), filepath.Join(dir, "trace"), filepath.Join(dir, "log")
	if err := os.WriteFile(vars, []byte("DB_PASSWORD="+secrets[1]+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"--trace-dap", trace, "--log-file", log, "--log-level", "debug", "--allow-root", p.Dir, "--allow-root", dir}, more...)
	s := l.subject(t, p, args...)
	with := A{
		"breakpoints": []A{s.line("nested", nil)}, "env_file": vars,
		"env": A{"API_TOKEN": secrets[0]}, "args": []string{"calls", "--password", secrets[2]},
	}
	if l.Name == "go" { // its compiler lies elsewhere, too
		with["target"] = "."
	}
	first := s.start("calls", with).Stopped("stopped_at_breakpoint", s.at("nested")).Contains([]string{"data", "code_snapshot"}, "→")
	look(s)
	replies := []testkit.Reply{
		first, s.OK("session", nil), s.OK("context", A{"detail_level": "full"}), s.OK("config", A{"action": "env"}),
		s.OK("session", A{"action": "stop"}),
		s.Call("session_start", A{"target": "no/such/target", "language": l.Start(p)["language"], "env": with["env"], "args": with["args"], "max_bytes": 1000}),
	}
	for _, r := range replies {
		told += r.Text + r.JSON + "\n"
	}
	for _, file := range []string{trace, log} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		logged += string(text)
	}
	return told, logged
}

// No reply and no log repeats what a program is given in secret. Who may use the folder
// of a program only can debug it as ever: what languages need from elsewhere (runtimes,
// debuggers, libraries) is none of the agent's paths.
func TestSecretsStayHidden(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	for _, l := range languages {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			l.once(t)
			if l.Again != "" && l.Folder == "cpp" {
				testkit.Long(t, "what is hidden goes by names and values, and what may be read by paths, whichever debugger has them: the same as with "+l.Again)
			}
			if l.Name == "rust" || l.Name == "plainruby" {
				testkit.Long(t, "the same as with C++, or Ruby's own adapter")
			}
			told, logged := hidingStart(t, l, (*subject).keepsToItsFolder)
			if list := secretsIn(told); list != nil {
				t.Errorf("the replies hold %q:\n%s", list, told)
			}
			if list := secretsIn(logged); list != nil {
				t.Errorf("the logs hold %q:\n%s", list, logged)
			}
		})
	}
}

// Who asks for them sees them: what the test above looks for is there.
func TestSecretsAreShownOnRequest(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	_, logged := hidingStart(t, python[0], func(*subject) {}, "--show-secrets")
	if list := secretsIn(logged); len(list) < 2 { // the trace is cut before the third
		t.Errorf("the logs hold %q alone:\n%s", list, logged)
	}
}

// The command line of a program that is attached to is told without its secrets.
func TestAttachedCommandLinesAreMasked(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	l := python[0]
	p := l.common(t)
	s := l.subject(t, p)
	program := l.Outside(t, p, "sleep")
	program.Command.Args = append(program.Command.Args, "--password", secrets[2])
	out, err := program.Command.StdoutPipe()
	if err == nil {
		err = program.Command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = program.Command.Process.Kill(); _ = program.Command.Wait() })
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	args := program.Attach(program.Command.Process.Pid)
	args["timeout_ms"] = startLimit
	s.OK("session_start", args)
	r := s.OK("session", nil)
	if target := r.At("data", "target"); !strings.Contains(target, "--password ‹masked›") || secretsIn(r.Text+r.JSON) != nil {
		t.Errorf("the target is %q in\n%s", target, r)
	}
}
