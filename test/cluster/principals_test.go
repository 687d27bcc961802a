//go:build linux

package cluster

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"aidb-mcp/internal/testkit"
)

// What principals may do holds on the machines that they work on, until the file says
// otherwise, and what they do there is recorded at the gateway.
func TestPrincipalsOfACluster(t *testing.T) {
	testkit.Adapters(t)
	shop, web := testkit.NewProgramOf(t, "python", "tour"), testkit.NewProgramOf(t, "python", "tour")
	file, record := filepath.Join(t.TempDir(), "principals"), filepath.Join(t.TempDir(), "audit")
	say := func(grants A) {
		text, err := json.Marshal(grants)
		if err == nil {
			err = os.WriteFile(file, text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	say(A{"ada": A{"workspaces": []string{"shop"}, "tools": []string{"session_start", "session", "inspect"}}, "bob": A{"read-only": true, "no-attach": true}})
	g := begin(t, "--principals", file, "--audit-log", record, "--log-level", "info")
	g.machine(t, "m1", g.cluster, map[string]string{"shop": shop.Dir, "web": web.Dir})

	a := g.agent(t, "")
	if text := a.Client.InitializeResult().Instructions; !strings.Contains(text, "workspace shop") || strings.Contains(text, "web (on") {
		t.Errorf("ada is told of %s", text)
	}
	id := inTour(a, shop)
	a.OK("inspect", A{"session_id": id, "expression": "count + 1"}).Want("7", "data", "result", "v")
	a.Fail("POLICY_DENIED", "step", A{"action": "over"}).Contains([]string{"error", "message"}, "ada may not call it")
	a.Fail("POLICY_DENIED", "session_start", A{"target": web.Dir + "/main.py"}).Contains([]string{"error", "hint"}, shop.Dir)
	a.OK("session", A{"action": "stop"})

	b := g.agentOf(t, another, "web")
	b.Fail("POLICY_DENIED", "session_start", A{"target": web.Dir + "/main.py"}).Contains([]string{"error", "message"}, "--read-only")
	b.Fail("POLICY_DENIED", "session_start", A{"mode": "attach", "pid": os.Getpid(), "language": "python"}).Contains([]string{"error", "message"}, "--no-attach")
	say(A{"ada": A{}, "bob": A{}})
	g.Signal(syscall.SIGHUP)
	testkit.Eventually(t, testkit.CallLimit, "the file to be read again", func() bool { return strings.Contains(g.Stderr(), "read again") })
	b.OK("session_start", A{"target": web.Dir + "/main.py", "stop_on_entry": true, "timeout_ms": longest})
	b.OK("session", A{"action": "stop"})

	text, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"principal":"ada"`, `"principal":"bob"`, `"AIDB_POLICY_DENIED"`, fmt.Sprintf("%q", id), `"ok"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the record lacks %s:\n%s", want, text)
		}
	}
}

// Tenants have their own machines by the commands that the documents name.
func TestTenantsOfACluster(t *testing.T) {
	red, blue := t.TempDir(), t.TempDir()
	file := filepath.Join(t.TempDir(), "principals")
	if err := os.WriteFile(file, []byte(`{"ada": {"tenant": "red", "operator": true}, "bob": {"tenant": "blue"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	g := begin(t, "--principals", file)
	g.tenant = "red"
	g.machine(t, "m1", g.cluster, map[string]string{"shop": red})
	g.tenant = "blue"
	g.machine(t, "m2", g.cluster, map[string]string{"shop": blue, "web": blue})
	if list := g.run(t, "cluster", "list"); !strings.Contains(list, "red") || !strings.Contains(list, "blue") {
		t.Errorf("%s", list)
	}
	for token, where := range map[string][2]string{secret: {"m1", "m2"}, another: {"m2", "m1"}} {
		text := g.agentOf(t, token, "shop").Client.InitializeResult().Instructions
		if !strings.Contains(text, "on the machine "+where[0]) || strings.Contains(text, where[1]) {
			t.Errorf("%s: %s", where[0], text)
		}
	}
	text := g.agentOf(t, another, "web").Client.InitializeResult().Instructions
	if !strings.Contains(text, "workspace web on the machine m2") {
		t.Errorf("%s", text)
	}
	if code, text := g.status(t, secret); code != http.StatusOK || !strings.Contains(text, "m1 of red") || strings.Contains(text, "m2") || strings.Contains(text, "bob") {
		t.Errorf("an operator of a tenant is told %d %s", code, text)
	}
	if code, text := g.status(t, another); code != http.StatusForbidden {
		t.Errorf("who is none is told %d %s", code, text)
	}
}

// An operator of no tenant sees what the machines of all do, and the workers of this gateway's
// clients, also of the machine that the gateway itself is.
func TestStatusOfACluster(t *testing.T) {
	testkit.Adapters(t)
	p, file := testkit.NewProgramOf(t, "python", "tour"), filepath.Join(t.TempDir(), "principals")
	if err := os.WriteFile(file, []byte(`{"bob": {"operator": true}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	at := testkit.Address(testkit.Port(t))
	g := start(t, at, "--cluster", "embedded", "--cluster-listen", at, "--name", "one", "--workspace", "shop="+p.Dir, "--principals", file)
	g.machine(t, "two", g.cluster, map[string]string{"web": t.TempDir()})
	a := g.agent(t, "shop")
	if text := a.Client.InitializeResult().Instructions; !strings.Contains(text, "workspace shop on the machine one") {
		t.Errorf("ada is told of %s", text)
	}
	id := inTour(a, p)
	var text string
	testkit.Eventually(t, testkit.CallLimit, "the machines and the session", func() bool {
		var code int
		code, text = g.status(t, another)
		return code == http.StatusOK && strings.Contains(text, "two") && strings.Contains(text, "python-1")
	})
	for _, want := range []string{"MACHINE", "one", "shop", "web", "ada", "main.py", "stopped_at_breakpoint"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Contains(text, id) {
		t.Error("it shows the handle")
	}
	if code, text := g.status(t, secret); code != http.StatusForbidden || strings.Contains(text, "two") {
		t.Errorf("ada is told %d %s", code, text)
	}
}

// status is what the gateway tells the owner of a token of what everybody does.
func (g *gateway) status(t *testing.T, token string) (code int, text string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.TrimSuffix(g.url, "/mcp")+"/status", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	all, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply.StatusCode, string(all)
}

// inTour has the agent's program stand where it calls, and is the id of the session.
func inTour(s *testkit.Server, p *testkit.Program) (id string) {
	return s.OK("session_start", A{"target": p.Dir + "/main.py", "args": []string{"calls"}, "breakpoints": []A{{"file": p.Dir + "/main.py", "line": p.Line("call")}}, "timeout_ms": longest}).
		Want("stopped_at_breakpoint", "data", "execution_state", "status").At("session_id")
}
