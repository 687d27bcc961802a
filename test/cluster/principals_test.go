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
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

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
	if err := os.WriteFile(file, []byte(`{"ada": {"tenant": "red", "operator": true}, "bob": {"tenant": "blue"}, "cy": {"operator": true}}`), 0o600); err != nil {
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
	g.agentOf(t, secret, "shop").OK("session", A{"action": "list"}) // a process of red's
	testkit.Eventually(t, 20*time.Second, "red's own numbers", func() bool {
		_, text := g.get(t, "/metrics", secret)
		return strings.Contains(text, "\naidb_workers 2\n") && strings.Contains(text, `tool="session"`)
	})
	if _, text := g.get(t, "/metrics", another); !strings.Contains(text, "\naidb_workers 2\n") || strings.Contains(text, `tool="session"`) || strings.Contains(text, "go_goroutines") {
		t.Errorf("blue hears of red's: %s", text)
	}
	if _, text := g.get(t, "/metrics", third); !strings.Contains(text, `aidb_workers{tenant="red"} 2`) || !strings.Contains(text, `aidb_workers{tenant="blue"} 2`) || !strings.Contains(text, "go_goroutines") {
		t.Errorf("an operator of no tenant does not see all: %s", text)
	}
	if _, text := g.get(t, "/healthz", ""); !strings.Contains(text, `"status":"ok"`) || strings.Contains(text, "running") {
		t.Errorf("anybody hears of all tenants: %s", text)
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
	if _, text := g.get(t, "/metrics", another); !strings.Contains(text, `aidb_call_duration_seconds_count{code="",method="tools/call",tool="session_start"} 1`) {
		t.Errorf("a call on the gateway's own machine is not counted once: %s", text)
	}
	if code, text := g.status(t, secret); code != http.StatusForbidden || strings.Contains(text, "two") {
		t.Errorf("ada is told %d %s", code, text)
	}
}

// status is what the gateway tells the owner of a token of what everybody does.
func (g *gateway) status(t *testing.T, token string) (code int, text string) {
	t.Helper()
	return g.get(t, "/status", token)
}

// get asks the gateway for a page of its own.
func (g *gateway) get(t *testing.T, path, token string) (code int, text string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.TrimSuffix(g.url, "/mcp")+path, nil)
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

// A machine has a record of its own of all that was done on it, by whichever gateway.
func TestRecordOfAMachine(t *testing.T) {
	testkit.Adapters(t)
	p, record := testkit.NewProgramOf(t, "python", "tour"), filepath.Join(t.TempDir(), "audit")
	g := begin(t)
	m := g.machine(t, "m1", g.cluster, map[string]string{"shop": p.Dir}, "--audit-log", record)
	a := g.agent(t, "shop")
	id := inTour(a, p)
	other := g.agent(t, "shop") // which has no worker there, and visits
	other.OK("inspect", A{"session_id": id, "expression": "count + 1"}).Want("7", "data", "result", "v")
	other.Call("variable", A{"action": "get", "expression": "nothing_here", "session_id": id})
	text, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"principal":"ada","gateway":"`, `"workspace":"shop"`, `"name":"session_start"`, `"name":"inspect","session":"` + id, `"expression":"count + 1"`, `"outcome":"ok"`, `"outcome":"AIDB_`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the record lacks %s:\n%s", want, text)
		}
	}
	if err := os.Rename(record, record+".1"); err != nil {
		t.Fatal(err)
	}
	m.Signal(syscall.SIGHUP)
	testkit.Eventually(t, testkit.CallLimit, "the record to begin anew", func() bool {
		a.OK("session", A{"action": "list"})
		text, err := os.ReadFile(record)
		return err == nil && strings.Contains(string(text), `"name":"session"`)
	})
}

// A process whose client has gone goes by what the file says, as all others do.
func TestGrantsOfProcessesWithoutClients(t *testing.T) {
	testkit.Adapters(t)
	p, file := testkit.NewProgramOf(t, "python", "tour"), filepath.Join(t.TempDir(), "principals")
	say := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	say(`{"ada": {}}`)
	g := begin(t, "--principals", file, "--log-level", "info")
	m := g.machine(t, "m1", g.cluster, map[string]string{"shop": p.Dir})
	c := g.Join(t, secret, "2025-11-25")
	for _, call := range []mcp.CallToolParams{
		{Name: "session_start", Arguments: A{"target": p.Dir + "/main.py", "stop_on_entry": true}},
		{Name: "session", Arguments: A{"action": "stop"}},
	} {
		if r, err := c.CallTool(t.Context(), &call); err != nil || r.IsError {
			t.Fatal(err, r)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if got := workersOf(m); len(got) != 1 {
		t.Fatalf("%d processes are there", len(got))
	}
	say(`{"ada": {"read-only": true}}`)
	g.Signal(syscall.SIGHUP)
	testkit.Eventually(t, 20*time.Second, "the process to end that may do more than the file says", func() bool { return len(workersOf(m)) == 0 })
}
