package cluster

import (
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"aidb-mcp/internal/cluster/link"
	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/cluster/wire"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/serving/grants"
	"aidb-mcp/internal/serving/handle"
	"aidb-mcp/internal/serving/pool"
)

// Tenants of one gateway know nothing of each other: no machine, no workspace, no session,
// whatever they name.
func TestTenantsOfAGateway(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.machineOf("red", c.cable(), "m1", pool.Options{Machine: "MRED00"}, "shop", "both")
	c.machineOf("blue", c.cable(), "m2", pool.Options{Machine: "MBLUE0"}, "web", "both")
	file := grants.File{"ada": {Tenant: "red"}, "bob": {Tenant: "blue"}, "*": {}}
	o := link.Options{Name: "g", Observe: pool.Nobody(), Log: c.log, Grants: allowed(file)}
	tenants, err := link.NewTenants(o, file, func(tenant string) (*link.Link, error) {
		return c.gatewayOf(tenant, c.cable(), link.Options{Name: "g-" + tenant + "x", Grants: o.Grants}), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	sitAt := func(who pool.Client) *client { return sitIn(t, tenants, who) }
	a := sitAt(pool.Client{Principal: "ada", Workspace: "both"})
	a.ask("sessions", `[{"id":"go-1","language":"go"}]`)
	for who, never := range map[pool.Client]string{
		{Principal: "ada", Workspace: "web"}:  "m2",
		{Principal: "bob", Workspace: "shop"}: "m1",
		{Principal: "eve", Workspace: "both"}: "m1",
		{Principal: "ada", Label: "is=m2"}:    "web",
	} {
		refused := sitAt(who).send("ping", `{}`)
		if refused == nil || strings.Contains(refused.Message+refused.Hint, never) {
			t.Errorf("%+v: %+v", who, refused)
		}
	}
	if refused := sitAt(pool.Client{Principal: "eve"}).send("ping", `{}`); refused == nil || refused.Code != fault.WorkerLimit {
		t.Errorf("who has no tenant has a machine: %+v", refused)
	}
	bobs := sitAt(pool.Client{Principal: "bob", Workspace: "both"})
	bobs.ask("echo", `{}`)
	id := handle.Mint("go-1", "MRED00", "w1").String()
	if _, refused := bobs.Find(id); refused == nil || refused.Code != fault.SessionNotFound {
		t.Errorf("bob finds a session of another tenant: %+v", refused)
	}
	if others := sitAt(pool.Client{Principal: "bob"}).Others(); len(others) > 0 {
		t.Errorf("bob is told of %+v", others)
	}
	for operator, want := range map[string]string{"ada": "m1 of red: ada; ", "bob": "m2 of blue: bob; ", "eve": "m1 of red: ada; m2 of blue: bob; "} {
		if got := reported(tenants.Report(operator)); got != want {
			t.Errorf("%s is told of %q, and not of %q", operator, got, want)
		}
	}
	if err := tenants.Prepare(grants.File{"bob": {Tenant: "blue"}, "ada": {Tenant: "blue"}}); err == nil || !strings.Contains(err.Error(), "ada") {
		t.Errorf("ada becomes another tenant's while she is here: %v", err)
	}
	if err := tenants.Prepare(grants.File{"bob": {Tenant: "blue"}, "ada": {Tenant: "red"}, "joe": {Tenant: "green"}}); err != nil {
		t.Errorf("a tenant that is new: %v", err)
	}
}

// reported are the machines of a report, each with its tenant and whose workers it has.
func reported(r pool.Report) (text string) {
	for _, m := range r.Machines {
		text += m.Name + " of " + m.Tenant + ": "
		for _, w := range r.Workers {
			if w.Machine == m.Name {
				text += w.Principal + "; "
			}
		}
	}
	return text
}

func sitIn(t *testing.T, w pool.Workers, who pool.Client) *client {
	c := newClient(t)
	c.Slot = w.Place(who, c.hear)
	return c
}

// A member of one tenant reaches no subject of another, whatever role it has there, and
// whatever it claims to be.
func TestSubjectsOfAnotherTenant(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.machineOf("red", c.cable(), "m1", pool.Options{}, "shop")
	red, blue := c.dialAs("red", span.Gateway, "gred", c.cable()), c.dialAs("blue", span.Gateway, "gblue", c.cable())
	machine := c.dialAs("blue", span.Machine, "m2", c.cable())
	heard, err := red.SubscribeSync(span.EachHere)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := heard.NextMsg(patience); err != nil {
		t.Fatal(err)
	}
	for name, subjects := range map[*nats.Conn][]string{blue: {span.EachHere, span.EachGone, span.Up("gblue", "*")}, machine: {span.Who, span.Down("m2")}} {
		for _, subject := range subjects {
			if _, err := name.Subscribe(subject, func(m *nats.Msg) {
				if len(m.Data) > 0 && span.MachineOf(m.Subject) != "m2" {
					t.Errorf("another tenant hears %s at %s", m.Data, m.Subject)
				}
			}); err != nil {
				t.Error(err)
			}
		}
		_ = name.Flush()
	}
	answers, err := red.SubscribeSync(span.Up("gred", "*"))
	if err != nil {
		t.Fatal(err)
	}
	// What blue says to red's machine comes to nobody; nor what its machine says as red's.
	packet := wire.Packet{Line: "forged", N: 1, Op: span.OpOpen, Body: span.Marshal(span.Opening{Seat: "x"})}.Encode()
	_ = blue.PublishRequest(span.Down("m1"), span.Up("gblue", "x"), packet)
	_ = machine.Publish(span.Here("m1"), span.Marshal(span.Presence{Epoch: "forged"}))
	_ = machine.Publish(span.Gone("m2"), []byte("forged"))
	_ = machine.Publish(span.Up("gred", "x"), packet)
	_ = red.Publish(span.Who, nil)
	_, _, _ = blue.Flush(), machine.Flush(), red.Flush()
	for range 3 {
		if m, err := heard.NextMsg(patience); err != nil || strings.Contains(string(m.Data), "forged") || span.MachineOf(m.Subject) != "m1" {
			t.Errorf("red hears %+v, %v", m, err)
		}
	}
	if m, err := answers.NextMsg(100 * time.Millisecond); err == nil {
		t.Errorf("red is answered %s", m.Data)
	}
}

// A token admits to its own tenant only, and once: who shows it again is another tenant's, or
// nobody.
func TestATokenOfATenant(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	token, err := c.members.Token(span.Machine, "red", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if tenant, err := c.members.Join(span.Machine, "m1", "UKEY", token); err != nil || tenant != "red" {
		t.Fatal(tenant, err)
	}
	if _, err := c.members.Join(span.Machine, "m2", "UKEY", token); err == nil {
		t.Error("a token is good twice")
	}
	if tenant, is, err := c.members.Has(span.Machine, "m1", "UKEY"); tenant != "red" || !is || err != nil {
		t.Error(tenant, is, err)
	}
	if _, is, _ := c.members.Has(span.Machine, "m1", "UOTHER"); is {
		t.Error("another key has the name")
	}
}

// A machine cannot answer a call that another has: what a line is called only those know who
// speak on it.
func TestAMachineThatAnswersForAnother(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.machineAt(c.cable(), "m1", pool.Options{}, "shop")
	forger := c.dial(span.Machine, "m2", c.cable())
	asked := make(chan string, 10)
	if _, err := forger.Subscribe(span.Down("m2"), func(m *nats.Msg) { asked <- m.Reply }); err != nil {
		t.Fatal(err)
	}
	l := c.gatewayAt(c.cable(), "g1")
	presence := span.Presence{Epoch: "e", Handles: "FORGER", Workspaces: []string{"web"}, Workers: 1}
	_ = forger.Publish(span.Here("m2"), span.Marshal(presence))
	_ = forger.Flush()
	b := sit(t, l, pool.Client{Principal: "bob", Workspace: "web"})
	if refused := b.send("ping", `{}`); refused != nil {
		t.Fatal(refused)
	}
	reply := <-asked // where the gateway listens for all machines
	a := sit(t, l, pool.Client{Principal: "ada", Workspace: "shop"})
	if refused := a.send("late", `{}`); refused != nil {
		t.Fatal(refused)
	}
	for _, line := range []string{"", "1", "e", reply} {
		_ = forger.Publish(reply, wire.Packet{Line: line, N: 1, Op: span.OpFrame, Body: []byte(`{"jsonrpc":"2.0","id":1,"result":{"forged":true}}`)}.Encode())
		_ = forger.Publish(reply, wire.Packet{Line: line, None: true}.Encode())
	}
	_ = forger.Flush()
	if r := a.ask("ping", `{}`); r.Text("result", "late") == "" || strings.Contains(string(r.Bytes()), "forged") {
		t.Errorf("%s", r.Bytes())
	}
}
