package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/responses"
)

// A call asks the gateway for machines, has one do a part, and hears its answer or why there is none.
func TestAskingTheGateway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asks := func(ctx context.Context, _ string, _ json.RawMessage, by client.Client) responses.Reply {
			peers, err := by.(client.Peers).Peers(ctx)
			if err != nil || len(peers) != 1 {
				t.Errorf("%v, %v", peers, err)
				return responses.Reply{Text: []byte("none")}
			}
			answer, err := by.(client.Peers).Ask(ctx, client.Part{Machine: peers[0].Machine, Tool: "diagnose", Arguments: json.RawMessage("{}"), Question: json.RawMessage("9007199254740993")})
			_, err2 := by.(client.Peers).Ask(ctx, client.Part{})
			var f *fault.Error
			isRefused := errors.As(err2, &f) && f.Code == fault.WorkerLimit
			return responses.Reply{Text: fmt.Appendf(nil, "%s %v %t", answer, err, isRefused)}
		}
		p := start(t, Options{Calls: callerFunc(asks), Peers: true})
		p.initialize()
		p.send(call(1, "diagnose", "{}"))
		if m := p.receive(); m.Method != client.PeersMethod || string(m.ID) != `"aidb-peer-1"` {
			t.Fatalf("asked first: %s", m.raw)
		}
		p.send(`{"jsonrpc":"2.0","id":"aidb-peer-1","result":{"peers":[{"machine":"two"}]}}`)
		if m := p.receive(); m.Method != client.PartMethod || !strings.Contains(m.raw, `"question":9007199254740993`) {
			t.Fatalf("asked then: %s", m.raw)
		}
		p.send(`{"jsonrpc":"2.0","id":"aidb-peer-99","result":{}}`) // to which nobody waits
		p.send(`{"jsonrpc":"2.0","id":"aidb-peer-2","result":{"answer":{"made":3}}}`)
		p.receive()
		p.send(`{"jsonrpc":"2.0","id":"aidb-peer-3","result":{"refused":{"code":"WORKER_LIMIT","message":"others work there"}}}`)
		if m := p.receive(); len(m.Result.Content) != 1 || m.Result.Content[0].Text != `{"made":3} <nil> true` {
			t.Errorf("%s", m.raw)
		}
		p.in.Close()
		p.rest()
	})
}

// A part of another's call is known, and answered beside the reply; one who has no gateway knows none.
func TestAPartOfACall(t *testing.T) {
	for _, isWorker := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			answers := func(_ context.Context, _ string, _ json.RawMessage, by client.Client) responses.Reply {
				q := by.(client.Partial).Question()
				if len(q) > 0 {
					by.(client.Partial).Answer(json.RawMessage(`{"to":` + string(q) + `}`))
				}
				return responses.Reply{Text: []byte("done")}
			}
			p := start(t, Options{Calls: callerFunc(answers), Peers: isWorker})
			p.initialize()
			p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"diagnose","arguments":{},"_meta":{"aidb/part":"9007199254740993"}}}`)
			if m := p.receive(); strings.Contains(m.raw, `"aidb/part":{"to":9007199254740993}`) != isWorker {
				t.Errorf("a worker: %t, %s", isWorker, m.raw)
			}
			p.in.Close()
			p.rest()
		})
	}
}
