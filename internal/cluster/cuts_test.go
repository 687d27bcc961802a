package cluster

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	mcpclient "aidb-mcp/internal/mcp/client"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/pool"
	"aidb-mcp/internal/testkit"
)

// However a wire is cut, and for however long: each call has one answer, a result or an
// honest word that nobody knows, within seconds; each has begun at most once, has begun
// if there is a result, and never after it was given up.
func TestCutsOfTheWire(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		side, what string
		cut        func(*cable)
		short      bool // among those that are tried each time
	}{
		{"gateway", "closed", (*cable).cut, false},
		{"machine", "closed", (*cable).cut, true},
		{"gateway", "silent", func(c *cable) { c.stall(0, 1) }, true},
		{"machine", "silent", func(c *cable) { c.stall(0, 1) }, true},
		{"gateway", "to the server", func(c *cable) { c.stall(0) }, true},
		{"machine", "to the server", func(c *cable) { c.stall(0) }, false},
		{"gateway", "back", func(c *cable) { c.stall(1) }, false},
		{"machine", "back", func(c *cable) { c.stall(1) }, true},
	} {
		for _, long := range []time.Duration{300 * time.Millisecond, 3 * time.Second, 6 * time.Second, 9 * time.Second} {
			if !testkit.IsLong() && (!tt.short || long != 9*time.Second) && (tt.what != "closed" || long != 3*time.Second) {
				continue
			}
			t.Run(fmt.Sprintf("%s/%s/%s", tt.side, tt.what, long), func(t *testing.T) {
				t.Parallel()
				testCut(t, tt.side, tt.cut, long)
			})
		}
	}
}

// A worker of ours is told by when a call must have begun. What was asked on a line that its
// gateway has given up is cancelled when that opens the next, so that it never begins late.
func TestCallsThatWereGivenUp(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.fences = true
	wire := c.cable()
	c.machineAt(wire, "m1", pool.Options{}, "shop")
	a := sit(t, c.gatewayAt(c.cable(), "g1"), pool.Client{Principal: "ada"})
	for _, params := range []string{`{"name":"echo"}`, `{"name":"echo","_meta":{"progressToken":1.10}}`} {
		line := a.ask("tools/call", params).Text("result", "line")
		var call struct {
			Params struct {
				Meta map[string]json.Number `json:"_meta"`
			}
		}
		if err := json.Unmarshal([]byte(line), &call); err != nil {
			t.Fatal(err)
		}
		before, err := call.Params.Meta[mcpclient.BeforeKey].Int64()
		if left := time.Until(time.UnixMilli(before)); err != nil || left <= 0 || left > 4*time.Second {
			t.Errorf("it must begin within %s: %s", left, line)
		}
		if strings.Contains(params, "_meta") && call.Params.Meta["progressToken"] != "1.10" {
			t.Errorf("%s", line)
		}
	}
	a.ask("sessions", `[{"id":"go-1","language":"go"}]`) // so that the worker is asked for again
	if refused := a.send("tools/call", `{"name":"late"}`); refused != nil {
		t.Fatal(refused)
	}
	late := fmt.Sprint(a.n)
	if reply := a.ask("ping", `{}`); reply.Text("result", "late") != late {
		t.Fatalf("%s", reply.Bytes())
	}
	wire.stall(0, 1)
	if text := string(a.answer().Bytes()); !strings.Contains(text, "AIDB_WORKER_GONE") {
		t.Fatal(text)
	}
	wire.resume()
	until(t, "machine that is there again", func() bool { return a.send("echo", `{}`) == nil })
	for { // the worker hears of it, and says so
		f := a.next()
		if string(f.Get("params", "cancelled", "requestId")) == late {
			return
		}
		if f.Kind() == frame.Answer && string(f.ID()) == late {
			t.Fatalf("%s", f.Bytes())
		}
	}
}

// reply is the answer to a call, and when it came.
type reply struct {
	frame frame.Frame
	at    time.Time
}

func testCut(t *testing.T, side string, cut func(*cable), long time.Duration) {
	c := newCluster(t)
	wires := map[string]*cable{"gateway": c.cable(), "machine": c.cable()}
	notes := c.machineAt(wires["machine"], "m1", pool.Options{Queue: 1000}, "shop")
	l := c.gatewayAt(wires["gateway"], "g1")
	answers := make(chan reply, 10_000)
	slot := l.Place(pool.Client{Principal: "ada"}, func(f frame.Frame) { answers <- reply{f, time.Now()} })

	replies := map[string][]reply{}
	sent := map[string]time.Time{}
	refused := map[string]string{}
	n := 0
	call := func() {
		n++
		id := fmt.Sprint(n)
		sent[id] = time.Now()
		if err := slot.Ask(t.Context(), parse(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"note"}}`, n))); err != nil {
			refused[id] = err.Message
		}
	}
	calls := func(d time.Duration) {
		for end := time.Now().Add(d); time.Now().Before(end); {
			call()
			<-time.After(25 * time.Millisecond)
		}
	}
	calls(time.Second)
	cut(wires[side])
	begun := time.Now()
	calls(long)
	wires[side].resume()
	calls(3 * time.Second)
	collect(answers, replies, n-len(refused))
	results, unknown, unbegun := judge(t, notesOf(t, notes), sent, replies, refused)
	t.Logf("%d calls: %d results, %d unknown, %d not begun", n, results, unknown, unbegun+len(refused))
	if long < time.Second && results != n {
		t.Errorf("a cut of %s cost %d calls", long, n-results)
	}
	if last := replies[fmt.Sprint(n)]; len(last) != 1 || last[0].frame.Get("result", "noted") == nil {
		t.Errorf("after the cut nothing works: %v, %s", last, refused[fmt.Sprint(n)])
	}
	for id, r := range replies {
		if from := sent[id]; len(r) == 1 && r[0].at.Sub(from) > 8*time.Second {
			t.Errorf("call %s, %s after the cut, was answered after %s", id, from.Sub(begun), r[0].at.Sub(from))
		}
	}
}

// collect waits for so many answers, and for what comes late.
func collect(answers <-chan reply, replies map[string][]reply, n int) {
	for end := time.Now().Add(15 * time.Second); len(replies) < n && time.Now().Before(end); {
		select {
		case r := <-answers:
			replies[string(r.frame.ID())] = append(replies[string(r.frame.ID())], r)
		case <-time.After(time.Until(end)):
		}
	}
	for late := time.After(time.Second); ; {
		select {
		case r := <-answers:
			replies[string(r.frame.ID())] = append(replies[string(r.frame.ID())], r)
		case <-late:
			return
		}
	}
}

// judge holds what has begun against what was answered.
func judge(t *testing.T, noted map[string][]time.Time, sent map[string]time.Time, replies map[string][]reply, refused map[string]string) (results, unknown, unbegun int) {
	t.Helper()
	for id := range sent {
		began, told := noted[id], replies[id]
		if len(began) > 1 {
			t.Errorf("call %s has begun %d times", id, len(began))
		}
		if text, was := refused[id]; was {
			if len(began) > 0 || len(told) > 0 {
				t.Errorf("call %s was refused (%s), and has begun %d times and was answered %d times", id, text, len(began), len(told))
			}
			continue
		}
		if len(told) != 1 {
			t.Errorf("call %s has %d answers, and has begun %d times", id, len(told), len(began))
			continue
		}
		text := string(told[0].frame.Bytes())
		switch {
		case told[0].frame.Get("result", "noted") != nil:
			results++
			if len(began) != 1 {
				t.Errorf("call %s has a result and has not begun", id)
			}
		case !strings.Contains(text, "AIDB_WORKER_GONE"):
			t.Errorf("call %s: %s", id, text)
		case strings.Contains(text, "has not begun"):
			unbegun++
			if len(began) > 0 {
				t.Errorf("call %s is said not to have begun, and has", id)
			}
		default:
			unknown++
			if len(began) > 0 && began[0].After(told[0].at) {
				t.Errorf("call %s has begun %s after it was given up", id, began[0].Sub(told[0].at))
			}
		}
	}
	return results, unknown, unbegun
}
