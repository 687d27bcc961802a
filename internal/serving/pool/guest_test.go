package pool

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/handle"
)

// A handshake that was answered before costs no worker: of the same principal, to the same
// words, by one of ours, until rules have changed.
func TestAHandshakeFromMemory(t *testing.T) {
	t.Parallel()
	p := newPool(t, Options{})
	hello := func(c *client, words string) string {
		t.Helper()
		return c.ask("initialize", words).Text("result", "worker")
	}
	ada := sit(t, p, "ada")
	first := hello(ada, `{"x":1}`)
	if next := hello(sit(t, p, "ada"), `{"x":1}`); next == first {
		t.Error("a server that is not ours was not asked")
	}
	ada.ask("sessions", `[]`) // by which one of ours is known
	again := sit(t, p, "ada")
	if got := hello(again, `{"x":1}`); got != first || again.Running() {
		t.Errorf("%s answers in the place of %s; a worker runs: %v", got, first, again.Running())
	}
	if own := again.ask("echo", "{}").Text("result", "worker"); own == "" || own == first {
		t.Errorf("its own worker is %q", own)
	}
	for _, c := range []struct{ who, words string }{{"bob", `{"x":1}`}, {"ada", `{"x":2}`}} {
		if got := hello(sit(t, p, c.who), c.words); got == first {
			t.Errorf("%s is answered to %s by another's worker", c.who, c.words)
		}
	}
	p.Renew()
	if got := hello(sit(t, p, "ada"), `{"x":1}`); got == first {
		t.Error("what was read again does not count")
	}
}

// A client that leaves a session behind is followed by another that goes on with it, at
// the same worker; a stranger finds nothing, and the end is told.
func TestAParkedWorker(t *testing.T) {
	t.Parallel()
	p := newPool(t, Options{})
	ada := sit(t, p, "ada")
	worker := ada.ask("echo", "{}").Text("result", "worker")
	id := handle.Mint("go-1", p.Limits().Machine, worker).String()
	ada.ask("sessions", fmt.Sprintf(`[{"id":%q,"language":"go","program":"./app"}]`, id))
	ada.Leave()
	if n := p.Status().Workers; n != 1 {
		t.Fatalf("%d workers", n)
	}
	next, bob := sit(t, p, "ada"), sit(t, p, "bob")
	if others := next.Others(); len(others) != 1 || others[0].ID != id {
		t.Errorf("elsewhere are %+v", others)
	}
	visited, refused := next.Find(id)
	if refused != nil || visited == nil {
		t.Fatalf("%v, %+v", visited, refused)
	}
	heard := make(chan frame.Frame, 10)
	ask := func(method string) frame.Frame {
		t.Helper()
		if _, refused := visited.AskAs(t.Context(), parse(t, `{"jsonrpc":"2.0","id":1,"method":"`+method+`"}`), func(f frame.Frame) { heard <- f }); refused != nil {
			t.Fatal(refused)
		}
		select {
		case f := <-heard:
			return f
		case <-time.After(patience):
			t.Fatal("nothing comes")
			return frame.Frame{}
		}
	}
	if got := ask("echo").Text("result", "worker"); got != worker {
		t.Errorf("%s answers", got)
	}
	_, real := bob.Find(id)
	_, none := bob.Find(handle.Mint("go-1", p.Limits().Machine, "w99").String())
	if real == nil || none == nil || real.Code != none.Code || real.Hint != none.Hint || strings.Contains(real.Error(), "./app") {
		t.Errorf("bob hears %+v, and of none %+v", real, none)
	}
	if cancel, refused := visited.AskAs(t.Context(), parse(t, `{"jsonrpc":"2.0","id":1,"method":"late"}`), func(f frame.Frame) { heard <- f }); refused != nil {
		t.Fatal(refused)
	} else {
		cancel()
		cancel()
	}
	if reply := ask("die"); !strings.Contains(string(reply.Bytes()), id) { // and not the one that was cancelled
		t.Errorf("%s", reply.Bytes())
	}
	if _, refused := next.Find(id); refused == nil || !strings.Contains(refused.Message, "is lost since") {
		t.Errorf("%+v", refused)
	}
}
