package machine

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/cluster/wire"
	"aidb-mcp/internal/mcp/frame"
)

// A request whose gateway's lease has run out is not made, and is answered all the same: the
// gateway may still wait for it.
func TestALapsedRequestIsAnswered(t *testing.T) {
	said := make(chan wire.Packet, 100)
	line := wire.New(wire.Options{
		Name: "l1", Deliver: func(string, []byte) {},
		Send: func(text []byte) error {
			if p, err := wire.Decode(text); err == nil && p.Op != "" {
				said <- p
			}
			return nil
		},
	})
	defer line.Close()
	f, err := frame.Parse([]byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"note"}}`))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := &seat{h: &Host{clocks: suspendClock{began: time.Now().Add(-time.Hour)}}, waiting: map[string]context.CancelFunc{"7": cancel}} // without a worker to ask
	s.ask(request{ctx: ctx, cancel: cancel, frame: f, line: line})
	p := <-said
	var r span.Refusal
	if err := json.Unmarshal(p.Body, &r); err != nil || p.Op != span.OpRefused || string(r.ID) != "7" || !strings.Contains(r.Fault().Message, "has not begun") {
		t.Errorf("the gateway is told %s %s", p.Op, p.Body)
	}
}
