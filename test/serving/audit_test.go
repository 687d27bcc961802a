//go:build linux

package serving

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"aidb-mcp/internal/testkit"
)

// act is a line of the audit log.
type act struct {
	Event, Principal, From, Client, Method, Name, Session, Outcome string
	Call                                                           int64
	Arguments                                                      json.RawMessage
}

func acts(t *testing.T, file string) (all []act) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var a act
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		all = append(all, a)
	}
	return all
}

// The audit log says who asked for what, from where, and what came of it, of clients of
// both eras and by the bridge; secrets are masked.
func TestAudit(t *testing.T) {
	testkit.Adapters(t)
	file := filepath.Join(t.TempDir(), "audit")
	g, p := serve(t, "--audit-log", file, "--log-level", "info"), programs[0]
	start := p.start(p.write(t))
	start["env"] = A{"DB_PASSWORD": "hunter2hunter2", "PLAIN": "shown"}
	id := handleIn(t, g.wants(t, secret, "session_start", start, "stopped_at_breakpoint"))
	modern := g.Join(t, another, "2026-07-28")
	must(t, modern, "session", A{"action": "list"}, `"success":true`)
	if r := g.bridged(t, testkit.Options{Protocol: "2025-11-25"}).Call("variable", A{"action": "get", "expression": "nothing_here", "session_id": id}); !r.IsError {
		t.Errorf("%s", r)
	}

	find := func(event, name string) (found act) {
		t.Helper()
		all := acts(t, file)
		for _, a := range all {
			if a.Event == "asked" && a.Name == name {
				found = a
			}
		}
		for _, a := range all {
			if event == "answered" && a.Event == event && a.Call == found.Call {
				return a
			}
		}
		return found
	}
	if a := find("asked", "session_start"); a.Principal != "ada" || a.From != "127.0.0.1" || a.Client != "testkit" || a.Method != "tools/call" ||
		strings.Contains(string(a.Arguments), "hunter2") || !strings.Contains(string(a.Arguments), "‹masked›") || !strings.Contains(string(a.Arguments), "shown") {
		t.Errorf("%+v %s", a, a.Arguments)
	}
	if a := find("answered", "session_start"); a.Outcome != "ok" {
		t.Errorf("%+v", a)
	}
	if a := find("asked", "session"); a.Principal != "bob" || a.Client != "testkit" {
		t.Errorf("%+v", a)
	}
	if a, came := find("asked", "variable"), find("answered", "variable"); a.Session != id || !strings.HasPrefix(came.Outcome, "AIDB_") {
		t.Errorf("%+v, and then %+v", a, came)
	}

	if err := os.Rename(file, file+".1"); err != nil {
		t.Fatal(err)
	}
	g.Signal(syscall.SIGHUP)
	testkit.Eventually(t, testkit.CallLimit, "a new file", func() bool {
		_, err := os.Stat(file)
		return err == nil
	})
	g.wants(t, secret, "session", A{"action": "stop", "session_id": id}, id)
	if a := find("asked", "session"); a.Principal != "ada" || a.Session != id {
		t.Errorf("%+v", a)
	}
}
