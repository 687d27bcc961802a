package cluster

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"aidb-mcp/internal/cluster/engine"
	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/serving/pool"
	"aidb-mcp/internal/testkit"
)

// Frames pass as they are in both directions, whatever their size: calls, progress,
// questions of the worker and their answers, cancellations.
func TestFramesPassTheCluster(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.machineAt(c.cable(), "m1", pool.Options{}, "shop")
	a := sit(t, c.gatewayAt(c.cable(), "g1"), pool.Client{Principal: "ada"})

	line := `{"x":1.10,"jsonrpc":"2.0","id":18446744073709551615,"method":"echo","params":{"n":1e400}}`
	if refused := a.Ask(t.Context(), parse(t, line)); refused != nil {
		t.Fatal(refused)
	}
	if reply := a.answer(); reply.Text("result", "line") != line || string(reply.ID()) != "18446744073709551615" || reply.Text("result", "principal") != "ada" {
		t.Errorf("%s", reply.Bytes())
	}
	size := 9_000_000
	if testkit.IsLong() { // which looks for races: reading so much takes longer then than a lease lasts
		size = 2_500_000
	}
	long := strings.Repeat("0123456789", size/10)
	if reply := a.ask("echo", `{"long":"`+long+`"}`); !strings.Contains(reply.Text("result", "line"), long) {
		t.Errorf("an answer of %d bytes lacks what was sent", len(reply.Bytes()))
	}
	if refused := a.send("progress", `{"_meta":{"progressToken":"t"}}`); refused != nil {
		t.Fatal(refused)
	}
	for i := range 2 {
		if f := a.next(); f.Method() != "notifications/progress" || string(f.Get("params", "progress")) != fmt.Sprint(i+1) || string(f.Get("params", "x")) != "1.10" {
			t.Errorf("progress %d: %s", i, f.Bytes())
		}
	}
	a.answer()
	if refused := a.send("ask", `{}`); refused != nil {
		t.Fatal(refused)
	}
	question := a.next()
	if question.Text("id") != "question" || string(question.Get("params", "maxTokens")) != "18446744073709551615" {
		t.Errorf("%s", question.Bytes())
	}
	a.Tell(parse(t, `{"jsonrpc":"2.0","id":"question","result":{"model":"test","n":1.0}}`))
	if reply := a.answer(); !strings.Contains(reply.Text("result", "line"), `"n":1.0`) {
		t.Errorf("%s", reply.Bytes())
	}
	if refused := a.send("late", `{}`); refused != nil {
		t.Fatal(refused)
	}
	late := fmt.Sprint(a.n)
	if reply := a.ask("ping", `{}`); reply.Text("result", "late") != late { // it has begun
		t.Errorf("%s", reply.Bytes())
	}
	a.Cancel([]byte(late), parse(t, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, late)))
	if f := a.next(); string(f.Get("params", "cancelled", "requestId")) != late {
		t.Errorf("%s", f.Bytes())
	}
}

// A client works where its workspace is, or its label; who names what is not there
// hears what is. Another principal has another worker.
func TestPlacement(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.machineAt(c.cable(), "m1", pool.Options{}, "shop", "both")
	c.machineAt(c.cable(), "m2", pool.Options{}, "web", "both")
	l := c.gatewayAt(c.cable(), "g1")
	at := func(who pool.Client) string {
		return filepath.Base(sit(t, l, who).ask("workplace", `{}`).Text("result", "dir"))
	}
	for _, name := range []string{"shop", "web", "both"} {
		if got := at(pool.Client{Principal: "ada", Workspace: name}); got != name {
			t.Errorf("%s is %s", name, got)
		}
	}
	if got := at(pool.Client{Principal: "ada", Label: "is=m2"}); got != "web" && got != "both" {
		t.Errorf("at m2: %s", got)
	}
	for _, who := range []pool.Client{{Workspace: "none"}, {Label: "is=m3"}, {Workspace: "shop", Label: "is=m2"}} {
		refused := sit(t, l, who).send("ping", `{}`)
		if refused == nil || refused.Code != fault.InvalidParam || !strings.Contains(refused.Message, "both (on m1, m2), shop (on m1), web (on m2)") {
			t.Errorf("%+v: %+v", who, refused)
		}
	}
}

// A worker that crashes is the pool's business, and is told as by a pool.
func TestAWorkerCrashesElsewhere(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.machineAt(c.cable(), "m1", pool.Options{}, "shop")
	a := sit(t, c.gatewayAt(c.cable(), "g1"), pool.Client{Principal: "ada"})
	a.ask("initialize", `{"protocolVersion":"2025-11-25"}`)
	a.Greeted(parse(t, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`), parse(t, `{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	a.ask("sessions", `[{"id":"go-1","language":"go"}]`)
	reply := a.ask("die", `{}`)
	if reply.Text("error", "data", "code") != "AIDB_WORKER_CRASHED" || !strings.Contains(reply.Text("error", "message"), "go-1") {
		t.Errorf("%s", reply.Bytes())
	}
	if reply := a.ask("echo", `{}`); reply.Text("result", "worker") != "w2" {
		t.Errorf("%s", reply.Bytes())
	}
}

// One gateway that dies is noticed by nobody else. Its clients' workers end after a while.
func TestAGatewayDies(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.machineAt(c.cable(), "m1", pool.Options{}, "shop")
	w := c.cable()
	dying, lasting := c.gatewayAt(w, "g1"), c.gatewayAt(c.cable(), "g2")
	a, b := sit(t, dying, pool.Client{Principal: "ada"}), sit(t, lasting, pool.Client{Principal: "ada"})
	a.ask("echo", `{}`)
	if refused := b.send("late", `{}`); refused != nil {
		t.Fatal(refused)
	}
	w.cut()
	if reply := b.ask("ping", `{}`); reply.Text("result", "late") == "" {
		t.Errorf("%s", reply.Bytes())
	}
}

// The end of a machine is told to who waits, and to who has lost a session with the
// next call, once. Then the client is placed anew.
func TestAMachineEnds(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.machineAt(c.cable(), "m1", pool.Options{}, "shop")
	l := c.gatewayAt(c.cable(), "g1")
	a, b := sit(t, l, pool.Client{Principal: "ada"}), sit(t, l, pool.Client{Principal: "bob"})
	for _, one := range []*client{a, b} {
		one.ask("sessions", `[{"id":"go-1","language":"go"}]`)
	}
	if refused := a.send("tools/call", `{"name":"late"}`); refused != nil {
		t.Fatal(refused)
	}
	epoch := c.epochOf("m1")
	c.machineAt(c.cable(), "m2", pool.Options{}, "shop")
	c.epochOf("m2") // it is there
	// What the witness says, when the process has been killed.
	witness := c.dial(span.Machine, "witness", c.cable())
	if err := witness.Publish(span.Gone("m1"), []byte(epoch)); err != nil {
		t.Fatal(err)
	}
	_ = witness.Flush()
	select {
	case f := <-a.heard:
		t.Fatalf("another machine's word of m1's end counts: %s", f.Bytes())
	case <-time.After(200 * time.Millisecond):
	}
	witness = c.again("m1")
	begun := time.Now()
	if err := witness.Publish(span.Gone("m1"), []byte(epoch)); err != nil {
		t.Fatal(err)
	}
	text := string(a.answer().Bytes())
	for _, want := range []string{"AIDB_WORKER_GONE", "m1", "go-1", "nobody knows how far it came"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing: %s", want, text)
		}
	}
	if took := time.Since(begun); took > time.Second {
		t.Errorf("it took %s", took)
	}
	refused := b.send("tools/call", `{"name":"echo"}`)
	if refused == nil || refused.Code != fault.WorkerGone || !strings.Contains(refused.Message, "go-1") {
		t.Errorf("%+v", refused)
	}
	for _, one := range []*client{a, b} {
		if reply := one.ask("tools/call", `{"name":"echo"}`); reply.Text("result", "worker") == "" {
			t.Errorf("%s", reply.Bytes())
		}
	}
}

// epochOf is the run of a machine, as it tells a gateway.
func (c *cluster) epochOf(name string) string {
	c.t.Helper()
	nc := c.dial(span.Gateway, "hears-"+name, c.cable())
	heard, err := nc.SubscribeSync(span.EachHere)
	if err != nil {
		c.t.Fatal(err)
	}
	for {
		m, err := heard.NextMsg(patience)
		if err != nil {
			c.t.Fatal(err)
		}
		if span.MachineOf(m.Subject) == name {
			_, after, _ := strings.Cut(string(m.Data), `"epoch":"`)
			epoch, _, _ := strings.Cut(after, `"`)
			return epoch
		}
	}
}

// again is a second connection of a machine, as its witness has it.
func (c *cluster) again(name string) *nats.Conn {
	c.t.Helper()
	nc, err := span.Connect(span.Dial{URL: "nats://" + c.engine.Addr().String(), Role: span.Machine, Name: name, Key: c.keys[name], Witness: true, Log: c.log})
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(nc.Close)
	return nc
}

// Nobody comes in without a key that is known; a token lets one in, once; a machine
// reaches its own subjects only; one that is removed is out at once.
func TestTheDoor(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	url := "nats://" + c.engine.Addr().String()
	if nc, err := nats.Connect(url); err == nil {
		nc.Close()
		t.Error("anybody comes in")
	}
	key, _, err := span.Key(filepath.Join(t.TempDir(), "key"))
	if err != nil {
		t.Fatal(err)
	}
	dial := func(role span.Role, name, token string) (*nats.Conn, error) {
		nc, err := span.Connect(span.Dial{URL: url, Role: role, Name: name, Key: key, Token: token, Log: c.log})
		if err == nil {
			t.Cleanup(nc.Close)
		}
		return nc, err
	}
	for what, try := range map[string]func() (*nats.Conn, error){
		"a stranger":           func() (*nats.Conn, error) { return dial(span.Machine, "m1", "") },
		"with a false token":   func() (*nats.Conn, error) { return dial(span.Machine, "m1", "XXXX") },
		"with another's token": func() (*nats.Conn, error) { return dial(span.Machine, "m1", c.token(span.Gateway, time.Minute)) },
		"with an old token":    func() (*nats.Conn, error) { return dial(span.Machine, "m1", c.token(span.Machine, -time.Second)) },
		"with a bad name":      func() (*nats.Conn, error) { return dial(span.Machine, "m.>", c.token(span.Machine, time.Minute)) },
		"with a bad role":      func() (*nats.Conn, error) { return dial("root", "m1", c.token("root", time.Minute)) },
	} {
		if _, err := try(); err == nil {
			t.Errorf("%s comes in", what)
		}
	}
	token := c.token(span.Machine, time.Minute)
	nc, err := dial(span.Machine, "m1", token)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.members.Join(span.Machine, "m2", "UAAA", token); !errors.Is(err, engine.ErrToken) {
		t.Errorf("a token is good twice: %v", err)
	}
	if _, err := dial(span.Machine, "m1", ""); err != nil {
		t.Errorf("a member does not come in again: %v", err)
	}
	c.namesAreOnes(url)
	c.reaches(nc)
	if was, err := c.members.Remove(span.Machine, "m1"); !was || err != nil {
		t.Fatal(was, err)
	}
	removed := time.Now()
	for nc.IsConnected() && time.Since(removed) < 3*time.Second {
		<-time.After(5 * time.Millisecond)
	}
	if took := time.Since(removed); took > time.Second {
		t.Errorf("it was put out after %s", took)
	}
	if _, err := dial(span.Machine, "m1", ""); err == nil {
		t.Error("one that was removed comes in")
	}
}

func (c *cluster) token(role span.Role, valid time.Duration) string {
	c.t.Helper()
	token, err := c.members.Token(role, "", valid)
	if err != nil {
		c.t.Fatal(err)
	}
	return token
}

// namesAreOnes tries to join as m1, which is there, with another key.
func (c *cluster) namesAreOnes(url string) {
	c.t.Helper()
	other, _, err := span.Key(filepath.Join(c.t.TempDir(), "key"))
	if err != nil {
		c.t.Fatal(err)
	}
	if nc, err := span.Connect(span.Dial{URL: url, Role: span.Machine, Name: "m1", Key: other, Token: c.token(span.Machine, time.Minute), Log: c.log}); err == nil {
		nc.Close()
		c.t.Error("a name is given twice")
	}
}

// reaches holds what the machine m1 reaches against what it may.
func (c *cluster) reaches(nc *nats.Conn) {
	c.t.Helper()
	gateway, m2 := c.dial(span.Gateway, "g1", c.cable()), c.dial(span.Machine, "m2", c.cable())
	for subject, listener := range map[string]*nats.Conn{
		span.Here("m2"): gateway, span.Gone("m2"): gateway, span.Up("g1", "x"): gateway, span.Down("m2"): m2, span.Who: m2,
	} {
		heard, err := listener.SubscribeSync(subject)
		if err != nil {
			c.t.Fatal(err)
		}
		_ = listener.Flush()
		_ = nc.PublishRequest(subject, "aidb.up.g1.x", []byte("forged"))
		_ = nc.Flush()
		if m, err := heard.NextMsg(50 * time.Millisecond); err == nil {
			c.t.Errorf("m1 speaks at %s: %s", subject, m.Data)
		}
		_ = heard.Unsubscribe()
	}
	for _, subject := range []string{">", "aidb.>", span.Down("m2"), span.Up("g1", "*"), span.EachHere, "_INBOX.>"} {
		heard, err := nc.SubscribeSync(subject)
		if err != nil {
			continue
		}
		_ = nc.Flush()
		_ = gateway.PublishRequest(span.Down("m2"), span.Up("g1", "x"), []byte("secret"))
		_ = m2.Publish(span.Here("m2"), []byte("secret"))
		_, _ = gateway.Flush(), m2.Flush()
		if m, err := heard.NextMsg(50 * time.Millisecond); err == nil {
			c.t.Errorf("m1 hears %s at %s", m.Subject, subject)
		}
	}
	// What m1 was asked, it may answer, and not what m2 was.
	answers, err := gateway.SubscribeSync(span.Up("g1", "*"))
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := nc.Subscribe(span.Down("m1"), func(m *nats.Msg) {
		_ = nc.Publish(m.Reply, []byte("mine"))
		_ = nc.Publish(span.Up("g1", "two"), []byte("forged"))
	}); err != nil {
		c.t.Fatal(err)
	}
	_ = nc.Flush()
	_ = gateway.PublishRequest(span.Down("m2"), span.Up("g1", "two"), []byte("question"))
	_ = gateway.PublishRequest(span.Down("m1"), span.Up("g1", "one"), []byte("question"))
	for answered := false; ; {
		m, err := answers.NextMsg(time.Second)
		switch {
		case errors.Is(err, nats.ErrNoResponders): // to m2's question
		case err != nil && !answered:
			c.t.Errorf("m1 may not answer: %v", err)
			return
		case err != nil:
			return
		case string(m.Data) == "mine":
			answered = true
		case len(m.Data) > 0: // without data the server says that nobody listens
			c.t.Errorf("m1 answers for m2: %s", m.Data)
		}
	}
}

// What is not encrypted listens on this machine only, unless it is told otherwise.
func TestTheServerListensAtHome(t *testing.T) {
	t.Parallel()
	members, err := engine.NewMembers(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{"0.0.0.0:0", ":0", "nonsense"} {
		if e, err := engine.Start(engine.Options{Address: address, Members: members}); err == nil {
			e.Shutdown()
			t.Errorf("it listens at %s", address)
		}
	}
}

// Seats are closed in order when a gateway is: their workers end.
func TestAGatewayCloses(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.machineAt(c.cable(), "m1", pool.Options{}, "shop")
	l := c.gatewayAt(c.cable(), "g1")
	a := sit(t, l, pool.Client{Principal: "ada"})
	a.ask("echo", `{}`)
	if refused := a.send("late", `{}`); refused != nil {
		t.Fatal(refused)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	l.Close(ctx)
	if ctx.Err() != nil {
		t.Fatal("it does not end")
	}
	if reply := a.answer(); reply.Text("error", "data", "code") != "AIDB_OPERATION_CANCELLED" {
		t.Errorf("%s", reply.Bytes())
	}
}
