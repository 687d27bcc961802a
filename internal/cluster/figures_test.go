package cluster

import (
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/cluster/wire"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/pool"
	"aidb-mcp/internal/testkit"
)

// A cluster of 1,000 machines with a worker each, and 10,000 sessions of clients: what a
// gateway keeps of them, and how long it takes to find the right one. The machines only
// answer: nothing is debugged, and all share this process and its processors.
func TestFiguresOfALargeCluster(t *testing.T) {
	machines, sessions, calls, names := 40, 400, 2000, 40
	if testkit.IsLong() && !watched { // which makes all of them wait for each other; make test-all measures it apart
		machines, sessions, calls, names = 1000, 10_000, 50_000, 100
	}
	c := newCluster(t)
	began := time.Now()
	bare := heap()
	hosts := sync.WaitGroup{}
	gate := make(chan struct{}, 16)
	for i := range machines {
		hosts.Go(func() {
			gate <- struct{}{}
			defer func() { <-gate }()
			c.answerer(fmt.Sprint("m", i), fmt.Sprint("w", i%names))
		})
	}
	hosts.Wait()
	withMachines := heap()
	l := c.gatewayAt(c.cable(), "g1")
	until(t, "machine", func() bool { return l.Status().Workers == machines })
	known := heap()
	t.Logf("%d machines have joined after %s; the simulation's end of each takes %d KiB, what a gateway knows of each %d bytes",
		machines, time.Since(began).Round(time.Millisecond), (withMachines-bare)/uint64(machines)>>10, int64(known-withMachines)/int64(machines))

	placing := time.Now()
	clients := make([]*client, sessions)
	placed := make([]time.Duration, sessions)
	each(sessions, 32, func(i int) {
		clients[i] = &client{t: t, heard: make(chan frame.Frame, 4)}
		clients[i].Slot = l.Place(pool.Client{Principal: fmt.Sprint("p", i%200), Workspace: fmt.Sprint("w", i%names)}, clients[i].hear)
		at := time.Now()
		clients[i].askHeard("echo", `{}`)
		placed[i] = time.Since(at)
	})
	t.Logf("%d clients have a place after %s (p50 %s, p99 %s); gateway's and machines' ends of one take %d KiB together",
		sessions, time.Since(placing).Round(time.Millisecond), at(placed, 50), at(placed, 99), (heap()-known)/uint64(sessions)>>10)

	routed := make([]time.Duration, calls)
	begun := time.Now()
	var wrong atomic.Int64
	each(calls, 8, func(i int) {
		one := clients[i%sessions]
		at := time.Now()
		reply := one.askHeard("echo", `{}`)
		routed[i] = time.Since(at)
		if reply.Text("result", "workspace") != fmt.Sprint("w", i%sessions%names) {
			wrong.Add(1)
		}
	})
	took := time.Since(begun)
	t.Logf("%d calls by 8 at once: %.0f a second, p50 %s, p99 %s", calls, float64(calls)/took.Seconds(), at(routed, 50), at(routed, 99))
	if wrong.Load() > 0 {
		t.Errorf("%d calls were answered by another's machine", wrong.Load())
	}
}

// askHeard asks again where the machine was not heard: all of them share this process, and on a busy
// machine some are late.
func (c *client) askHeard(method, params string) frame.Frame {
	c.t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		refused := c.send(method, params)
		if refused == nil {
			return c.answer()
		}
		if refused.Code != fault.WorkerGone || time.Now().After(end) {
			c.t.Errorf("%s: %s (%s)", method, refused.Message, refused.Code)
			return frame.Frame{}
		}
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}

// each does something n times, by several at once. What has the same remainder is done by
// the same one.
func each(n, several int, do func(i int)) {
	var all sync.WaitGroup
	for first := range several {
		all.Go(func() {
			for i := first; i < n; i += several {
				do(i)
			}
		})
	}
	all.Wait()
}

func at(all []time.Duration, percent int) time.Duration {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)*percent/100].Round(10 * time.Microsecond)
}

// answerer is a machine with one worker, which says what workspace it is in.
func (c *cluster) answerer(name, workspace string) {
	nc := c.dialDirectly(span.Machine, name)
	began := time.Now()
	clock := func() int64 { return time.Since(began).Milliseconds() }
	var mu sync.Mutex
	lines := map[string]*wire.Line{}
	take := func(m *nats.Msg) {
		p, err := wire.Decode(m.Data)
		if err != nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		line := lines[p.Line]
		if line == nil && p.N == 1 {
			line = wire.New(wire.Options{
				Name: p.Line, Clock: clock, Send: func(packet []byte) error { return nc.Publish(m.Reply, packet) },
				Deliver: func(op string, body []byte) {
					switch op {
					case span.OpOpen:
						line.Say(span.OpOpened, span.Marshal(span.Opened{Fresh: true}))
					case span.OpAsk:
						f, _ := frame.Parse(body)
						line.Say(span.OpFrame, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{"workspace":%q}}`, f.ID(), workspace))
					}
				},
			})
			lines[p.Line] = line
			c.t.Cleanup(line.Close)
		}
		if line != nil {
			line.Take(p)
		}
	}
	tell := func() {
		text, _ := json.Marshal(span.Presence{Epoch: name, Clock: clock(), Handles: name, Workspaces: []string{workspace}, Version: "simulated", Workers: 20, Running: 1})
		_ = nc.Publish(span.Here(name), text)
	}
	for subject, hear := range map[string]nats.MsgHandler{span.Down(name): take, span.Who: func(*nats.Msg) { tell() }} {
		if _, err := nc.Subscribe(subject, hear); err != nil {
			c.t.Error(err)
		}
	}
	_ = nc.Flush()
	go func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			tell()
			select {
			case <-c.t.Context().Done():
				return
			case <-tick.C:
			}
		}
	}()
}
