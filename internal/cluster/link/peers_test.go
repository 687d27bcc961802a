package link

import (
	"testing"
	"time"

	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/pool"
)

// Only a machine that is there, is the same program, and has room and nobody else's work does parts for
// others.
func TestWhoDoesPartsForOthers(t *testing.T) {
	asked, err := frame.Parse([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"diagnose"}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(at *machine)
		helps  bool
	}{
		"one that rests":          {func(*machine) {}, true},
		"one at our work":         {func(at *machine) { at.is.Running, at.is.Working = 1, 0 }, true},
		"one at others' work":     {func(at *machine) { at.is.Working = 1 }, false},
		"one for which is waited": {func(at *machine) { at.is.Waiting = 1 }, false},
		"one without a place":     {func(at *machine) { at.is.Running = 8 }, false},
		"another version":         {func(at *machine) { at.is.Version = "v2" }, false},
		"another program":         {func(at *machine) { at.is.Parts = false }, false},
		"another workspace":       {func(at *machine) { at.is.Workspaces = []string{"web"} }, false},
		"one that is silent":      {func(at *machine) { at.heard = time.Now().Add(-time.Minute) }, false},
		"one that has ended":      {func(at *machine) { at.gone = true }, false},
	} {
		l := quiet()
		of := func(name string) *machine {
			at := &machine{name: name, heard: time.Now(), is: span.Presence{Workspaces: []string{"shop"}, Version: "v1", Workers: 8, Parts: true}}
			l.machines[name] = at
			return at
		}
		own, two := of("one"), of("two")
		c.change(two)
		s := newSeat(l, pool.Client{Principal: "ada", Workspace: "shop"}, nil)
		s.at, s.place = own, "shop"
		if peers := l.peersOf(s); len(peers) != 0 {
			t.Errorf("%s: without a call there are %v", name, peers)
		}
		s.calls["1"] = &call{request: pool.NewBrief(asked)}
		if peers := l.peersOf(s); (len(peers) == 1) != c.helps || c.helps && peers[0].Machine != "two" {
			t.Errorf("%s: there are %v", name, peers)
		}
	}
}
