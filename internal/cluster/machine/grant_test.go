package machine

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/grants"
)

// What came by a gateway that is there no more is not told for ever: each run of one has another
// name, and only so many are counted.
func TestGatewaysThatAreGoneAreForgotten(t *testing.T) {
	u := newUses()
	for n := range mostGateways + 5 {
		u.call("ada", fmt.Sprint("gateway", n), 0)
	}
	now := time.Now()
	if told := u.all(nil, now)["ada"].Calls; len(told) != mostGateways {
		t.Fatalf("of %d gateways %d are told", mostGateways+5, len(told))
	}
	if told := u.all(map[string]int{"ada": 1}, now.Add(2*forgetUse))["ada"]; len(told.Calls) != 0 || told.Workers != 1 {
		t.Errorf("long after: %+v", told)
	}
	u.call("ada", "new", 0)
	if told := u.all(nil, time.Now())["ada"].Calls; told["new"] != 1 {
		t.Errorf("a new one is not counted: %v", told)
	}
}

// A machine is seen to be there, however many principals it has.
func TestAPresenceFitsAMessage(t *testing.T) {
	p := span.Presence{Epoch: "e", Workspaces: []string{"shop"}, Uses: map[string]span.Use{strings.Repeat("a", 2000): {Workers: 1}}}
	if text, isWhole := presenceWithin(10_000, p); !isWhole || !strings.Contains(string(text), "aaaa") {
		t.Errorf("%t %s", isWhole, text)
	}
	if text, isWhole := presenceWithin(1000, p); isWhole || len(text) > 1000 || !strings.Contains(string(text), `"shop"`) {
		t.Errorf("%t %s", isWhole, text)
	}
}

// Only a gateway has a part of another call done, and only by a tool that the principal may call.
func TestWhoMayAskForAPart(t *testing.T) {
	part, err := frame.Parse([]byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"attempt","_meta":{"aidb/part":"{}"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		seat    *seat
		refused string
	}{
		"a gateway": {seat: &seat{parts: true}},
		"a client":  {seat: &seat{}, refused: "no client's to say"},
		"for one who may not call it": {
			seat: &seat{parts: true, principal: "ada", granted: span.Granted{Grant: grants.Grant{Tools: []string{"diagnose"}}}}, refused: "ada may not call it here",
		},
	} {
		refused := ""
		if f := c.seat.admitCall(part); f != nil {
			refused = f.Message
		}
		if (refused == "") != (c.refused == "") || !strings.Contains(refused, c.refused) {
			t.Errorf("%s: %q", name, refused)
		}
	}
}
