package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"aidb-mcp/internal/commands/bench/debuggee"
)

// measureMany measures what it costs to serve many clients: the way through the gateway
// and the bridge beside a plain server, a client's start, and a crowd.
func (b *bench) measureMany(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "aidb-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	g, err := startGateway(ctx, b.Binary, dir, workersFlag(crowd))
	if err != nil {
		return err
	}
	b.alone(g)
	err = errors.Join(b.arrivals(ctx, g), b.hops(ctx, g, dir), b.crowd(ctx, g))
	return errors.Join(err, g.close())
}

// alone is what a gateway without workers costs.
func (b *bench) alone(g *gateway) {
	var memory samples
	if used, err := residentOf(g.cmd.Process.Pid); err == nil {
		memory.add(used.rss)
	}
	b.add(row{what: "gateway without workers, resident", unit: inMB, ours: memory, target: 40})
}

// arrivals is how long a new client waits for its worker.
func (b *bench) arrivals(ctx context.Context, g *gateway) error {
	var took samples
	for range b.Runs + 1 {
		begun := time.Now()
		c, err := g.connect(ctx)
		if err != nil {
			return err
		}
		took.since(begun)
		c.close(ctx)
	}
	took.dropFirst()
	b.add(row{what: "a new client has its worker", unit: inMS, ours: took, target: 60})
	return nil
}

// callsEach is how many calls make one sample of a hop.
const callsEach = 100

// hops are what a call costs more than at a plain server, all taking turns.
func (b *bench) hops(ctx context.Context, g *gateway, dir string) error {
	plain, err := startServer(ctx, b.Binary, dir)
	if err != nil {
		return err
	}
	through, err := g.connect(ctx)
	if err != nil {
		return plain.fail(err)
	}
	defer through.close(ctx)
	bridged, err := startServer(ctx, b.Binary, dir, "connect", g.url, "--token-file", g.tokens)
	if err != nil {
		return plain.fail(err)
	}
	forgetful, err := startServer(ctx, b.Binary, dir, "serve", "--no-store")
	if err != nil {
		return errors.Join(plain.fail(err), bridged.close())
	}
	ways := []func() error{
		func() error { _, err := plain.call("session", debuggee.Object{"action": "list"}); return err },
		func() error { return through.call(ctx, "session", debuggee.Object{"action": "list"}, `success`) },
		func() error { _, err := bridged.call("session", debuggee.Object{"action": "list"}); return err },
		func() error { _, err := forgetful.call("session", debuggee.Object{"action": "list"}); return err },
	}
	var stdio, gateway, both, account samples
	for range b.Runs + 1 {
		var medians [4]float64
		for i, way := range ways {
			var took samples
			for range callsEach {
				begun := time.Now()
				if err := way(); err != nil {
					return errors.Join(plain.fail(err), bridged.close(), forgetful.close())
				}
				took.add(micros(begun))
			}
			medians[i] = took.median()
		}
		stdio.add(medians[0])
		gateway.add(medians[1] - medians[0])
		both.add(medians[2] - medians[0])
		account.add(medians[0] - medians[3])
	}
	for _, s := range []*samples{&stdio, &gateway, &both, &account} {
		s.dropFirst()
	}
	b.add(row{what: fmt.Sprintf("a call at a plain server, median of %d", callsEach), unit: inMicros, ours: stdio})
	b.add(row{what: "  more through the gateway", unit: inMicros, ours: gateway, target: 1000})
	b.add(row{what: "  more through bridge and gateway", unit: inMicros, ours: both, target: 2000})
	b.add(row{what: "  the account's share of it", unit: inMicros, ours: account, target: 50})
	return errors.Join(plain.close(), bridged.close(), forgetful.close())
}

// crowd is how many clients debug at the same time.
const crowd = 50

// crowd has each of its clients start a session and ask on, all at once.
func (b *bench) crowd(ctx context.Context, g *gateway) error {
	d, err := b.embeddedSession()
	if err != nil {
		return err
	}
	p, err := d.Ready(ctx, b.Binary)
	if err != nil {
		return err
	}
	defer p.Remove()
	args := d.StartArgs(p)
	args["timeout_ms"] = 120_000
	var (
		all           sync.WaitGroup
		mu            sync.Mutex // guards the fields below
		starts, calls samples
		failed        error
	)
	for range crowd {
		all.Go(func() {
			start, asked, err := b.client(ctx, g, args, d.Embedded)
			mu.Lock()
			defer mu.Unlock()
			failed = errors.Join(failed, err)
			starts, calls = append(starts, start), append(calls, asked...)
		})
	}
	all.Wait()
	if failed != nil {
		return failed
	}
	b.add(row{what: fmt.Sprintf("%d clients at once: to the first stop, of all", crowd), unit: inMS, ours: starts})
	b.add(row{what: "  a call at the stop", unit: inMS, ours: calls})
	b.add(row{what: "  its 99th percentile", unit: inMS, ours: samples{calls.percentile(99)}})
	return nil
}

// client is one of the crowd: how long its start took, and each of its calls, in ms.
func (b *bench) client(ctx context.Context, g *gateway, args debuggee.Object, e *debuggee.Embedded) (start float64, calls samples, err error) {
	begun := time.Now()
	c, err := g.connect(ctx)
	if err != nil {
		return 0, nil, err
	}
	defer c.close(ctx)
	if err := c.call(ctx, "session_start", args, "stopped_at_breakpoint"); err != nil {
		return 0, nil, err
	}
	start = micros(begun) / 1000
	for range 20 {
		begun := time.Now()
		if err := c.call(ctx, "inspect", debuggee.Object{"expression": e.Expression}, e.Value); err != nil {
			return 0, nil, err
		}
		calls.since(begun)
	}
	return start, calls, nil
}
