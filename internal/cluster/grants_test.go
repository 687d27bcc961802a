package cluster

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/cluster/link"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/serving/grants"
	"aidb-mcp/internal/serving/pool"
)

// allowed is what a gateway's file says.
func allowed(f grants.File) *grants.Current {
	c := &grants.Current{}
	c.Renew(f)
	return c
}

// What a principal may do goes with it: how its workers are started, in which workspaces, and
// from the next worker on what the file says then.
func TestGrantsHoldOnMachines(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.machineAt(c.cable(), "m1", pool.Options{}, "shop", "web")
	file := allowed(grants.File{
		"ada": {ReadOnly: true, Workspaces: []string{"shop"}},
		"eve": {Folders: []string{"elsewhere"}},
		"joe": {Tools: []string{"workplace"}},
	})
	l := c.gatewayWith(c.cable(), link.Options{Name: "g1", Grants: file})
	a := sit(t, l, pool.Client{Principal: "ada"})
	if got := commandOf(t, a); !strings.Contains(got, "read-only=true in=shop") {
		t.Errorf("ada's worker is started as %s", got)
	}
	refused := sit(t, l, pool.Client{Principal: "ada", Workspace: "web"}).send("ping", `{}`)
	if refused == nil || refused.Code != fault.InvalidParam || strings.Contains(refused.Message, "web (on") || !strings.Contains(refused.Message, "shop (on m1)") {
		t.Errorf("ada asks for what is not hers: %+v", refused)
	}
	reply := sit(t, l, pool.Client{Principal: "eve", Workspace: "shop"}).ask("ping", `{}`)
	if reply.Text("error", "data", "code") != "AIDB_POLICY_DENIED" || !strings.Contains(reply.Text("error", "message"), "it lies elsewhere") {
		t.Errorf("eve: %s", reply.Bytes())
	}
	if got := commandOf(t, sit(t, l, pool.Client{Principal: "bob", Workspace: "web"})); strings.Contains(got, "in=") {
		t.Errorf("bob's worker is started as %s", got)
	}

	joe := sit(t, l, pool.Client{Principal: "joe"})
	if reply := joe.ask("tools/call", `{"name":"echo"}`); !strings.Contains(string(reply.Bytes()), "AIDB_POLICY_DENIED: the tool echo") {
		t.Errorf("joe calls what he may not: %s", reply.Bytes())
	}
	if reply := joe.ask("tools/call", `{"name":"workplace"}`); reply.Text("result", "dir") == "" {
		t.Errorf("joe: %s", reply.Bytes())
	}

	a.ask("sessions", `[]`) // it tells that it has none, so that it may be ended
	file.Renew(grants.File{"ada": {}})
	l.Renew()
	for end := time.Now().Add(patience); strings.Contains(commandOf(t, a), "read-only"); {
		if time.Now().After(end) {
			t.Fatal("the worker goes by what the file has said")
		}
		a.ask("sessions", `[]`)
	}
}

// commandOf is how a client's worker was started.
func commandOf(t *testing.T, c *client) string {
	t.Helper()
	text, err := os.ReadFile("/proc/" + string(c.ask("echo", `{}`).Get("result", "pid")) + "/cmdline")
	if err != nil {
		t.Skip("how a process was started cannot be seen here")
	}
	return strings.ReplaceAll(string(text), "\x00", " ")
}

// A principal's workers are counted on all machines: one that rests makes room for another
// elsewhere, and one that works does not.
func TestWorkersOfAPrincipalOnAllMachines(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.machineAt(c.cable(), "m1", pool.Options{}, "shop")
	c.machineAt(c.cable(), "m2", pool.Options{}, "web")
	file := allowed(grants.File{"ada": {Workers: 1}})
	limits := pool.Options{Wait: 3 * time.Second}
	first := c.gatewayWith(c.cable(), link.Options{Name: "g1", Grants: file, Limits: limits})
	second := c.gatewayWith(c.cable(), link.Options{Name: "g2", Grants: file, Limits: limits})
	a := sit(t, first, pool.Client{Principal: "ada", Workspace: "shop"})
	a.ask("sessions", `[{"id":"go-1","language":"go"}]`)
	told := func() bool { return second.Uses("ada") == 1 && first.Uses("ada") == 1 }
	until(t, "the second gateway to hear of it", told)
	b := sit(t, second, pool.Client{Principal: "ada", Workspace: "web"})
	refused := b.send("ping", `{}`)
	if refused == nil || refused.Code != fault.WorkerLimit || !strings.Contains(refused.Message, "1 on m1") {
		t.Fatalf("a second worker of ada's is not refused: %+v", refused)
	}
	if reply := sit(t, second, pool.Client{Principal: "bob", Workspace: "web"}).ask("echo", `{}`); reply.Text("result", "principal") != "bob" {
		t.Errorf("bob: %s", reply.Bytes())
	}
	a.ask("sessions", `[]`)
	if reply := b.ask("echo", `{}`); reply.Text("result", "worker") == "" {
		t.Errorf("nothing makes room: %s", reply.Bytes())
	}
}

// Calls are counted by whichever gateway they come, on the machine exactly, between gateways
// when the machine has told of them.
func TestCallsOfAPrincipalByAllGateways(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.machineAt(c.cable(), "m1", pool.Options{}, "shop")
	file := allowed(grants.File{"ada": {Calls: 12}}) // two at once, and four for a machine
	rates := &grants.Rates{}
	first := c.gatewayWith(c.cable(), link.Options{Name: "g1", Grants: file})
	second := c.gatewayWith(c.cable(), link.Options{Name: "g2", Grants: file, Rates: rates})
	sit(t, second, pool.Client{Principal: "bob"}).ask("echo", `{}`) // it knows the machine
	a := sit(t, first, pool.Client{Principal: "ada"})
	refused := 0
	for range 8 {
		if reply := a.ask("echo", `{}`); reply.Text("error", "data", "code") == "AIDB_WORKER_LIMIT" && strings.Contains(reply.Text("error", "message"), "12 calls a minute") {
			refused++
		}
	}
	if refused != 4 {
		t.Errorf("of 8 calls at once, which no gateway has held, the machine refuses %d", refused)
	}
	until(t, "the second gateway to count them", func() bool { return rates.Wait("ada", 12) > 5*time.Second })
}

// until waits for what comes by itself.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !is(); {
		if time.Now().After(end) {
			t.Fatalf("no %s", what)
		}
		<-time.After(10 * time.Millisecond)
	}
}

// Who waits for a worker is seen by all gateways, with where: on a machine that is full, or nowhere yet
// because the principal has as many as it may.
func TestWhoWaits(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.machineAt(c.cable(), "m1", pool.Options{Workers: 1, Wait: patience}, "shop")
	c.machineAt(c.cable(), "m2", pool.Options{}, "web")
	file := allowed(grants.File{"ada": {Workers: 1}})
	first := c.gatewayWith(c.cable(), link.Options{Name: "g1", Grants: file, Limits: pool.Options{Wait: patience}})
	second := c.gatewayWith(c.cable(), link.Options{Name: "g2", Grants: file})
	a := sit(t, first, pool.Client{Principal: "ada", Workspace: "shop"})
	a.ask("sessions", `[{"id":"go-1","language":"go"}]`)
	until(t, "the gateway to hear of it", func() bool { return first.Uses("ada") == 1 })
	for _, who := range []pool.Client{{Principal: "bob", Workspace: "shop"}, {Principal: "ada", Workspace: "web"}} {
		b := sit(t, first, who)
		go func() { _ = b.Ask(t.Context(), parse(t, `{"jsonrpc":"2.0","id":1,"method":"ping","params":{}}`)) }() // ends with the test
	}
	waits := func(l *link.Link, machine, principal string) func() bool {
		return func() bool {
			return slices.ContainsFunc(l.Report("").Waiting, func(w pool.WaitingReport) bool {
				return w.Machine == machine && w.Principal == principal && time.Since(w.Since) < patience
			})
		}
	}
	until(t, "word of who waits on a machine", waits(first, "m1", "bob"))
	until(t, "word of it at the other gateway", waits(second, "m1", "bob"))
	until(t, "word of who may have no more", waits(first, "", "ada"))
	if waits(second, "", "ada")() {
		t.Error("who waits at one gateway waits at another")
	}
}
