//go:build linux

package serving

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"aidb-mcp/internal/testkit"
)

// grant writes the file that --principals names.
func grant(t *testing.T, file string, what A) {
	t.Helper()
	text, err := json.Marshal(what)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Each principal may do what the file says, in both eras, until the file says otherwise.
func TestPrincipals(t *testing.T) {
	testkit.Adapters(t)
	file, p := filepath.Join(t.TempDir(), "principals"), programs[0]
	adas, elsewhere := p.write(t), p.write(t)
	grant(t, file, A{
		"ada": A{"allow-root": []string{filepath.Dir(adas)}, "no-attach": true, "workers": 1},
		"*":   A{"read-only": true, "tools": []string{"session_start", "session"}},
	})
	record := filepath.Join(t.TempDir(), "audit")
	g := serve(t, "--principals", file, "--audit-log", record, "--log-level", "info")
	start := func(target string) A { return A{"target": target, "timeout_ms": longest} }

	g.wants(t, secret, "session_start", p.start(elsewhere), "AIDB_POLICY_DENIED", filepath.Dir(adas))
	g.wants(t, secret, "session_start", A{"mode": "attach", "pid": os.Getpid(), "language": "python"}, "AIDB_POLICY_DENIED", "--no-attach")
	id := handleIn(t, g.wants(t, secret, "session_start", p.start(adas), "stopped_at_breakpoint"))
	g.wants(t, another, "session_start", start(adas), "AIDB_POLICY_DENIED", "--read-only")
	for _, revision := range revisions {
		bob := g.Join(t, another, revision)
		must(t, bob, "step", A{"action": "over"}, "AIDB_POLICY_DENIED", "bob may not call it", "session_start, session")
		list, err := bob.ListTools(t.Context(), nil)
		if err != nil || len(list.Tools) != 2 {
			t.Errorf("%s: bob's tools: %v, %+v", revision, err, list)
		}
	}
	if r := g.perCall(t, secret, "variable", A{"action": "get", "expression": "total", "session_id": id}); !strings.Contains(r, `"6"`) {
		t.Errorf("ada's own place is taken: %s", r)
	}

	denied := 0
	for _, a := range acts(t, record) {
		if a.Outcome == "AIDB_POLICY_DENIED" {
			denied++
		}
	}
	if denied < 5 {
		t.Errorf("%d refusals are recorded", denied)
	}

	again := func(says string) {
		t.Helper()
		before := strings.Count(g.Stderr(), says)
		g.Signal(syscall.SIGHUP)
		testkit.Eventually(t, testkit.CallLimit, says, func() bool { return strings.Count(g.Stderr(), says) > before })
	}
	grant(t, file, A{"bob": A{"calls-per-minute": 6}})
	again("read again")
	bob := g.Join(t, another, "2025-11-25")
	must(t, bob, "session_start", A{"target": elsewhere, "timeout_ms": longest}, "AIDB_WORKER_LIMIT", "6 calls a minute", "call again in")
	grant(t, file, A{"bob": A{"readonly": true}})
	again("nothing is changed")
}

// A file that allows more than the server may, or that others can change, is refused.
func TestPrincipalsThatAreRefused(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "principals")
	for name, c := range map[string]struct {
		grant A
		mode  os.FileMode
		flags []string
		says  string
	}{
		"outside":          {A{"ada": A{"allow-root": []string{"/usr"}}}, 0o600, []string{"--allow-root", t.TempDir()}, "lies outside of the server's own"},
		"relative":         {A{"ada": A{"allow-root": []string{"work"}}}, 0o600, nil, "want an absolute path"},
		"none":             {A{"ada": A{"allow-root": []string{"/does/not/exist"}}}, 0o600, nil, "there is no such directory"},
		"its own folder":   {A{"ada": A{"allow-root": []string{dir}}}, 0o600, nil, "every client can read it"},
		"others may write": {A{"ada": A{}}, 0o666, nil, "can be written by others"},
		"another server":   {A{"ada": A{"read-only": true}}, 0o600, []string{"--", "cat"}, "another server is served"},
	} {
		t.Run(name, func(t *testing.T) {
			grant(t, file, c.grant)
			if err := os.Chmod(file, c.mode); err != nil {
				t.Fatal(err)
			}
			args := append([]string{"serve", "--http", "127.0.0.1:0", "--token-file", tokens(t), "--principals", file}, c.flags...)
			out, err := exec.CommandContext(t.Context(), testkit.Binary(t), args...).CombinedOutput()
			if err == nil || !strings.Contains(string(out), c.says) {
				t.Errorf("%v, want %q in\n%s", err, c.says, out)
			}
		})
	}
}
