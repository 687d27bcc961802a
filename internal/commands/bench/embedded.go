package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"aidb-mcp/internal/commands/bench/debuggee"
)

// measureEmbedded measures what is only measured with the embedded debugger: memory, the
// start with the build in it, and the bytes of a whole session.
func (b *bench) measureEmbedded(ctx context.Context) error {
	d, err := b.embeddedSession()
	if err != nil {
		return err
	}
	p, err := d.Ready(ctx, b.Binary)
	if err != nil {
		return err
	}
	defer p.Remove()
	for _, measure := range []func(context.Context, debuggee.Session, *debuggee.Program) error{b.memory, b.startWithBuild, b.session} {
		if err := measure(ctx, d, p); err != nil {
			return err
		}
	}
	return nil
}

// embeddedSession is the session whose adapter is part of the server.
func (b *bench) embeddedSession() (debuggee.Session, error) {
	for _, set := range b.Sets {
		for _, s := range set.Sessions {
			if s.Embedded != nil {
				return s, nil
			}
		}
	}
	return debuggee.Session{}, errors.New("no adapter is part of the server")
}

// memory measures what the processes of a session cost when they are there.
func (b *bench) memory(ctx context.Context, d debuggee.Session, p *debuggee.Program) error {
	s, err := startServer(ctx, b.Binary, p.Dir)
	if err != nil {
		return err
	}
	var two, three, shared samples
	for range b.Runs {
		if _, err := s.stop("session_start", d.StartArgs(p), "stopped_at_breakpoint"); err != nil {
			return s.fail(err)
		}
		if used, err := residentTree(s.pid(), p.Binary); err == nil {
			two.add(used.rss - used.supervisors)
			three.add(used.rss)
			shared.add(used.pss)
		}
		if _, err := s.call("session", debuggee.Object{"action": "stop"}); err != nil {
			return s.fail(err)
		}
	}
	b.add(row{what: "server and " + d.Embedded.Debugger + " at a stop, resident", unit: inMB, ours: two, target: 60})
	b.add(row{what: "  with the supervisor between them", unit: inMB, ours: three})
	b.add(row{what: "  all three, shared pages counted once", unit: inMB, ours: shared})
	return s.close()
}

// startWithBuild measures a start of the package, with the build that the bare
// client does by running the same go build.
func (b *bench) startWithBuild(ctx context.Context, d debuggee.Session, p *debuggee.Program) error {
	args := d.StartArgs(p)
	args["target"], args["mode"] = ".", "launch"
	s, err := startServer(ctx, b.Binary, p.Dir)
	if err != nil {
		return err
	}
	var ours, bare samples
	for range b.Runs + 1 {
		begun := time.Now()
		if _, err := s.stop("session_start", args, "stopped_at_breakpoint"); err != nil {
			return s.fail(err)
		}
		ours.since(begun)
		if _, err := s.call("session", debuggee.Object{"action": "stop"}); err != nil {
			return s.fail(err)
		}
		if err := os.Remove(p.Binary); err != nil { // go build links nothing that is there already
			return s.fail(err)
		}
		begun = time.Now()
		if err := d.Build(ctx, p); err != nil {
			return s.fail(err)
		}
		c, err := startBare(ctx, d, p)
		if err != nil {
			return s.fail(err)
		}
		bare.since(begun)
		c.close()
	}
	ours.dropFirst()
	bare.dropFirst()
	b.add(row{what: d.Embedded.Language + ": start of a package, with " + d.Embedded.Build, unit: inMS, ours: ours, bare: bare, ratio: startRatio})
	return s.close()
}

// session counts the bytes of a whole small session in five calls.
func (b *bench) session(ctx context.Context, d debuggee.Session, p *debuggee.Program) error {
	s, err := startServer(ctx, b.Binary, p.Dir)
	if err != nil {
		return err
	}
	total := 0
	for _, c := range []struct {
		tool    string
		args    debuggee.Object
		outcome string // that the reply must show
	}{
		{"session_start", d.StartArgs(p), "stopped_at_breakpoint"},
		{"inspect", debuggee.Object{"expression": d.Embedded.Expression}, `"` + d.Embedded.Value + `"`},
		{"step", debuggee.Object{}, "stopped_after_step"},
		{"execute", debuggee.Object{}, "stopped_at_exception"},
		{"session", debuggee.Object{"action": "stop"}, "terminated"},
	} {
		reply, err := s.call(c.tool, c.args)
		if err == nil && !strings.Contains(reply.facts, c.outcome) {
			err = fmt.Errorf("%s does not show %s: %s", c.tool, c.outcome, reply.facts)
		}
		if err != nil {
			return s.fail(err)
		}
		total += len(reply.text)
	}
	b.add(row{what: d.Embedded.Language + ": start, evaluate, step, continue into a panic, stop: 5 replies", unit: inBytes, ours: samples{float64(total)}, target: 3_000})
	return s.close()
}
